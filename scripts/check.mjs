/**
 * Builds, and checks types, lint, the rules about sources and texts, and derived files: `npm run check`. What can run
 * beside the build does. Prints the output of a step only if it fails, and runs all steps to the end.
 */
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

process.chdir(join(import.meta.dirname, '..'));

/** What a step remembers, so that it is quick when little changed; in the folder that the build uses, too. */
const cache = 'node_modules/.cache/colloquy';
mkdirSync(cache, { recursive: true });

const node = (script, ...words) => [process.execPath, [script, ...words]];
const tool = (name, path, ...words) => node(join('node_modules', name, path), ...words);

const lint = (folder, ...words) => tool('eslint', 'bin/eslint.js', folder, ...words, '--cache',
  '--cache-location', `${cache}/lint-${folder}`, '--cache-strategy', 'content');

const steps = {
  build: node('scripts/build.mjs'),
  types: tool('typescript', 'bin/tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', `${cache}/types.tsbuildinfo`),
  'lint of tests': lint('test'),
  'lint of sources': lint('.', '--ignore-pattern', 'test'),
  rules: tool('vitest', 'vitest.mjs', 'run', '--project', 'rules', ...process.argv.slice(2)),
  'derived files': node('scripts/reference.mjs', '--check'),
  pictures: node('scripts/picture.mjs', '--check'),
};

const ended = (child) => new Promise((resolve) => {
  let output = '';
  const read = (text) => { output += text; };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', read);
  child.on('error', (error) => { output += error.message; });
  child.on('close', (status) => resolve({ status, output }));
});

const failed = [];
const run = async (name) => {
  const start = performance.now();
  const [command, words] = steps[name];
  const { status, output } = await ended(spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'] }));
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${status === 0 ? '✓' : '✗'} ${name} (${seconds} s)`);
  if (status !== 0) {
    failed.push(name);
    console.log(`\n${output}`);
  }
};

/** Types and lint read sources alone; the steps after the build read what it writes. */
const inTurn = async (names) => {
  for (const name of names) await run(name);
};
await Promise.all([
  inTurn(['build', 'rules', 'derived files', 'pictures', 'lint of sources']), inTurn(['types', 'lint of tests']),
]);
if (failed.length > 0) {
  console.error(`check failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
