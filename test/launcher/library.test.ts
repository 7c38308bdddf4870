import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

let folder: string;

/** The project of somebody who installed the package. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'colloquy-consumer-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules', 'colloquy'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  return { status, stdout, stderr };
};

const program = `
  import { createClient, type Discussion } from 'colloquy';
  import { startServer } from 'colloquy/server';

  const server = await startServer();
  const client = createClient({ url: server.url, token: 'root-token' });
  const place = { id: 'acme/app', noteable_id: 12 };
  const thread: Discussion = await client.discussions.merge_request.create({ ...place, body: 'From outside.' });
  const { resolved }: { resolved?: boolean | undefined } = (await client.discussions.merge_request.resolve(
    { ...place, discussion_id: thread.id, resolved: true })).notes[0]!;
  console.log(resolved, (await client.discussions.merge_request.list(place).all()).length > 3);
  await server.close();
  // @ts-expect-error a thread starts with a body
  void (() => client.discussions.merge_request.create({ ...place, text: 1 }));
`;

/** The programs that README shows. */
const shown = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((match) => match[1]!);

it('the library has types that fit, as README shows them too, refuses calls that do not, and runs', () => {
  expect(shown.length).toBeGreaterThan(0);
  const files = [program, ...shown].map((text, index) => {
    writeFileSync(join(folder, index === 0 ? 'program.mts' : `shown${index}.mts`), text);
    return index === 0 ? 'program.mts' : `shown${index}.mts`;
  });
  const options = ['--module', 'nodenext', '--target', 'es2023', '--strict', '--skipLibCheck', '--types', 'node',
    '--typeRoots', join(root, 'node_modules', '@types'), '--outDir', 'out'];
  expect(run(join(root, 'node_modules', 'typescript', 'bin', 'tsc'), ...files, ...options))
    .toEqual({ status: 0, stdout: '', stderr: '' });
  expect(run('out/program.mjs')).toEqual({ status: 0, stdout: 'true true\n', stderr: '' });
});
