import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRecording } from '../../src/recording/read.js';
import { newHome, served } from '../support/program.js';

const headers = { 'private-token': 'ada-token', 'content-type': 'application/json' };

describe('a server that records', () => {
  it.each([1, 8])('and is killed has every exchange that one of %i clients got a response to', async (clients) => {
    const { home, env } = newHome();
    const upstream = await served([], env, home);
    const proxy = await served(['--proxy', upstream.url, '--record', 'a.ndjson'], env, home);
    const answered: string[] = [];
    const work = async (client: number): Promise<void> => {
      for (let i = 0; ; i++) {
        const body = JSON.stringify({ body: `note ${client}-${i}.` });
        const response = await fetch(`${proxy.url}/api/v4/projects/acme%2Fapp/issues/7/notes`, { method: 'POST', headers, body });
        await response.text();
        answered.push(`note ${client}-${i}.`);
        if (answered.length === 100) void proxy.end('SIGKILL');
      }
    };
    await Promise.allSettled(Array.from({ length: clients }, (_, client) => work(client)));
    const text = readFileSync(join(home, 'a.ndjson'), 'utf8');
    const bodies = readRecording(text, 'a.ndjson').map(({ request }) => (JSON.parse(String(request.body)) as { body: string }).body);
    expect(answered.length).toBeGreaterThanOrEqual(100);
    expect(answered.filter((body) => !bodies.includes(body))).toEqual([]);
    expect(bodies.length - answered.length).toBeLessThanOrEqual(clients);
    expect(new Set(bodies).size).toBe(bodies.length);
    expect(statSync(join(home, 'a.ndjson')).mode & 0o777).toBe(0o600);
  });
});
