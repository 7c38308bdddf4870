import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startServer, type World } from '../../src/server/index.js';
import { sampleOf } from '../support/extent.js';
import { ended, newHome, program } from '../support/program.js';

const world: World = {
  users: [{ id: 1, username: 'root', admin: true, token: 'root-token' }],
  groups: [{ id: 10, path: 'acme', epics: [
    { id: 500, iid: 1, title: 'Top' }, { id: 501, iid: 2, title: 'A', parent: 500 }, { id: 502, iid: 3, title: 'B', parent: 500 },
    { id: 503, iid: 4, title: 'C', parent: 501 },
  ] }],
};

/** A run that was killed while one request had no response. */
const killed = async (on: string, when: '' | ' after') => {
  const server = await startServer({ world });
  onTestFinished(() => server.close());
  const { home, env } = newHome();
  writeFileSync(join(home, 'plan.txt'), '&3\n  &4\nNew\n&2\n');
  const start = (...words: string[]) => spawn(process.execPath, [program, 'epics', ...words], {
    cwd: home, stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env, COLLOQUY_URL: server.url, COLLOQUY_TOKEN: 'root-token', COLLOQUY_GROUP: 'acme' },
  });
  await server.faults([{ on, do: `stall 60000${when}`, times: 1 }]);
  const child = start('apply', '&1', 'plan.txt', '--yes');
  while ((await server.faults()).rules[0]!.hits === 0) await new Promise((resolve) => { setTimeout(resolve, 5); });
  child.kill('SIGKILL');
  await once(child, 'close');
  await server.faults([]);
  const run = (...words: string[]) => ended(start(...words));
  const childrenOf = async (epic: string) => (await run('list', epic, '-q', 'map(.title) | join(",")')).out.trim();
  return { run, links: async () => [await childrenOf('&1'), await childrenOf('&2'), await childrenOf('&3')] };
};

const resumed = [['epics.create', ' after'], ['epics.assign', ''], ['epics.reorder', ' after']] as const;
const rolledBack = [['epics.create', ' after'], ['epics.assign', ' after'], ['epics.reorder', '']] as const;

describe('a run of epics apply that is killed', () => {
  it.each(sampleOf(resumed, 3))('reaches the target with --resume: %s%s', async (on, when) => {
    const { run, links } = await killed(on, when);
    const again = await run('apply', '&1', '--resume', '--yes');
    expect(again).toMatchObject({ code: 0 });
    expect(await links()).toEqual(['B,New,A', '', 'C']);
  }, 60_000);

  it.each(sampleOf(rolledBack, 3))('restores the former hierarchy with --rollback: %s%s', async (on, when) => {
    const { run, links } = await killed(on, when);
    await run('apply', '&1', '--rollback', '--yes');
    expect(await links()).toEqual(['A,B', 'C', '']);
  }, 60_000);
});
