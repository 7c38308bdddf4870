/**
 * Sends at least 100,000 random requests to every operation, then sequences whose results a simple model predicts.
 * Exits with 1 and the smallest failing sequence.
 *
 *   node bench/fuzz.mjs [--seed N] [--requests N] [--file]     --file stores every world in a SQLite file
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    requests: { type: 'string', default: '100000' },
    file: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
const most = Number(values.requests);

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const caches = here('../node_modules/.cache');
mkdirSync(caches, { recursive: true });
const bundle = join(mkdtempSync(join(caches, 'colloquy-fuzz-')), 'fuzz.mjs');
await build({
  entryPoints: [here('../test/server/model/fuzz.ts')], outfile: bundle, bundle: true, platform: 'node', format: 'esm',
  packages: 'external', logLevel: 'error',
});
const { fuzzRequests, fuzzThreads, fuzzTrees } = await import(pathToFileURL(bundle));
rmSync(join(bundle, '..'), { recursive: true });

const folder = mkdtempSync(join(tmpdir(), 'colloquy-fuzz-'));
let stores = 0;
const options = async () => values.file ? { data: join(folder, `${++stores}.db`) } : {};

const parts = [
  ['requests of a stranger', fuzzRequests, most], ['threads and notes', fuzzThreads, Math.ceil(most / 4)],
  ['trees of epics', fuzzTrees, Math.ceil(most / 4)],
];
let failed = false;
console.log(`\nFuzz, seed ${seed} (Node ${process.version}${values.file ? ', in files' : ''})`);
for (const [name, fuzz, requests] of parts) {
  const statuses = new Map();
  const start = performance.now();
  const show = (count) => {
    if (process.stderr.isTTY) process.stderr.write(`\r  ${name}: ${count} of ${requests} `);
  };
  const finding = await fuzz(seed, requests, options, statuses, show);
  if (process.stderr.isTTY) process.stderr.write('\r');
  const seconds = (performance.now() - start) / 1000;
  const count = [...statuses.values()].reduce((sum, one) => sum + one, 0);
  const rate = (count / seconds).toFixed(0);
  console.log(`  ${name.padEnd(24)} ${String(count).padStart(7)} requests ${rate.padStart(6)} a second`);
  const sorted = [...statuses].sort(([a], [b]) => a - b);
  console.log(`    ${sorted.map(([status, times]) => `${status}: ${times}`).join('  ')}`);
  if (finding) {
    failed = true;
    console.log(`  FAULT, seed ${finding.seed}, path ${finding.path}`);
    console.log(`${finding.problem}\n  after ${finding.sequence}`);
  }
}
rmSync(folder, { recursive: true });
const verdict = failed ? 'faults were found' : 'no fault, no answer late, every success in its shape, the models agree';
console.log(`  ${verdict}`);
process.exit(failed ? 1 : 0);
