import { defineConfig } from 'vitest/config';
import { builtCode } from './test/built/build.js';
import { chromium } from './test/support/browser-programs.js';
import { newerNodes } from './test/support/newer-nodes.js';
import { postgresPrograms } from './test/support/postgres.js';
import { standalonePlaces, standaloneProgram } from './test/support/standalone.js';
import { terminalPrograms } from './test/support/terminal-programs.js';

/** A test that expects nothing fails, but for those that write what others compare. */
const isWriting = process.env['COLLOQUY_GOLDEN'] === 'write';
/** What a test waits for comes when a busy machine gets to it: each wait has the time of its test, less a third. */
const limits = {
  testTimeout: 60_000, hookTimeout: 60_000,
  expect: { requireAssertions: !isWriting, poll: { timeout: 40_000 } },
};
const ofPostgres =
  'test/server/store/postgres/{connections,database,killed,open,pooled,same-answers,session,together,turns}.test.ts';
const atTerminal = 'test/pty/*.test.ts';
const byNewerNodes = 'test/newer-nodes.test.ts';
const inBrowser = 'test/browser/*.test.ts';
const hasBrowser = chromium() !== undefined;
const hasTerminal = terminalPrograms().length > 0;
const hasNewerNodes = newerNodes().length > 0;
const everything = {
  name: 'tests',
  include: ['test/**/*.test.ts'],
  exclude: [
    'test/built/**', 'test/standalone/**', ofPostgres, ...(hasTerminal ? [] : [atTerminal]),
    ...(hasNewerNodes ? [] : [byNewerNodes]), ...(hasBrowser ? [] : [inBrowser]),
  ],
  ...limits,
};

/** What is answered is the same on every store: the tests of answers run here once more. */
const onPostgres = {
  name: 'on PostgreSQL',
  include: [ofPostgres, 'test/server/store/pipelined.test.ts', 'test/server/*.test.ts',
    'test/conformance/service.test.ts',
    'test/server/{api,http,control,handlers,isolated-worlds,repositories}/**/*.test.ts',
    'test/server/serializers/{appearance,epic}.test.ts',
    'test/server/hardening/{markdown,splitting,stopping,tokens,values}.test.ts',
    'test/server/model/{requests,threads,together,trees}.test.ts'],
  exclude: ['test/server/http/{bodies,delivery,exchange,hosts,listen,unparsed}.test.ts'],
  globalSetup: ['test/support/postgres-run.ts'],
  ...limits,
};

/** What ships is bundled, minified and loaded lazily: the commands run in memory once more, on the built code. */
const onBuiltCode = {
  name: 'on the built code',
  include: ['test/built/*.test.ts', 'test/cli/commands/**/*.test.ts',
    'test/cli/{exit-codes,mistakes,odd-answers,run,secrets}.test.ts', 'test/cli/help/completions/{bash,fish}.test.ts',
    'test/cli/service/doctor/{examine,service,settings,token}.test.ts',
    'test/server/handlers/{appearance,discussions}/handlers.test.ts', 'test/server/handlers/epics/children.test.ts',
    'test/server/handlers/lookups/{commits,containers,diffs,handlers,issuables}.test.ts',
    'test/server/serializers/epic.test.ts'],
  globalSetup: ['test/built/build.ts'],
  ...limits,
};

/** The transcripts of the documentation once more, by the one file that needs no Node, without Node on the path. */
const onStandalone = {
  name: 'on the standalone program',
  include: ['test/standalone/*.test.ts', 'test/docs.test.ts', 'test/transcripts/transcripts.test.ts'],
  globalSetup: ['test/standalone/setup.ts'],
  env: { COLLOQUY_TEST_PROGRAM: standalonePlaces.program, COLLOQUY_TEST_PATH: standalonePlaces.path },
  ...limits,
};

const hasStandalone = standaloneProgram() !== undefined;
if (!hasStandalone) {
  const missing = 'it is not built as it is now (npm run standalone)';
  if (process.env['COLLOQUY_TEST_STANDALONE'] === 'required') throw new Error(`no standalone program: ${missing}`);
  process.stderr.write(`Tests on the standalone program are skipped: ${missing}\n`);
}

const hasPostgres = postgresPrograms() !== undefined;
if (!hasPostgres) {
  const missing = 'PostgreSQL is not installed (Debian: apt-get install postgresql)';
  if (process.env['COLLOQUY_TEST_POSTGRES'] === 'required') throw new Error(missing);
  process.stderr.write(`Tests on PostgreSQL are skipped: ${missing}\n`);
}

if (!hasTerminal) {
  const missing = 'neither tmux nor script is installed (Debian: apt-get install tmux)';
  if (process.env['COLLOQUY_TEST_TERMINAL'] === 'required') throw new Error(missing);
  process.stderr.write(`Tests at a terminal are skipped: ${missing}\n`);
}

if (!hasBrowser) {
  const missing = 'Chromium is not installed (Debian: apt-get install chromium)';
  if (process.env['COLLOQUY_TEST_BROWSER'] === 'required') throw new Error(missing);
  process.stderr.write(`Tests in a browser are skipped: ${missing}\n`);
}

if (!hasNewerNodes && process.getBuiltinModule('node:sqlite') === undefined) {
  const missing = 'this Node has none, and COLLOQUY_TEST_NODES names no newer one';
  process.stderr.write(`Tests on node:sqlite are skipped: ${missing}\n`);
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      { test: everything },
      { test: onBuiltCode, plugins: [builtCode()] },
      ...(hasStandalone ? [{ test: onStandalone }] : []),
      ...(hasPostgres ? [{ test: onPostgres }] : []),
    ],
  },
});
