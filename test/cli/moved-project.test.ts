import { expect, it, test } from 'vitest';
import { createClient, MovedProjectError } from '../../src/index.js';
import { maxParallel as lanes } from '../../src/cli/service/connection/batch.js';
import { ranIn, usualEnv, type WorldOptions } from '../support/app.js';
import { examined } from '../support/doctor.js';
import { everyRow } from '../support/rows.js';
import { testService } from '../support/service.js';
import { acme, threads } from '../support/worlds.js';

const moved = () => testService({
  dialect: 'live', world: { ...acme, projects: [{ ...acme.projects![0]!, moved_from: 'acme/former' }, ...acme.projects!.slice(1)] },
});
const env = { ...usualEnv, COLLOQUY_PROJECT: 'acme/former' };
const message = 'the project acme/former moved to acme/app, and the service accepts no changes by the old path';
const [fix, fixVariable] = ['use acme/app instead of acme/former', 'use acme/app instead of acme/former in COLLOQUY_PROJECT'];

const writes: string[][] = [
  ['notes', 'add', '#1', '-m', 'x'], ['notes', 'add', '#1', '-m', 'x', '--key', 'k'], ['notes', 'edit', '#1', '103', '-m', 'x'],
  ['notes', 'delete', '#1', '103', '--yes'], ['notes', 'upsert', '#1', '--key', 'k', '-m', 'x'],
  ['discussions', 'create', '!1', '-m', 'x'], ['discussions', 'create', '!1', '--file', 'app.js', '--line', '2', '-m', 'x'],
  ['discussions', 'reply', '!1', threads.thread, '-m', 'x'], ['discussions', 'resolve', '!1', threads.thread],
  ['discussions', 'resolve', '!1', '--all', '--yes'], ['notes', 'post', '!1', '--from', 'lines', 'found.txt', '--key', 'k', '--filter', 'all', '--max', '60'],
  ['notes', 'exec', '#1', '--key', 'k', '--', 'false'],
];

test('each change of a moved project names the new path and what to do, and sends the change once', async () => {
  const service = await moved();
  const before = (await service.get('/-/world')).text;
  const options: WorldOptions = {
    service, env, files: { 'found.txt': Array.from({ length: 60 }, (_, i) => `app.js:2: ${i}\n`).join('') },
    tools: { run: async () => ({ exit: 1, signal: null, error: null }) },
  };
  await everyRow(writes, (argv) => argv.join(' '), async (argv) => {
    const { code, err, sent } = await ranIn(options, ...argv);
    expect(err).toContain(message);
    if (argv[1] !== 'exec') expect(err).toContain(fixVariable);
    expect(code).toBe(argv[1] === 'exec' ? 1 : 7);
    const writesSent = sent.filter(({ method }) => method !== 'GET').length;
    expect(writesSent).toBeGreaterThan(0);
    expect(writesSent).toBeLessThanOrEqual(argv[1] === 'post' ? lanes : 1);
  });
  expect((await service.get('/-/world')).text).toBe(before);
});

test('each read of a moved project shows what is there', async () => {
  const service = await moved();
  const reads = [['discussions', 'list', '#1'], ['discussions', 'view', '!1'], ['notes', 'list', '!1', '--all'], ['discussions', 'get', '!1', threads.thread],
    ['discussions', 'lines', '!1', 'app.js'], ['discussions', 'export', '!1']];
  await everyRow(reads, (argv) => argv.join(' '), async (argv) => {
    const { code, out } = await ranIn({ service, env }, ...argv);
    expect([code, out]).toEqual([0, (await ranIn({ service }, ...argv)).out]);
    expect(out).not.toBe('');
  });
});

it('is one JSON object on stderr with --json', async () => {
  const { err } = await ranIn({ service: await moved(), env }, 'notes', 'add', '#1', '-m', 'x', '--json');
  expect(JSON.parse(err)).toMatchObject({ error: { code: 'rejected', status: 405, message, hint: fixVariable } });
});

test.each<[string, WorldOptions, string[], string]>([
  ['a flag', {}, ['notes', 'add', '#1', '-m', 'x', '-p', 'acme/former'], `${fix} in --project`],
  ['a profile', {
    env: { ...usualEnv, COLLOQUY_PROJECT: undefined },
    profiles: { current: 'work', profiles: { work: { url: 'http://service.test', project: 'acme/former' } } },
  }, ['notes', 'add', '#1', '-m', 'x'], `${fix} in the project of profile work`],
  ['a git remote', {
    env: { ...usualEnv, COLLOQUY_PROJECT: undefined }, remotes: [{ name: 'origin', url: 'git@service.test:acme/former.git' }],
  }, ['notes', 'add', '#1', '-m', 'x'], `${fix} in git remote origin`],
  ['a pasted URL', {}, ['notes', 'add', 'http://service.test/acme/former/-/issues/1', '-m', 'x'], `${fix}\n`],
  ['a path of the API', {}, ['api', 'POST', 'projects/acme%2Fformer/issues/1/notes', '-f', 'body=x'], `${fix}\n`],
])('the hint names %s', async (_, options, argv, hint) => {
  const { code, err } = await ranIn({ service: await moved(), ...options }, ...argv);
  expect([code, err]).toEqual([7, expect.stringContaining(hint)]);
});

test('doctor names the new path', async () => {
  const { code, of } = await examined({ service: await moved(), env });
  expect([code, of('project there')]).toEqual([0, { check: 'project there', state: 'warn', message, hint: fixVariable }]);
  expect((await examined({ service: await moved() })).of('project there')).toMatchObject({ state: 'ok' });
});

test('the library has both paths as data', async () => {
  const { handle } = await moved();
  const client = createClient({ url: 'http://service.test', token: 'developer-token', transport: handle });
  const error = await client.notes.issue.create({ id: 'acme/former', noteable_id: 1, body: 'x' }, { key: 'k' }).catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(MovedProjectError);
  expect(error).toMatchObject({ from: 'acme/former', to: 'acme/app', status: 405 });
  expect((await client.lookups.project({ id: 'acme/former' })).path_with_namespace).toBe('acme/app');
});
