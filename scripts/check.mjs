/**
 * Builds, and checks types, lint, the rules about sources and texts, and derived files: `npm run check`. Two steps run
 * at a time. Prints the output of a step only if it fails, and runs all steps to the end.
 */
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

process.chdir(join(import.meta.dirname, '..'));

/** What a step remembers, so that it is quick when little changed; in the folder that the build uses, too. */
const cache = 'node_modules/.cache/colloquy';
mkdirSync(cache, { recursive: true });

const tool = (name, path, ...words) => [join('node_modules', name, path), ...words];

/**
 * In this order, two at a time; the last two read what the build writes. Types, and lint rules that need them, are
 * checked by the native compiler, which is quick; it has no API for the build, which uses the other one. The rules have
 * one worker, which loads that one once.
 */
const steps = [
  ['build', ['scripts/build.mjs']],
  ['lint', tool('oxlint', 'bin/oxlint', '--deny-warnings', '--quiet')],
  ['types', tool('typescript-native', 'bin/tsc', '--noEmit', '--incremental',
    '--tsBuildInfoFile', `${cache}/types.tsbuildinfo`)],
  ['rules', tool('vitest', 'vitest.mjs', 'run', '--project=rules', '--maxWorkers=1')],
  ['derived files', ['scripts/reference.mjs', '--check'], 'build'],
  ['pictures', ['scripts/picture.mjs', '--check'], 'build'],
];

const ended = (child) => new Promise((resolve) => {
  let output = '';
  const read = (text) => { output += text; };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', read);
  child.on('close', (status) => resolve({ status, output }));
});

const failed = [];
const run = async (name, words) => {
  const start = performance.now();
  const { status, output } = await ended(spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] }));
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${status === 0 ? '✓' : '✗'} ${name} (${seconds} s)`);
  if (status === 0) return;
  failed.push(name);
  console.log(`\n${output}`);
};

const runs = new Map();
const queue = steps.values();
const lane = async () => {
  for (const [name, words, earlier] of queue) {
    await runs.get(earlier);
    const running = run(name, words);
    runs.set(name, running);
    await running;
  }
};
await Promise.all([lane(), lane()]);
if (failed.length > 0) {
  console.error(`check failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
