import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { apply, placeOf, restore } from './mutants/place.mjs';
import { calledIn, passes, runsOf, testsOf, wholeSuite } from './mutants/suites.mjs';

/**
 * Tells which mutants the tests find: `npm run mutants [-- --only 3,17] [--suite all] [--tree FOLDER]`. Each is one
 * changed line of src, in a clone of the last commit. The tests in memory that call its function run first, the
 * quickest before others, and then the whole suite, up to the first failure. Exits with 1 if a mutant is not found
 * that test/mutants/mutants.json says is found, or if its line is gone: it then needs another.
 */
const root = join(import.meta.dirname, '..');
const { values } = parseArgs({ options: {
  only: { type: 'string' }, suite: { type: 'string', default: 'test' }, tree: { type: 'string' },
} });
const listed = JSON.parse(readFileSync(join(root, 'test/mutants/mutants.json'), 'utf8'));
const chosen = values.only?.split(',').map(Number);
const mutants = listed.filter(({ id }) => chosen?.includes(id) ?? true);

/** A clone of the last commit with its packages and its build. */
const cloned = () => {
  const tree = mkdtempSync(join(tmpdir(), 'mutants-'));
  const quietly = { cwd: tree, stdio: ['ignore', 'ignore', 'inherit'] };
  execFileSync('git', ['clone', '--quiet', root, tree], quietly);
  execFileSync('npm', ['ci'], quietly);
  execFileSync('npm', ['run', 'build'], quietly);
  return tree;
};

/** Whether a run fails on the changed tree. The whole suite runs only if it is expected to fail. */
const isFound = async (tree, tests, isExpected) => {
  for (const command of [...runsOf(tests), ...isExpected ? [wholeSuite(values.suite)] : []]) {
    if (!await passes(tree, command)) return true;
  }
  return false;
};

const expected = values.suite === 'all' ? ['test', 'all'] : ['test'];

const judge = async (tree, called, mutant) => {
  const place = placeOf(tree, mutant);
  if (place === null) return 'gone';
  const isExpected = expected.includes(mutant.found);
  apply(tree, place, mutant);
  try {
    const tests = testsOf(called, { ...mutant, file: place.file });
    return await isFound(tree, tests, isExpected) ? 'found' : isExpected ? 'MISSED' : 'not found, as before';
  } finally {
    restore(tree, place);
  }
};

const tree = values.tree ?? cloned();
const results = new Map();
try {
  const called = await calledIn(tree);
  for (const mutant of mutants) {
    const start = performance.now();
    const result = await judge(tree, called, mutant);
    results.set(mutant.id, result);
    const seconds = Math.round((performance.now() - start) / 1000);
    console.log(`${mutant.id}\t${result}\t${seconds} s\t${mutant.file}\t${mutant.function}\t${mutant.kind}`);
  }
} finally {
  if (values.tree === undefined) rmSync(tree, { recursive: true, force: true });
}
const counts = {};
for (const result of results.values()) counts[result] = (counts[result] ?? 0) + 1;
console.log(Object.entries(counts).map(([result, count]) => `${count} ${result}`).join(', '));
process.exitCode = counts.MISSED === undefined && counts.gone === undefined ? 0 : 1;
