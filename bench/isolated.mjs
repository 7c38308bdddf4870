/**
 * 200 worlds of one server with 20 clients each, all at once: whether a client ever sees a note of another world, and
 * the time that the first request to a world takes, with the demo world and with 10,000 notes, in milliseconds.
 */
import { Agent, fetch } from 'undici';
import { openService, startServer } from '../dist/lib/server/index.js';
import { report } from './rounds.mjs';
import { busyWorld } from './worlds.mjs';

const worlds = Array.from({ length: 200 }, (_, i) => `world-${i}`);
const clients = Array.from({ length: 20 }, (_, i) => i);

const server = await startServer();
const headers = { 'private-token': server.tokens.root, 'content-type': 'application/json' };
const notes = '/api/v4/projects/acme%2Fapp/issues/7/notes';
/** More connections at once than a listening socket queues would be reset. */
const dispatcher = new Agent({ connections: 200 });
const sent = async (world, init) => {
  const response = await fetch(`${server.worldUrl(world)}${notes}?per_page=100`, { headers, dispatcher, ...init });
  if (!response.ok) throw new Error(`${world}: ${response.status} ${await response.text()}`);
  return response.json();
};
const added = (world, client) => sent(world, { method: 'POST', body: JSON.stringify({ body: `${world}/${client}` }) });
const bodiesIn = async (world) =>
  (await sent(world)).map(({ body }) => body).filter((body) => body.startsWith('world-'));

const started = performance.now();
await Promise.all(clients.flatMap((client) => worlds.map(async (world) => {
  await added(world, client);
  const others = (await bodiesIn(world)).filter((body) => !body.startsWith(`${world}/`));
  if (others.length > 0) throw new Error(`${world} shows ${others[0]}`);
})));
const counts = await Promise.all(worlds.map(async (world) => (await bodiesIn(world)).length));
if (counts.some((count) => count !== clients.length)) throw new Error(`a world has ${Math.min(...counts)} notes`);
const seconds = ((performance.now() - started) / 1_000).toFixed(1);
const memory = Math.round(process.memoryUsage.rss() / 1_048_576);
console.log(`${worlds.length} worlds with ${clients.length} clients each: isolated; ${seconds} s, ${memory} MiB`);
await dispatcher.close();
await server.close();

/** The times of the first request to each of some worlds, which makes it, and of a second one. */
const firstRequests = async (count, options, token, target) => {
  const service = await openService(options);
  const request = async (name) => {
    const at = performance.now();
    const { status } = await service.handle({
      method: 'GET', target: `/w/${name}${target}`, headers: { 'private-token': token },
    });
    if (status !== 200) throw new Error(`answered ${status}`);
    return performance.now() - at;
  };
  await request('template');
  const times = { first: [], second: [] };
  for (let i = 0; i < count; i++) {
    times.first.push(await request(`w${i}`));
    times.second.push(await request(`w${i}`));
  }
  await service.close();
  return times;
};

const demo = await firstRequests(200, {}, 'root-token', '/api/v4/version');
const busy = await firstRequests(30, { world: busyWorld(167) }, 'root-token', '/api/v4/version');
report('The first request to a world, which copies the start world, and the second one', {
  'demo world, first': demo.first, 'demo world, second': demo.second,
  '10,020 notes, first': busy.first, '10,020 notes, second': busy.second,
});
