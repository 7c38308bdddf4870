import { spawn } from 'node:child_process';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/client.js';
import { serving } from '../client/support/loopback.js';
import { sampleOf } from '../support/extent.js';
import { handOn } from '../support/places.js';
import { ended, newHome, program, served } from '../support/program.js';

const list = '/projects/acme%2Fapp/merge_requests/12/discussions';

/** A server behind a proxy that holds deletions, and runs of checks that write. */
const running = async (...flags: readonly string[]) => {
  const { home, env } = newHome();
  const { url } = await served(flags, env, home);
  const client = createClient({ url, token: 'ada-token' });
  let isRefusing = false;
  let isHolding = true;
  const held: ServerResponse[] = [];
  const refused = new Set<string>();
  const refuse = (answer: ServerResponse) => { answer.writeHead(403, { 'content-type': 'application/json' }).end('{}'); };
  const proxy = await serving((incoming, answer) => {
    const target = incoming.url!;
    if (!isHolding || incoming.method !== 'DELETE') return handOn(url + target, incoming, answer);
    if (!isRefusing || refused.has(target)) held.push(answer);
    else refuse(answer);
    return refused.add(target);
  });
  const start = (...facts: readonly string[]) => {
    const words = ['conformance', 'mr/12', '--write', ...facts.flatMap((fact) => ['--fact', fact])];
    const child = spawn(process.execPath, [program, ...words], {
      cwd: home, env: { ...env, COLLOQUY_URL: proxy, COLLOQUY_TOKEN: 'ada-token', COLLOQUY_PROJECT: 'acme/app' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return { child, left: ended(child) };
  };
  return {
    start,
    /** Resolves once a deletion is held. */
    isHeld: () => expect.poll(() => held.length).toBe(1),
    /** The deletions of checks fail from now on, and those of the clean-up are held. */
    refuse: () => {
      isRefusing = true;
      for (const answer of held.splice(0)) refuse(answer);
    },
    /** The service gets all deletions from now on, but those that were held fail. */
    holdNoMore: () => {
      isHolding = false;
      for (const answer of held.splice(0)) refuse(answer);
    },
    notes: async () => (await client.discussions.merge_request.list({ id: 'acme/app', noteable_id: 12 }).all())
      .flatMap((thread) => thread.notes.map(({ body }) => body)).filter((body) => body.startsWith('A conformance check')),
  };
};

const facts = ['threads.response', 'threads.last-note', 'threads.first-note', 'requests.deleted', 'replies.type'];

describe('conformance --write', () => {
  it.each(sampleOf(['SIGINT', 'SIGTERM'] as const, 2))('deletes its notes after %s, even where the service is slow', async (signal) => {
    const { start, isHeld, holdNoMore, notes } = await running('--fault', `* ${list} => latency 700`);
    const { child, left } = start(...facts);
    await isHeld();
    child.kill(signal);
    holdNoMore();
    const { code, err } = await left;
    expect([code, err]).toEqual([130, expect.stringContaining('deleting the notes of the checks')]);
    expect(err).toContain('colloquy: interrupted\nthe notes of the checks were deleted again; system notes and mails remain\n');
    expect(await notes()).toEqual([]);
  });

  it('ends at once after a second signal', async () => {
    const { start, isHeld, refuse } = await running();
    const { child, left } = start('threads.response', 'replies.type');
    await isHeld();
    child.kill('SIGINT');
    refuse();
    await isHeld();
    // A signal right after another one is an echo of it.
    await pause(300);
    child.kill('SIGINT');
    const { code, err } = await left;
    expect([code, err]).toEqual([130, expect.stringMatching(/deleting the notes of the checks\n$/)]);
  });

  it('deletes the notes that a killed run left', async () => {
    const { start, isHeld, holdNoMore, notes } = await running();
    const killed = start('threads.response');
    await isHeld();
    killed.child.kill('SIGKILL');
    await killed.left;
    holdNoMore();
    expect(await notes()).toHaveLength(1);
    const { code, err } = await start('threads.response').left;
    expect([code, err]).toEqual([0, expect.stringContaining('deleted 1 note that an earlier run left')]);
    expect(await notes()).toEqual([]);
  });
});
