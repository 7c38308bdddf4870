import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { blocksOf } from '../docs/blocks.js';
import { pages } from '../docs/console.js';

const root = join(import.meta.dirname, '..', '..');

let folder: string;

/** The project of a user who installed the package. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'colloquy-consumer-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules', 'colloquy'));
  symlinkSync(join(root, 'node_modules', '@sinclair'), join(folder, 'node_modules', '@sinclair'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  return { status, stdout, stderr };
};

const imports = `
  import { contract, createClient, type Discussion, type Endpoint } from 'colloquy';
  import { startServer } from 'colloquy/server';`;

const calls = `
  const shape: NonNullable<Endpoint['returns']> = contract.appearance.get.returns;
  const server = await startServer();
  const client = createClient({ url: server.url, token: 'root-token' });
  const place = { id: 'acme/app', noteable_id: 12 };
  const thread: Discussion = await client.discussions.merge_request.create({ ...place, body: 'From outside.' });
  const { resolved }: { resolved?: boolean | undefined } = (await client.discussions.merge_request.resolve(
    { ...place, discussion_id: thread.id, resolved: true })).notes[0]!;
  console.log('type' in shape, resolved, (await client.discussions.merge_request.list(place).all()).length > 3);
  await server.close();
  // @ts-expect-error a thread starts with a body
  void (() => client.discussions.merge_request.create({ ...place, text: 1 }));
`;

/** The same program for both kinds of modules. */
const programs = {
  'program.mts': `${imports}${calls}`,
  'program.cts': `${imports}\n(async () => {${calls}})();`,
};

/** The programs in the documentation. Recipes for test runners are run by their own test. */
const shown = pages.flatMap((path) => blocksOf(path, 'ts')).filter((block) => !block.includes("from 'vitest'"));

it('the library has types that fit modules of both kinds and the documentation, reject wrong calls, and match at run time', () => {
  expect(shown.length).toBeGreaterThan(0);
  const files = { ...programs, ...Object.fromEntries(shown.map((text, index) => [`shown${index}.mts`, text])) };
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  const options = ['--module', 'nodenext', '--target', 'es2023', '--strict', '--skipLibCheck', '--types', 'node',
    '--typeRoots', join(root, 'node_modules', '@types'), '--outDir', 'out'];
  expect(run(join(root, 'node_modules', 'typescript', 'bin', 'tsc'), ...Object.keys(files), ...options))
    .toEqual({ status: 0, stdout: '', stderr: '' });
  for (const file of ['out/program.mjs', 'out/program.cjs']) {
    expect(run(file)).toEqual({ status: 0, stdout: 'true true true\n', stderr: '' });
  }
}, 60_000);

it('the types of the package are valid for ES2020 with checks of libraries, and await using runs', () => {
  writeFileSync(join(folder, 'program.mts'), `${imports}
    await using server = await startServer();
    const client = createClient({ url: server.url, token: 'root-token' });
    const { username } = await client.request<{ username: string }>('GET', 'user');
    const first: Discussion | undefined = (await client.discussions.issue.list({ id: 'acme/app', noteable_id: 7 }).all())[0];
    console.log(username, typeof first?.id, 'get' in contract.appearance, null as Endpoint | null);`);
  symlinkSync(join(root, 'node_modules', 'undici'), join(folder, 'node_modules', 'undici'));
  const options = ['--module', 'nodenext', '--target', 'es2022', '--strict', '--types', 'node',
    '--typeRoots', join(root, 'node_modules', '@types'), '--outDir', 'out'];
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  expect(run(tsc, 'program.mts', ...options)).toEqual({ status: 0, stdout: '', stderr: '' });
  expect(run(tsc, 'program.mts', ...options, '--target', 'es2020', '--noEmit', '--module', 'esnext', '--moduleResolution', 'bundler'))
    .toMatchObject({ stdout: expect.not.stringMatching(/node_modules.colloquy/) as string });
  expect(run('out/program.mjs')).toEqual({ status: 0, stdout: 'root string true null\n', stderr: '' });
}, 120_000);
