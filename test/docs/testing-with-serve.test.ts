import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { App } from '../../src/cli/app.js';
import { wholeProgram } from '../../src/cli/program.js';
import { createClient } from '../../src/client/client.js';
import { imitationFrom, openService, type ServerOptions } from '../../src/server/index.js';
import { blocksOf, newProject, page, root, type Project } from './blocks.js';

const files = ['docs/testing-with-serve.md', 'docs/testing-recipes.md', 'docs/server-reference.md'];
const text = files.map(page).join('\n');
const blocks = (language: string) => files.flatMap((file) => blocksOf(file, language));
const recipes = new Map([...text.matchAll(/^<!-- recipe: (\S+) -->\n\n```\w+\n([\s\S]*?)^```$/gm)]
  .map(([, name, code]) => [name!, code!]));

/** The Python to run pytest with; none if pytest is not installed. */
const pythons = ['python3'].filter((python) => spawnSync(python, ['-m', 'pytest', '--version']).status === 0);

let project: Project;
beforeEach(() => { project = newProject(['vitest', '@sinclair/typebox', 'msw', 'hono', '@gitbeaker/rest']); });
afterEach(() => project.remove());

const run = async (command: string, args: readonly string[]) => {
  const env = {
    PATH: `${project.folder}:${process.env['PATH']}`, HOME: process.env['HOME'], COLLOQUY_CONFIG_DIR: project.folder,
    NO_COLOR: '1', PYTHONDONTWRITEBYTECODE: '1',
  };
  const child = spawn(command, args, { cwd: project.folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part: string) => { output += part; });
  const [status] = await once(child, 'close') as [number];
  return { status, output };
};

const runRecipe = (name: string, command: string, args: readonly string[]) => {
  project.write(name, recipes.get(name)!);
  return run(command, [...args, name]);
};

/** The limits of Vitest are 5 and 10 seconds without these, and the test of each recipe has its own. */
const vitest = [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', '--root', '.', '--testTimeout=50000', '--hookTimeout=50000'];

/** Nothing listens there. */
const ofAnEarlierRun = 'http://127.0.0.1:9\n';

it('the guide has at most 300 lines', () => expect(page(files[0]!).trimEnd().split('\n').length).toBeLessThanOrEqual(300));

describe('the recipes for testing with serve', () => {
  it('are for vitest, node:test, pytest and the shell', () => {
    expect([...recipes.keys()]).toEqual([
      'comments.test.ts', 'worlds.test.ts', 'faults.test.ts', 'hooks.test.ts', 'comments.test.mjs', 'test_comments.py', 'comments.sh',
      'msw.test.ts', 'hono.test.mjs', 'faults.sh', 'push.test.ts', 'drafts.test.ts', 'verdict.test.ts', 'review-bot.mts']);
  });

  it('wait with vitest until a bot has received a comment', async () => {
    const { status, output } = await runRecipe('hooks.test.ts', process.execPath, vitest);
    expect(output).toMatch(/Tests +1 passed \(1\)/);
    expect(status).toBe(0);
  }, 60_000);

  it('pass with vitest', async () => {
    const { status, output } = await runRecipe('comments.test.ts', process.execPath, vitest);
    expect(output).toMatch(/Tests +2 passed \(2\)/);
    expect(status).toBe(0);
  }, 60_000);

  it('publish draft notes with vitest', async () => {
    const { status, output } = await runRecipe('drafts.test.ts', process.execPath, vitest);
    expect(output).toMatch(/Tests +1 passed \(1\)/);
    expect(status).toBe(0);
  }, 60_000);

  it('label and judge with vitest', async () => {
    const { status, output } = await runRecipe('verdict.test.ts', process.execPath, vitest);
    expect(output).toMatch(/Tests +1 passed \(1\)/);
    expect(status).toBe(0);
  }, 60_000);

  it('set faults and the clock with vitest', async () => {
    const { status, output } = await runRecipe('faults.test.ts', process.execPath, vitest);
    expect(output).toMatch(/Tests +2 passed \(2\)/);
    expect(status).toBe(0);
  }, 60_000);

  it('push a second time with vitest', async () => {
    const { status, output } = await runRecipe('push.test.ts', process.execPath, vitest);
    expect(output).toMatch(/Tests +1 passed \(1\)/);
    expect(status).toBe(0);
  }, 60_000);

  it('inject a fault in a shell, which does not post a thread twice', async () => {
    project.write('url.txt', ofAnEarlierRun);
    const { status, output } = await runRecipe('faults.sh', 'sh', []);
    expect(output).toMatch(/^exit code 0\n1$/m);
    expect(status).toBe(0);
  }, 60_000);

  it('give each test a world of its own with vitest', async () => {
    const { status, output } = await runRecipe('worlds.test.ts', process.execPath, vitest);
    expect(output).toMatch(/Tests +3 passed \(3\)/);
    expect(status).toBe(0);
  }, 60_000);

  it('send the requests of @gitbeaker/rest through MSW to a service', async () => {
    const { status, output } = await runRecipe('msw.test.ts', process.execPath, vitest);
    expect(output).toMatch(/Tests +2 passed \(2\)/);
    expect(status).toBe(0);
  }, 60_000);

  it('mount a service in a Hono application', async () => {
    const { status, output } = await runRecipe('hono.test.mjs', process.execPath, ['--test', '--test-reporter=tap']);
    expect(output).toMatch(/^# pass 1$/m);
    expect(status).toBe(0);
  }, 60_000);

  it('pass with node:test', async () => {
    const { status, output } = await runRecipe('comments.test.mjs', process.execPath, ['--test', '--test-reporter=tap']);
    expect(output).toMatch(/^# pass 2$/m);
    expect(status).toBe(0);
  }, 60_000);

  it.each(pythons)('pass with pytest of %s', async (python) => {
    const { status, output } = await runRecipe('test_comments.py', python, ['-m', 'pytest', '-p', 'no:cacheprovider']);
    expect(output).toContain('2 passed');
    expect(status).toBe(0);
  }, 60_000);

  it('run in a shell', async () => {
    project.write('url.txt', ofAnEarlierRun);
    const { status, output } = await runRecipe('comments.sh', 'sh', []);
    expect(output).toMatch(/^ada$/m);
    expect(status).toBe(0);
  }, 60_000);
});

/** The examples that check themselves. */
const checked = blocks('ts')
  .filter((block) => block.includes('node:assert') && ![...recipes.values()].includes(block))
  .map((block, index) => ({ name: `checked${index}`, block }));

it('the examples in code have valid types and run', async () => {
  const [example] = blocks('ts').filter((block) => block.includes('startServer'));
  project.write('example.mts', example!);
  for (const { name, block } of checked) project.write(`${name}.mts`, block);
  copyFileSync(join(root, 'test/fixtures/earlier-version/recording.ndjson'), join(project.folder, 'recording.ndjson'));
  const typed = ['comments.test.ts', 'worlds.test.ts', 'hooks.test.ts', 'msw.test.ts'];
  for (const name of typed) project.write(name, recipes.get(name)!);
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const options = ['--module', 'nodenext', '--target', 'es2023', '--strict', '--skipLibCheck', '--types', 'node',
    '--typeRoots', join(root, 'node_modules', '@types'), '--outDir', 'out'];
  const files = ['example.mts', ...checked.map(({ name }) => `${name}.mts`), ...typed];
  expect(await run(process.execPath, [tsc, ...files, ...options])).toEqual({ status: 0, output: '' });
  const { status, output } = await run(process.execPath, ['out/example.mjs']);
  expect(output).toMatch(/^http:\/\/127\.0\.0\.1:\d+ ada-token\nFixed\.\n200\n$/);
  expect(status).toBe(0);
  expect(checked.length).toBeGreaterThan(0);
  for (const { name } of checked) expect(await run(process.execPath, [`out/${name}.mjs`])).toEqual({ status: 0, output: '' });
}, 60_000);

describe('the table of options that have other names in code', async () => {
  const rows = text.split('\n').filter((line) => line.startsWith('|')).map((line) => line.split('|').slice(1, 3).join(' '));
  const names = new Set(rows.flatMap((row) => [...row.matchAll(/--[\w-]+|`(\w+)/g)].map((match) => match[1] ?? match[0])));
  const program = await wholeProgram({ program: { version: '0' } } as App);
  const serve = program.commands.find((command: Command) => command.name() === 'serve')!;
  const shared = new Set(program.commands.find((command) => command.name() === 'api')!.options.map(({ long }) => long));
  const flags = serve.options.flatMap(({ long, hidden }) => long && !hidden && !shared.has(long) ? [long] : []);
  const inCode: Record<keyof Required<ServerOptions>, true> = {
    host: true, port: true, tls: true, world: true, data: true, durability: true, dialect: true, serviceVersion: true, tier: true, quickActions: true,
    acceptTokens: true, rejectUnread: true,
    rateLimit: true, latency: true,
    controlToken: true, allowedHosts: true, allowHooksTo: true, onRequest: true, onFault: true, now: true, sleep: true, hex: true, externalUrl: true,
    seed: true, like: true, faults: true, faultSeed: true, watch: true, onReload: true, routes: true, proxy: true, replay: true,
  };

  const inCodeOf = (flag: string) => flag.slice(2).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

  it('has each flag of serve without an option of its name', () => {
    expect(flags).toContain('--allowed-host');
    expect(flags.filter((flag) => !names.has(flag) && !Object.hasOwn(inCode, inCodeOf(flag)))).toEqual([]);
  });

  it('has each option of startServer and openService without a flag of its name', () => {
    const named = flags.map(inCodeOf);
    expect(Object.keys(inCode).filter((name) => !names.has(name) && !named.includes(name))).toEqual([]);
  });
});

it('has a file about an instance that serve takes', async () => {
  const [block] = blocks('yaml').filter((one) => one.includes('per_page'));
  expect(await imitationFrom(block!, 'like.yaml')).toMatchObject({ dialect: 'live', per_page: { max: 50 } });
});

describe('the table of dialects', () => {
  it.each(['document', 'live'] as const)('has the values of notes on merge requests in the dialect %s', async (dialect) => {
    const service = await openService({ dialect });
    const client = createClient({ url: 'http://service.test', token: 'ada-token', transport: service.handle });
    const threads = await client.discussions.merge_request.list({ id: 'acme/app', noteable_id: 12 }).all();
    const note = threads.flatMap(({ notes }) => notes).find(({ type }) => type === 'DiffNote')!;
    await service.close();
    const cell = (row: string) => text.match(new RegExp(`^\\| \`${row}\` .*$`, 'm'))![0].split('|')[dialect === 'document' ? 2 : 3]!.trim();
    expect(cell('noteable_type')).toBe(`\`${note.noteable_type}\``);
    expect([cell('noteable_iid'), note.noteable_iid]).toEqual(
      { document: ['null', null], live: ['the iid of an issue or merge request, else null', 12] }[dialect]);
    expect([cell('commit_id'), note.commit_id]).toEqual({
      document: ['the head of the position, unless the note names a commit', note.position!.head_sha],
      live: ['null, unless the note names a commit', null],
    }[dialect]);
  });
});
