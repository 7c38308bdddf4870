import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClientOptions, RetryPolicy } from '../../src/index.js';
import { demoWorld, startServer, type RunningServer } from '../../src/server/index.js';
import { blocksOf, commentExamples, newProject, page, root, type Project } from './blocks.js';
import { sampleOf } from '../support/extent.js';

const file = 'docs/library.md';

const commented = [
  'src/client/client.ts', 'src/client/pages.ts', 'src/client/errors.ts', 'src/wire/encode.ts', 'src/server/index.ts', 'src/server/options.ts',
].flatMap(commentExamples);

const examples = [
  ...commented.map(({ of, block }) => ({ name: `${of}.mts`, built: `out/${of}.mjs`, block })),
  ...blocksOf(file, 'ts').map((block, index) => ({ name: `example${index}.mts`, built: `out/example${index}.mjs`, block })),
  ...blocksOf(file, 'js').map((block, index) => ({ name: `example${index}.cjs`, built: `example${index}.cjs`, block })),
];

/** The lines that the comments of an example announce. */
const announced = (block: string) => [...block.matchAll(/\/\/ prints (.*)$/gm)].map((match) => `${match[1]}\n`).join('');

describe('the examples for the library', () => {
  let project: Project;
  let server: RunningServer;

  const run = async (...args: string[]) => {
    const env = { PATH: process.env['PATH'], NO_COLOR: '1', COLLOQUY_URL: server.url, COLLOQUY_TOKEN: 'root-token' };
    const child = spawn(process.execPath, args, { cwd: project.folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part: string) => { output += part; });
    const [status] = await once(child, 'close') as [number];
    return { status, output };
  };

  beforeAll(async () => {
    project = newProject(['@sinclair/typebox']);
    server = await startServer();
    for (const { name, block } of examples) project.write(name, block);
    for (const name of ['ca.pem', 'client.pem', 'client.key.pem']) {
      copyFileSync(join(root, 'test', 'fixtures', 'tls', name), join(project.folder, name));
    }
    const logo = demoWorld.appearance!.logo!;
    project.write('logo.png', Buffer.from(logo.content, 'base64'));
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const options = ['--module', 'nodenext', '--target', 'es2023', '--strict', '--skipLibCheck', '--types', 'node',
      '--typeRoots', join(root, 'node_modules', '@types'), '--outDir', 'out'];
    const { output } = await run(tsc, ...examples.flatMap(({ name }) => name.endsWith('.mts') ? [name] : []), ...options);
    expect(output).toBe('');
  }, 60_000);
  afterAll(async () => {
    await server.close();
    project.remove();
  });

  it('are found', () => expect(examples.length - commented.length).toBeGreaterThan(8));

  it('are in the doc comments of the functions, lists and errors that programs use most', () => {
    expect(commented.map(({ of }) => of)).toEqual([
      'createClient', 'Pages', 'ApiError', 'ResponseError', 'NoResultError', 'ConnectionError', 'UnusablePathValue', 'openService', 'startServer',
      'ServerOptions',
    ]);
  });

  it.each(sampleOf(examples, 6))('print what they announce: $name', async ({ built, block }) => {
    await fetch(`${server.url}/-/reset`, { method: 'POST' });
    expect(announced(block)).not.toBe('');
    expect(await run(built)).toEqual({ status: 0, output: announced(block) });
  }, 30_000);
});

describe('the tables for the library', () => {
  const names = new Set(page(file).split('\n').filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...line.split('|')[1]!.matchAll(/`(\w+)`/g)].map((match) => match[1]!)));

  it('have all options of createClient', () => {
    const options: Record<keyof Required<ClientOptions>, true> = {
      url: true, token: true, tokenScheme: true, transport: true, retry: true, userAgent: true, onEvent: true, time: true,
      encoding: true, signal: true, routes: true, perPage: true, pagesAtOnce: true, strict: true, check: true,
      once: true, resend: true,
      dispatcher: true, http: true, proxy: true, noProxy: true, ca: true, cert: true, key: true, timeout: true,
      responseTimeout: true,
    };
    expect(Object.keys(options).filter((name) => !names.has(name))).toEqual([]);
  });

  it('have all fields of a retry policy', () => {
    const fields: Record<keyof RetryPolicy, true> = {
      retries: true, unreached: true, firstWait: true, limitedWait: true, longestWait: true, totalWait: true,
      serverErrors: true,
    };
    expect(Object.keys(fields).filter((name) => !names.has(name))).toEqual([]);
  });
});
