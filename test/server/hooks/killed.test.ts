import { expect, it } from 'vitest';
import type { Note } from '../../../src/contract/shapes/note.js';
import { receiver } from '../../support/receiver.js';
import { newStore } from '../../support/stores.js';
import { childServers } from '../hardening/child-server.js';

const serve = childServers();
const headers = { 'private-token': 'maintainer-token', 'content-type': 'application/json' };
const project = '/api/v4/projects/20';

it('a webhook never hears of a note that is not stored, and the webhook itself stays, when the server is killed', async () => {
  const data = await newStore();
  const bot = await receiver();
  const first = await serve('', data);
  const made = await fetch(`${first.url}${project}/hooks`, { method: 'POST', headers, body: JSON.stringify({ url: bot.url, note_events: true }) });
  expect(made.status).toBe(201);
  await first.kill();
  for (const round of [1, 2, 3, 4]) {
    const { url, kill } = await serve('', data);
    const posts = Array.from({ length: 30 }, (_, i) => fetch(`${url}${project}/issues/1/notes`, {
      method: 'POST', headers, body: JSON.stringify({ body: `${round} ${i}` }),
    }).then(({ status }) => status, () => null));
    await new Promise((resolve) => { setTimeout(resolve, round * 20); });
    await kill();
    await Promise.all(posts);
  }
  const { url, kill } = await serve('', data);
  await fetch(`${url}${project}/issues/1/notes`, { method: 'POST', headers, body: JSON.stringify({ body: 'last' }) });
  const told = () => bot.received.map(({ body }) => (body['object_attributes'] as { id: number; note: string }));
  await expect.poll(() => told().map(({ note }) => note)).toContain('last');
  const stored = await (await fetch(`${url}${project}/issues/1/notes?per_page=100&sort=asc`, { headers })).json() as Note[];
  const more = await (await fetch(`${url}${project}/issues/1/notes?per_page=100&sort=asc&page=2`, { headers })).json() as Note[];
  const bodies = new Map([...stored, ...more].map(({ id, body }) => [id, body]));
  expect(told().filter(({ id, note }) => bodies.get(id) !== note)).toEqual([]);
  await kill();
  await bot.close();
}, 120_000);
