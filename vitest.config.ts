import { join } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { builtCode } from './test/built/plugin.js';
import { standalonePlaces } from './test/support/standalone.js';
import { missingTools } from './test/support/tools.js';

/** A test that expects nothing fails, but for those that write what others compare. */
const isWriting = process.env['COLLOQUY_GOLDEN'] === 'write';

/** What a test waits for comes when a busy machine gets to it: each wait has the time of its test, less a third. */
const limits = {
  testTimeout: 60_000, hookTimeout: 60_000,
  expect: { requireAssertions: !isWriting, poll: { timeout: 40_000 } },
};

/**
 * Node.js 20 optimizes functions that ran often; in most tests they end soon after that. With four times the usual
 * count, a run takes a tenth less processor time. Newer ones do not know the flag.
 */
const lateOptimizing = process.version.startsWith('v20.') ? ['--interrupt-budget=270000'] : [];

type Options = NonNullable<TestProjectInlineConfiguration['test']>;

const project = (name: string, include: readonly string[], more: Options = {}): TestProjectInlineConfiguration =>
  ({ test: {
    name, include: [...include], ...limits, execArgv: lateOptimizing,
    sequence: { shuffle: { files: true, tests: false } }, ...more,
  } });

/** Each worker loads the sources once, for all of its files, and keeps what a test uses out of the old generation. */
const sharedWorkers: Options = {
  pool: 'forks', isolate: false, execArgv: ['--max-semi-space-size=64', ...lateOptimizing],
};

/** These mock modules, or change timers, globals, the environment or the folder, which others in a worker would see. */
const isolated = [
  'test/cli/notes/position/job-lines.test.ts', 'test/cli/service/connection/client/connect.test.ts',
  'test/cli/terminal/io/tools.test.ts', 'test/client/{fake-timers,odd-bodies}.test.ts',
  'test/client/pages.test.ts', 'test/wire/faked-time.test.ts',
  'test/client/transport/{deadlines,undici,undici/undici-agent}.test.ts', 'test/server/hardening/{json,tokens}.test.ts',
  'test/server/hooks/{send,timeout}.test.ts', 'test/server/http/{bodies,request-log}.test.ts',
  'test/server/store/filled-later.test.ts',
  'test/walks.test.ts',
];

/** These start programs: from a worker that holds the worlds of many tests, each start takes several times as long. */
const startingPrograms = [
  'test/docs.test.ts', 'test/{docs,launcher}/*.test.ts', 'test/transcripts/transcripts.test.ts',
  'test/cli/{main,commands/completion}.test.ts', 'test/cli/commands/discussions/suggestions.test.ts',
  'test/cli/commands/notes/post-sequence.test.ts', 'test/cli/help/completions/*.test.ts',
  'test/cli/notes/{fixes,proofs,suggestions}/**/*.test.ts', 'test/cli/notes/findings/tools.test.ts',
  'test/cli/terminal/io/{files,git,named-files}.test.ts', 'test/server/store/processes.test.ts',
];

/** These need a tool. */
const atTerminal = 'test/pty/*.test.ts';
const inBrowser = 'test/browser/*.test.ts';
const byNewerNodes = 'test/newer-nodes.test.ts';
const ofPostgres = 'test/server/store/postgres/'
  + '{connections,connections/*,database,killed,open,pooled,same-answers,together,turns}.test.ts';

/** These start many programs, or wait for real limits of time. */
const slow = [
  'test/docs/{nightly,pipelines,review-bot,testing-with-serve}.test.ts',
  'test/hostile.test.ts',
  'test/launcher/{derived-types,earlier-version,editor,launcher,library,loading,manual,package}.test.ts',
  'test/recording/python-gitlab.test.ts', 'test/scripts/release.test.ts', 'test/server/hardening/slow.test.ts',
  'test/server/hooks/killed.test.ts', 'test/server/store/locked.test.ts',
  'test/templates/*.test.ts', 'test/transcripts/!(transcripts).test.ts',
];

/** `npm run test:all` runs them, and `npm test` does not. */
const onlyInAll = [atTerminal, inBrowser, byNewerNodes, ofPostgres, ...slow];
const elsewhere = ['test/rules/**', 'test/built/**', 'test/standalone/**'];

const shared = project('shared', ['test/**/*.test.ts'],
  { ...sharedWorkers, exclude: [...elsewhere, ...isolated, ...startingPrograms, ...onlyInAll] });

const withPrograms = project('with programs', startingPrograms, { pool: 'forks', isolate: false, exclude: onlyInAll });

/** Rules about sources and texts, for `npm run check`. */
const rules = project('rules', ['test/rules/*.test.ts'], sharedWorkers);

/** What is stored and read back can differ on another store: the tests of handlers and of the store run once more. */
const onPostgres = project('on PostgreSQL', [
  ofPostgres, 'test/server/store/database.test.ts', 'test/server/service.test.ts', 'test/conformance/service.test.ts',
  'test/server/{control,handlers,repositories}/**/*.test.ts',
  'test/server/hardening/{splitting,stopping,values}.test.ts',
  'test/server/model/{requests,threads,together,trees}.test.ts',
], { globalSetup: ['test/support/postgres-run.ts'] });

/** What ships is bundled, minified and loaded lazily: the commands run in memory once more, on the built code. */
const onBuiltCode: TestProjectInlineConfiguration = {
  ...project('on the built code', ['test/built/*.test.ts', 'test/cli/commands/**/*.test.ts'], {
    globalSetup: ['test/built/build.ts'],
  }),
  plugins: [builtCode()],
};

/** Transcripts and pages once more, by the one file that needs no Node, without Node on the path. */
const onStandalone = project('on the standalone program',
  ['test/standalone/*.test.ts', 'test/docs.test.ts', 'test/transcripts/transcripts.test.ts'], {
    globalSetup: ['test/standalone/setup.ts'],
    env: { COLLOQUY_TEST_PROGRAM: standalonePlaces.program, COLLOQUY_TEST_PATH: standalonePlaces.path },
  });

const slowProjects = (): TestProjectInlineConfiguration[] => {
  const missing = missingTools();
  const programs = [
    ...slow, ...missing.has('a terminal') ? [] : [atTerminal], ...missing.has('Chromium') ? [] : [inBrowser],
    ...missing.has('newer Nodes') ? [] : [byNewerNodes],
  ];
  return [
    project('slow', programs), onBuiltCode, ...missing.has('the standalone program') ? [] : [onStandalone],
    ...missing.has('PostgreSQL') ? [] : [onPostgres],
  ];
};

/** A folder for the results of each run as JSON, beside what is printed: CI counts them. */
const results = process.env['COLLOQUY_TEST_RESULTS'];

/** A file in which each test file writes the functions of `src` that it calls: `npm run mutants` asks for it. */
const setupFiles = process.env['COLLOQUY_TEST_CALLS'] === undefined ? [] : ['test/mutants/called.ts'];

/** `--mode all` is the whole of it, for `npm run test:all`: more projects, with all rows of their matrices. */
export default defineConfig(({ mode }) => {
  const isAll = mode === 'all';
  const provide = { extent: isAll ? 'all' as const : 'quick' as const };
  const projects = [rules, shared, withPrograms, project('isolated', isolated), ...isAll ? slowProjects() : []];
  return {
    test: {
      // Two cores: programs that tests start leave time to a third.
      maxWorkers: 3,
      // The built code replaces imports, of which the cache knows nothing.
      experimental: { fsModuleCache: !isAll, fsModuleCachePath: 'node_modules/.cache/colloquy/modules' },
      ...results !== undefined && {
        reporters: ['default', ['json', { outputFile: join(results, `${process.pid}.json`) }]],
      },
      projects: projects.map((one) => ({ ...one, test: { ...one.test, provide, setupFiles } })),
    },
  };
});
