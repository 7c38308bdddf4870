/**
 * What is derived and committed all the same, because people read it where it lies: the reference in README between
 * its markers, the completions, the manual pages with their list in package.json, the list of operations. `--write`
 * rewrites it, `--check` fails where it is stale. The golden files of the program's output are written by the test that
 * checks them.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { commandReference } from './reference/commands.mjs';
import { operationLines, operationTable } from './reference/operations.mjs';
import { manPages } from './reference/man.mjs';
import { wholeProgram } from './reference/program.mjs';

process.chdir(join(import.meta.dirname, '..'));

const { openApi } = await import('../dist/lib/contract/openapi.js');
const { everyEndpoint } = await import('../dist/lib/contract/contract.js');

/** A text with what stands between two markers replaced. */
const between = (text, name, content) => {
  const [start, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`README.md has no place for ${name}: ${start.trim()} … ${end}`);
  return `${text.slice(0, from + start.length)}\n${content.trim()}\n\n${text.slice(to)}`;
};

const program = await wholeProgram();
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const pages = manPages(program, manifest.version);
const man = Object.keys(pages).map((file) => `./${file}`);

const readme = () => {
  const text = between(readFileSync('README.md', 'utf8'), 'commands', commandReference(program));
  return between(text, 'operations', operationTable(everyEndpoint()));
};

const shells = { bash: 'colloquy.bash', zsh: '_colloquy', fish: 'colloquy.fish', powershell: 'colloquy.ps1' };
const derived = {
  'README.md': readme(),
  'test/golden/operations.txt': operationLines(openApi('')),
  ...pages,
  'package.json': `${JSON.stringify({ ...manifest, man }, null, 2)}\n`,
  ...Object.fromEntries(Object.entries(shells).map(([shell, file]) =>
    [`completions/${file}`, readFileSync(`dist/constant/completion ${shell}`, 'utf8')])),
};

/** Pages of commands that are gone. */
const left = readdirSync('man').map((file) => `man/${file}`).filter((file) => !(file in derived));

const stale = Object.keys(derived).filter((file) => !existsSync(file) || readFileSync(file, 'utf8') !== derived[file]);

const firstDifference = (file) => {
  const before = (existsSync(file) ? readFileSync(file, 'utf8') : '').split('\n');
  const after = derived[file].split('\n');
  const line = after.findIndex((text, index) => text !== before[index]);
  return `${file}:${line + 1}\n- ${before[line] ?? ''}\n+ ${after[line] ?? ''}`;
};

if (process.argv.includes('--write')) {
  for (const file of stale) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, derived[file]);
    console.error(`wrote ${file}`);
  }
  for (const file of left) {
    rmSync(file);
    console.error(`removed ${file}`);
  }
  const tests = join('node_modules', 'vitest', 'vitest.mjs');
  const env = { ...process.env, COLLOQUY_GOLDEN: 'write' };
  const { status } = spawnSync(process.execPath, [tests, 'run', 'test/cli/golden'], { env, stdio: ['ignore', 2, 2] });
  process.exitCode = status ?? 1;
} else if (stale.length + left.length > 0) {
  const what = [...stale.map(firstDifference), ...left.map((file) => `${file} is left over`)];
  console.error(`Derived files are stale; run: npm run reference\n\n${what.join('\n\n')}`);
  process.exitCode = 1;
}
