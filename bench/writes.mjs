/**
 * How many notes a second the server takes, each answered after it is safe from `kill -9`: into a SQLite file, with
 * 1,000 issues in turn; against bare node:http that parses and echoes the same JSON.
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
writeFileSync(join(folder, 'world.json'), JSON.stringify(busyWorld(1_000)));
const served = await started(here('../bin/colloquy.cjs'), 'serve', '--world', join(folder, 'world.json'), '--data',
  join(folder, 'store.db'), '--json');
const { url } = JSON.parse(served.line);
const echo = await started(here('./echo.mjs'));

const post = {
  method: 'POST',
  headers: { ...token, 'content-type': 'application/json' },
  body: JSON.stringify({ body: 'A remark of the length that remarks have, which is about eighty characters.' }),
};
const paths = Array.from({ length: 1_000 }, (_, i) => listOf(i + 1));
for (const connections of [1, 16, 50]) {
  await compare('A thread started, acknowledged when it is kept', {
    'node:http, parse and echo': { base: echo.line, path: '/', ...post },
    colloquy: { base: url, path: paths, ...post },
  }, { connections, rounds: 3, seconds: 2 });
}

await echo.stop();
await served.stop();
rmSync(folder, { recursive: true });
