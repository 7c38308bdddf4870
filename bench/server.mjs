/**
 * Requests per second for a page of 20 threads with 3 notes each, out of 100,000 notes in a SQLite file: one page, and
 * all pages in turn. Compared with node:http that returns the same bytes.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { started } from './child.mjs';
import { compare } from './load.mjs';
import { busyWorld, listOf, token } from './worlds.mjs';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'colloquy-bench-'));
const issues = 1_667;
const files = Object.fromEntries(['world.json', 'store.db', 'body.json'].map((name) => [name, join(folder, name)]));
writeFileSync(files['world.json'], JSON.stringify(busyWorld(issues)));

const served = await started(here('../bin/colloquy.cjs'), 'serve', '--world', files['world.json'], '--data',
  files['store.db'], '--json');
const { url } = JSON.parse(served.line);
const answer = await fetch(url + listOf(1), { headers: token });
const body = Buffer.from(await answer.arrayBuffer());
if (answer.status !== 200 || JSON.parse(body).length !== 20) throw new Error(`answered ${answer.status}: ${body}`);
writeFileSync(files['body.json'], body);
const hop = ['connection', 'keep-alive', 'date', 'transfer-encoding'];
const headers = Object.fromEntries([...answer.headers].filter(([name]) => !hop.includes(name)));
const raw = await started(here('./raw.mjs'), files['body.json'], JSON.stringify(headers));

await compare(`A page of 20 threads with 3 notes, ${body.length} bytes, out of ${issues * 60} notes`, {
  'node:http, same bytes': { base: raw.line, path: '/' },
  'colloquy, one page': { base: url, path: listOf(1), headers: token },
  'colloquy, every page in turn': {
    base: url, path: Array.from({ length: issues }, (_, i) => listOf(i + 1)), headers: token,
  },
});

await raw.stop();
await served.stop();
rmSync(folder, { recursive: true });
