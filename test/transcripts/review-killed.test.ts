import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startServer } from '../../src/server/index.js';
import type { Discussion } from '../../src/contract/shapes/note.js';
import { sampleOf } from '../support/extent.js';
import { ended, newHome, program } from '../support/program.js';
import { inPool } from '../support/pool.js';
import { acme, threads } from '../support/worlds.js';

/** Writes two comments, a reply and a resolution once. */
const editor = `#!/bin/sh
grep -q 'Good so far' "$1" && exit 0
sed -e '/^> Review of mr\\/1$/a Good so far.' -e '/^> +zwei$/a Why German?' -e '/^> #   see below$/a It counts.\\n[resolve]' "$1" > "$1.new"
cat "$1.new" > "$1" && rm "$1.new"
`;

/** A service, and a home in which `discussions review` runs. */
const reviewing = async (dialect: 'document' | 'live') => {
  const server = await startServer({ world: acme, dialect });
  const { home, env } = newHome();
  const EDITOR = join(home, 'bin', 'write-review');
  writeFileSync(EDITOR, editor);
  chmodSync(EDITOR, 0o755);
  const start = (...words: string[]) => spawn(process.execPath, [program, 'discussions', 'review', 'mr/1', '--yes', ...words], {
    cwd: home, stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env, EDITOR, COLLOQUY_URL: server.url, COLLOQUY_TOKEN: 'developer-token', COLLOQUY_PROJECT: 'acme/app' },
  });
  const isUnfinished = () => {
    const folder = join(home, '.local', 'state', 'colloquy', 'reviews');
    return existsSync(folder) && readdirSync(folder, { recursive: true }).some((name) => String(name).endsWith('.ndjson'));
  };
  const stored = async () => {
    const headers = { 'private-token': 'developer-token' };
    const at = (path: string) => fetch(`${server.url}/api/v4/projects/20/merge_requests/1/${path}`, { headers });
    const found = await (await at('discussions?per_page=100')).json() as Discussion[];
    const drafts = dialect === 'live' ? await (await at('draft_notes')).json() as unknown[] : [];
    const words = found.flatMap(({ notes }) => notes).filter(({ id, system }) => id > 130 && !system).map(({ body }) => body);
    return { words: words.sort(), isResolved: found.find(({ id }) => id === threads.thread)!.notes[0]!.resolved, drafts };
  };
  return { server, home, start, run: (...words: string[]) => ended(start(...words)), isUnfinished, stored };
};

const whole = { words: ['Good so far.', 'It counts.', 'Why German?'], isResolved: true, drafts: [] };

/** Kills the program while a request has no response. */
const killedAt = async ({ server, start }: Awaited<ReturnType<typeof reviewing>>, skip: number, when: '' | ' after') => {
  await server.faults([{ on: '*', do: `stall 60000${when}`, times: 1, skip }]);
  const child = start();
  while ((await server.faults()).rules[0]!.hits === 0) await new Promise((resolve) => { setTimeout(resolve, 5); });
  child.kill('SIGKILL');
  await once(child, 'close');
  await server.faults([]);
};

const limit = { timeout: 120_000 };

describe('a review that is killed', () => {
  it.each(['document', 'live'] as const)('has each comment once after --resume, whichever request it was at: %s', limit, async (dialect) => {
    const clean = await reviewing(dialect);
    expect(await clean.run()).toMatchObject({ code: 0 });
    const sent = await clean.server.requests();
    expect(await clean.stored()).toEqual(whole);
    await clean.server.close();
    const stops = sent.flatMap(({ method }, i) => method === 'GET' ? [[i, ''] as const] : [[i, ''] as const, [i, ' after'] as const]);
    expect(stops.length).toBeGreaterThan(8);
    await inPool(sampleOf(stops, 9).map(([skip, when]) => async () => {
      const one = await reviewing(dialect);
      await killedAt(one, skip, when);
      const { code, err } = await one.run(...one.isUnfinished() ? ['--resume'] : []);
      expect([skip, when, code, await one.stored()], err).toEqual([skip, when, 0, whole]);
      expect(one.isUnfinished()).toBe(false);
      await one.server.close();
    }), 4);
  });

  it.each(sampleOf(['live', 'document'] as const, 2))('has each comment once after two --resume at the same time: %s', limit, async (dialect) => {
    const one = await reviewing(dialect);
    await killedAt(one, 5, ' after');
    expect(one.isUnfinished()).toBe(true);
    const both = await Promise.all([one.run('--resume'), one.run('--resume')]);
    expect(both.map(({ code }) => code).sort(), both.map(({ err }) => err).join('\n')).toEqual([0, 6]);
    expect(await one.stored()).toEqual(whole);
    await one.server.close();
  });
});
