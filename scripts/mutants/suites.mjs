import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const inMemory = ['shared', 'with programs', 'isolated'].flatMap((name) => ['--project', name]);
const vitest = (...words) => ['npx', 'vitest', 'run', '--bail=1', '--reporter=dot', ...words];

/** Ends a run that a mutant made endless, in milliseconds; the first run records all calls, and takes longer. */
const limit = 1_800_000;

/** Whether a command ends with exit code 0. */
export const passes = async (tree, [command, ...words], { env = {}, stdio = 'ignore' } = {}) => {
  const child = spawn(command, words, { cwd: tree, stdio, detached: true, env: { ...process.env, ...env } });
  const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), limit);
  const [status] = await once(child, 'exit');
  clearTimeout(timer);
  return status === 0;
};

/** Runs the tests in memory once, and returns what each file of them called, with the seconds that it took. */
export const calledIn = async (tree) => {
  const folder = join(tree, 'node_modules/.cache/colloquy/calls');
  const file = join(folder, 'called.ndjson');
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true });
    const options = { env: { COLLOQUY_TEST_CALLS: folder }, stdio: ['ignore', 2, 2] };
    if (!await passes(tree, vitest(...inMemory), options)) throw new Error('the tests fail without a mutant');
  }
  return readFileSync(file, 'utf8').trim().split('\n').map((line) => JSON.parse(line))
    .map(({ test, seconds, called }) => ({ test, seconds, called: new Set(called) }));
};

/** The tests in memory that can find a mutant, the quickest first: those that call its function, or else its file. */
export const testsOf = (called, { file, function: name }) => {
  const callsOf = (isCall) => called.filter((one) => [...one.called].some(isCall));
  const ofFunction = callsOf((one) => one === `${file} ${name}`);
  const found = ofFunction.length > 0 ? ofFunction : callsOf((one) => one.startsWith(`${file} `));
  return found.toSorted((one, other) => one.seconds - other.seconds).map(({ test }) => test);
};

/** Runs of these tests, the quickest in a run of their own. */
export const runsOf = (tests) => [tests.slice(0, 4), tests.slice(4, 30), tests.slice(30)]
  .filter((some) => some.length > 0).map((some) => vitest(...inMemory, ...some));

/** `npm test` or `npm run test:all`, up to the first failure. */
export const wholeSuite = (suite) => ['npm', 'run', suite === 'all' ? 'test:all' : 'test', '--', '--bail=1'];
