/**
 * What an operation costs as the store grows: a list, a new thread and an edit, on an issue of 60 notes, among 1,000,
 * 30,000 and 1,000,000 notes. Every server has its own file; rounds are interleaved.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Agent } from 'undici';
import { started } from './child.mjs';
import { interleaved, report } from './rounds.mjs';
import { busyWorld, listOf, token } from './worlds.mjs';

const bin = fileURLToPath(new URL('../bin/colloquy.cjs', import.meta.url));
const sizes = (process.argv[2] ?? '1000,30000,1000000').split(',').map(Number);
const folder = mkdtempSync(join(tmpdir(), 'colloquy-bench-'));
const agent = new Agent({ connections: 1 });
const json = { ...token, 'content-type': 'application/json' };

const servers = [];
for (const size of sizes) {
  const issues = Math.ceil(size / 60);
  const [world, data] = ['json', 'db'].map((kind) => join(folder, `${size}.${kind}`));
  writeFileSync(world, JSON.stringify(busyWorld(issues)));
  const server = await started(bin, 'serve', '--world', world, '--data', data, '--json');
  servers.push({ ...server, size, issues, url: JSON.parse(server.line).url });
}

const call = async (server, method, path, body) => {
  const sent = body && JSON.stringify(body);
  const answer = await agent.request({ origin: server.url, path, method, headers: json, body: sent });
  const value = await answer.body.json();
  if (answer.statusCode >= 300) throw new Error(`${method} ${path} answered ${answer.statusCode}`);
  return value;
};

let turn = 0;
const next = ({ issues }) => listOf(1 + (turn++ * 7) % issues);
const operations = {
  'a list': async (server) => { await call(server, 'GET', next(server)); },
  'a new thread': async (server) => { await call(server, 'POST', next(server), { body: 'More.' }); },
  'an edit': async (server) => {
    const list = next(server);
    const [thread] = await call(server, 'GET', `${list}?per_page=1`);
    await call(server, 'PUT', `${list}/${thread.id}/notes/${thread.notes[0].id}`, { body: `Edited ${turn}.` });
  },
};

for (const [name, operation] of Object.entries(operations)) {
  const cases = servers.map((server) => [`among ${server.size} notes`, async () => {
    for (let i = 0; i < 100; i++) await operation(server);
  }]);
  report(`${name}, 100 times`, await interleaved(Object.fromEntries(cases), 9));
}
await agent.close();
for (const server of servers) await server.stop();
rmSync(folder, { recursive: true });
