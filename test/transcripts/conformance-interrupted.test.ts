import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/client.js';
import { sampleOf } from '../support/extent.js';
import { ended, newHome, program, served } from '../support/program.js';

const list = '/projects/acme%2Fapp/merge_requests/12/discussions';

/** A server, and runs of checks that write. */
const running = async (...flags: readonly string[]) => {
  const { home, env } = newHome();
  const { url } = await served(flags, env, home);
  const client = createClient({ url, token: 'ada-token' });
  const start = (...facts: readonly string[]) => {
    const words = ['conformance', 'mr/12', '--write', ...facts.flatMap((fact) => ['--fact', fact])];
    const child = spawn(process.execPath, [program, ...words], {
      cwd: home, env: { ...env, COLLOQUY_URL: url, COLLOQUY_TOKEN: 'ada-token', COLLOQUY_PROJECT: 'acme/app' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return { child, left: ended(child) };
  };
  return {
    start,
    /** Resolves once the server has handled a request with this method. */
    sent: (method: string) => fetch(`${url}/-/requests?method=${method}&wait=10`),
    withoutFaults: () => fetch(`${url}/-/faults`, { method: 'DELETE' }),
    notes: async () => (await client.discussions.merge_request.list({ id: 'acme/app', noteable_id: 12 }).all())
      .flatMap((thread) => thread.notes.map(({ body }) => body)).filter((body) => body.startsWith('A conformance check')),
  };
};

const facts = ['threads.response', 'threads.last-note', 'threads.first-note', 'requests.deleted', 'replies.type'];

describe('conformance --write', () => {
  it.each(sampleOf(['SIGINT', 'SIGTERM'] as const, 2))('deletes its notes after %s, even where the service is slow', async (signal) => {
    const { start, sent, notes } = await running('--fault', `* ${list} => latency 700`);
    const { child, left } = start(...facts);
    await sent('POST');
    child.kill(signal);
    const { code, err } = await left;
    expect([code, err]).toEqual([130, expect.stringContaining('deleting the notes of the checks')]);
    expect(err).toContain('colloquy: interrupted\nthe notes of the checks were deleted again; system notes and mails remain\n');
    expect(await notes()).toEqual([]);
  });

  it('ends at once after a second signal', async () => {
    const { start, sent } = await running('--fault', `GET ${list} => stall 60000 skip=3`);
    const { child, left } = start(...facts);
    await sent('POST');
    child.kill('SIGINT');
    await pause(300);
    child.kill('SIGINT');
    expect((await left).code).toBe(130);
  });

  it('deletes the notes that a killed run left', async () => {
    const { start, sent, notes, withoutFaults } = await running('--fault', 'DELETE * => stall 60000 before');
    const killed = start('threads.response');
    await sent('POST');
    killed.child.kill('SIGKILL');
    await killed.left;
    await withoutFaults();
    expect(await notes()).toHaveLength(1);
    const { code, err } = await start('threads.response').left;
    expect([code, err]).toEqual([0, expect.stringContaining('deleted 1 note that an earlier run left')]);
    expect(await notes()).toEqual([]);
  });
});
