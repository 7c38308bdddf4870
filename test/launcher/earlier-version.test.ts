import { spawn } from 'node:child_process';
import { cpSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ended, newHome, programWords, root, served, type Env } from '../support/program.js';

const kept = join(root, 'test/fixtures/earlier-version');

/** A home as an earlier version left it, with files that it wrote. */
const found = () => {
  const { home, env } = newHome();
  cpSync(kept, home, { recursive: true });
  const run = async (args: readonly string[], more: Env = {}) => {
    const [command, ...words] = [...programWords, ...args] as const;
    const { code, out, err } = await ended(spawn(command, words, { env: { ...env, ...more }, cwd: home, stdio: ['ignore', 'pipe', 'pipe'] }));
    expect([code, err], args.join(' ')).toEqual([0, expect.anything()]);
    return out.trim();
  };
  return { env, home, run };
};

it('a world file and exported threads of an earlier version are read', async () => {
  const { env, home, run } = found();
  const { url } = await served(['--port=0', '--world=world.json'], env, home);
  const there = { COLLOQUY_URL: url, COLLOQUY_PROJECT: 'acme/app', COLLOQUY_TOKEN: 'ada-token' };
  const threads = async () => (await run(['discussions', 'list', 'mr/12', '--output=id'], there)).split('\n').length;
  expect(await threads()).toBe(8);
  await run(['discussions', 'import', 'mr/12', 'threads.json', '--yes'], there);
  expect(await threads()).toBe(15);
});

it('a recording of an earlier version is replayed', async () => {
  const { env, home } = found();
  const { url, end } = await served(['--port=0', '--replay=recording.ndjson', '--strict'], env, home);
  const api = `${url}/api/v4/projects/acme%2Fapp/merge_requests/12`;
  const headers = { 'private-token': 'another-token', 'content-type': 'application/json' };
  const added = await fetch(`${api}/notes`, { method: 'POST', headers, body: JSON.stringify({ body: 'recorded text' }) });
  const listed = await fetch(`${api}/discussions?per_page=100`, { headers });
  expect([added.status, listed.status, (await listed.json() as unknown[]).length]).toEqual([201, 200, 8]);
  await end();
});

it('the settings and a draft of an earlier version are read', async () => {
  const { home, run } = found();
  const drafts = join(home, '.local/state/colloquy/drafts');
  const [draft = ''] = readdirSync(drafts);
  renameSync(join(drafts, draft), join(drafts, draft.replace(/^\d+/, String(Date.now()))));
  expect(await run(['config', 'get', 'project'])).toBe('acme/app');
  const saved = await run(['saved', 'list', '--output=id']);
  expect(await run(['saved', 'show', saved])).toBe('lost text of stdin\nsecond line');
});
