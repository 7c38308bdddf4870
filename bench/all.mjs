/** Runs all benchmarks that the README lists without further requirements, one after another. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const lists = readFileSync(here('README.md'), 'utf8').match(/^(?: {4}node bench\/.*\n)+/gm);
const [alone, others] = lists.map((list) =>
  [...list.matchAll(/node bench\/(\S+)(?: \[\w+\])* +(.*)/g)].map(([, file, text]) => ({ file, text })));

const failed = alone.filter(({ file, text }) => {
  console.log(`\n== ${file}: ${text}`);
  return spawnSync(process.execPath, [here(file)], { stdio: 'inherit' }).status !== 0;
});
const needs = others.map(({ file, text }) => `${file} (${text.split('; needs ')[1]})`);
console.log(`\nNot run because of further requirements: ${needs.join(', ')}`);
if (failed.length > 0) {
  console.log(`Failed: ${failed.map(({ file }) => file).join(', ')}`);
  process.exitCode = 1;
}
