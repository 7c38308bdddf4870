import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { serving } from '../client/support/loopback.js';
import { ended, newHome, programWords, served } from '../support/program.js';
import { blocker, deletedNote, isSecondPage, shiftingWorld } from '../support/shifting.js';

/** Between the program and the service: the author deletes a thread before the second page is requested. */
const attacked = (url: string): Promise<string> => {
  const attackedWorlds = new Set<string>();
  const attack = async (method: string, target: string): Promise<void> => {
    const [, world = ''] = /^(\/w\/[^/]+)/.exec(target) ?? [];
    if (isSecondPage({ method, target }) && !attackedWorlds.has(world)) {
      attackedWorlds.add(world);
      await fetch(`${url}${world}/api/v4${deletedNote(1)}`, { method: 'DELETE', headers: { 'private-token': 'author-token' } });
    }
  };
  return serving((incoming, response) => {
    const { method = '', url: target = '', headers } = incoming;
    const forwarded = request(`${url}${target}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    void attack(method, target).then(() => incoming.pipe(forwarded));
  });
};

it('an author who deletes threads between two pages hides none', async () => {
  const { home, env } = newHome();
  writeFileSync(join(home, 'world.json'), JSON.stringify(shiftingWorld));
  const url = await attacked((await served(['--world', 'world.json'], env, home)).url);
  const run = async (world: string, line: string) => {
    const [command, ...words] = [...programWords, ...line.split(' ')] as const;
    const child = spawn(command, words, {
      cwd: home, stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...env, COLLOQUY_URL: `${url}/w/${world}`, COLLOQUY_TOKEN: 'reviewer-token', COLLOQUY_PROJECT: 'acme/app' },
    });
    return ended(child);
  };
  const [checks, resolve, exported, list, view] = await Promise.all([
    Promise.all([1, 2, 3, 4].map((time) => run(`check-${time}`, 'discussions check mr/1'))),
    run('resolve', 'discussions resolve mr/1 --all --yes -o id'), run('export', 'discussions export mr/1 threads.ndjson'),
    run('list', 'discussions list mr/1 -o ndjson'), run('view', 'discussions view mr/1 -o ndjson'),
  ]);
  for (const { code, err } of checks) expect({ code, err }).toEqual({ code: 8, err: expect.stringContaining('mr/1: reviewer: blocker') as string });
  expect(resolve).toMatchObject({ code: 0, out: `${blocker.id}\n` });
  expect(exported).toMatchObject({ code: 0, err: 'exported 130 threads of mr/1\n' });
  expect(readFileSync(join(home, 'threads.ndjson'), 'utf8').match(new RegExp(blocker.id, 'g'))).toHaveLength(1);
  for (const { code, out } of [list, view]) expect([code, out.trimEnd().split('\n').at(-1)]).toEqual([0, expect.stringContaining(blocker.id)]);
});
