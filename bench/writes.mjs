/**
 * Notes per second, each acknowledged after it is safe from `kill -9`: into a SQLite file, with 1,000 issues in turn.
 * Compared with node:http that parses and echoes the same JSON, and with the minimal server that stores the same rows
 * as durably. Then the minimum for any server: the processor time of the echo server per request, and of the store for
 * the rows of a note.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { started } from './child.mjs';
import { loadTypeScript } from '../scripts/load-typescript.mjs';
import { compare, rate } from './load.mjs';
import { processorTime } from './processor.mjs';
import { busyWorld, listOf, token } from './worlds.mjs';

const { addComment } = await loadTypeScript('src/server/repositories/noteables.ts');
const { insertNote } = await loadTypeScript('src/server/repositories/notes.ts');
const { openDatabase } = await loadTypeScript('src/server/store/open.ts');
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'colloquy-bench-'));
writeFileSync(join(folder, 'world.json'), JSON.stringify(busyWorld(1_000)));
const served = await started(here('../bin/colloquy.cjs'), 'serve', '--world', join(folder, 'world.json'), '--data',
  join(folder, 'store.db'), '--json');
const { url } = JSON.parse(served.line);
const echo = await started(here('./echo.mjs'));
const minimal = await started(here('./minimal.mjs'), join(folder, 'minimal.db'));

const post = {
  method: 'POST',
  headers: { ...token, 'content-type': 'application/json' },
  body: JSON.stringify({ body: 'A remark of the length that remarks have, which is about eighty characters.' }),
};
const paths = Array.from({ length: 1_000 }, (_, i) => listOf(i + 1));
for (const connections of [1, 16, 50]) {
  await compare('New threads, acknowledged when stored', {
    'node:http, parse and echo': { base: echo.line, path: '/', ...post },
    colloquy: { base: url, path: paths, ...post },
  }, { connections, rounds: 3, seconds: 2 });
}
for (const connections of [1, 16, 50]) {
  await compare('The same, compared with the minimal server that stores the same', {
    'node:http and SQLite': { base: minimal.line, path: paths, ...post },
    colloquy: { base: url, path: paths, ...post },
  }, { connections, rounds: 5, seconds: 2 });
}
await minimal.stop();

const echoTime = async (seconds) => {
  const before = processorTime(echo.pid);
  const requests = await rate({ base: echo.line, path: '/', ...post }, { seconds, connections: 16 }) * seconds;
  return (processorTime(echo.pid) - before) / requests;
};

const rowsTime = async (groups) => {
  const store = await openDatabase({ file: join(folder, 'store.db') });
  const now = new Date().toISOString();
  const row = {
    type: 'DiscussionNote', body: JSON.parse(post.body).body, attachment: null, author_id: 1, created_at: now,
    updated_at: now, system: 0, commit_id: null, position: null, resolved_by: null, resolved_at: null,
    fragment: 'x'.repeat(560), dialect: 'document', starts: 1,
  };
  const write = (noteable) => store.write(async (queries) => {
    await addComment(queries, noteable, Infinity);
    await insertNote(queries, { ...row, noteable, discussion_id: randomBytes(20).toString('hex') });
  });
  const before = processorTime(process.pid);
  for (let turn = 0; turn < groups; turn++) {
    await Promise.all(Array.from({ length: 16 }, (_, i) => write(1 + (turn * 16 + i) % 1_000)));
  }
  const spent = processorTime(process.pid) - before;
  await store.close();
  return spent / groups / 16;
};

const micros = (milliseconds) => `${(milliseconds * 1000).toFixed(0)} µs`;
const bare = await echoTime(3);
await served.stop();
await rowsTime(500);
const rows = await rowsTime(2_000);
console.log(`\nProcessor time: ${micros(bare)} of bare node:http for a request, ${micros(rows)} of the store alone`
  + ' for the rows of a thread, 16 in a transaction');
await echo.stop();
rmSync(folder, { recursive: true });
