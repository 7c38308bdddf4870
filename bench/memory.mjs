/**
 * The peak memory of the program while it prints a list of 100,000 threads, and its memory at the first line; neither
 * may grow with the length of the list.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { started } from './child.mjs';

const [bin, stub] = ['../bin/colloquy.cjs', './stub.mjs'].map((path) => fileURLToPath(new URL(path, import.meta.url)));
const settings = mkdtempSync(join(tmpdir(), 'colloquy-bench-'));

const own = { PATH: process.env.PATH, BIN: bin, COLLOQUY_TOKEN: 'token', COLLOQUY_CONFIG_DIR: settings };

/** Runs the program and prints the peak memory of its process to stderr. */
const measured = `
  process.on('exit', () => process.stderr.write(\`\\nmost held: \${process.resourceUsage().maxRSS}\`));
  process.argv.splice(1, 0, process.env.BIN);
  require(process.env.BIN);`;

const run = async (url, ...words) => {
  const start = performance.now();
  const child = spawn(process.execPath, ['-e', measured, '--', 'discussions', 'list', 'mr/12', '-p', '1', ...words], {
    env: { ...own, COLLOQUY_URL: url },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const seen = { lines: 0, first: 0, said: '' };
  child.stdout.on('data', (chunk) => {
    seen.first ||= performance.now() - start;
    for (const byte of chunk) if (byte === 10) seen.lines++;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => { seen.said += text; });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(seen.said);
  const megabytes = Number(/most held: (\d+)/.exec(seen.said)[1]) / 1024;
  return { ...seen, megabytes, seconds: (performance.now() - start) / 1000 };
};

const cases = [['-o', 'ndjson'], ['-o', 'csv'], ['--json'], ['-o', 'ndjson', '--unresolved', '--match', 'Note'],
  ['-o', 'ndjson', '--jq', '.id']];

for (const [threads, counted] of [[1_000, 10_000], [100_000, 10_000], [100_000, 100_000]]) {
  const service = await started(stub, '0', String(threads), String(counted));
  const isCounted = counted < threads ? 'not counted' : 'counted';
  console.log(`\n${threads} threads, ${isCounted} by the service (Node ${process.version})`);
  for (const words of cases) {
    const { lines, first, megabytes, seconds } = await run(service.line, ...words);
    const numbers = [`${megabytes.toFixed(0)} MB`, `first line ${first.toFixed(0)} ms`, `${seconds.toFixed(1)} s`];
    console.log(`  ${words.join(' ').padEnd(42)} ${numbers.join(', ')}, ${lines} lines`);
  }
  await service.stop();
}
rmSync(settings, { recursive: true });
