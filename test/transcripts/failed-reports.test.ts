import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ended, newHome, programWords, served } from '../support/program.js';
import { everyRow } from '../support/rows.js';

const sarif = (run: object) => JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'lint' } }, ...run }] });
const result = { level: 'note', message: { text: 'kept' }, locations: [{ physicalLocation: { artifactLocation: { uri: 'a.js' }, region: { startLine: 1 } } }] };
const failed = { executionSuccessful: false, toolExecutionNotifications: [{ level: 'error', message: { text: 'out of memory' } }] };

/** What the author of a merge request makes a linter leave behind, with the words that the job has to show. */
const reports: readonly (readonly [name: string, format: string, report: string, reason: string])[] = [
  ['junit', 'junit', '<testsuites failures="3"><testsuite failures="3"/></testsuites>', '3 failed tests counted, 0 reported'],
  ['junit suite', 'junit', '<testsuites><testsuite><error message="cannot import app"/></testsuite></testsuites>', 'cannot import app'],
  ['checkstyle', 'checkstyle', '<checkstyle><file name="a.java"><exception>cannot parse</exception></file></checkstyle>', 'cannot parse'],
  ['eslint', 'eslint', '[{"filePath":"a.js","messages":[],"errorCount":2,"warningCount":0}]', '2 errors counted, 0 reported'],
  ['sarif', 'sarif', sarif({}), 'expected a list of results, got nothing'],
  ['sarif beside', 'sarif', sarif({ results: [], externalPropertyFileReferences: { results: [{ location: { uri: 'b.sarif' } }] } }), 'b.sarif is not read'],
  ['sarif error', 'sarif', sarif({ results: [], invocations: [{ ...failed, executionSuccessful: true }] }), 'out of memory'],
  ['sarif failed', 'sarif', sarif({ results: [], invocations: [failed] }), 'out of memory'],
];

it('the report of a failed run resolves no thread, and the job fails', async () => {
  const { home, env } = newHome();
  const { url } = await served([], env, home);
  const settings = { ...env, COLLOQUY_URL: url, COLLOQUY_TOKEN: 'ada-token', COLLOQUY_PROJECT: 'acme/app' };
  const run = (...words: string[]) => {
    const [command, ...first] = programWords;
    return ended(spawn(command, [...first, ...words], { cwd: home, env: settings, stdio: ['ignore', 'pipe', 'pipe'] }));
  };
  const post = (format: string, report: string, ...words: string[]) => {
    writeFileSync(join(home, 'report'), report);
    return run('notes', 'post', 'mr/12', '--from', format, '--key', 'lint', '--filter', 'all', ...words, '--', 'report');
  };
  const states = async () => (await run('discussions', 'list', 'mr/12', '--match', 'blocker', '--json', 'state', '-q', '.[].state')).out;
  await post('lines', 'src/a.js:1: error: blocker\n');
  const open = await states();
  expect(open).toBe('open\n');
  await everyRow(reports, ([name]) => name, async ([, format, report, reason]) => {
    expect(await post(format, report)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(reason) as string });
  });
  const failing = sarif({ results: [result], invocations: [failed] });
  expect(await post('sarif', failing)).toMatchObject({
    code: 2, out: expect.stringContaining('created') as string, err: expect.stringContaining('out of memory') as string });
  expect(await post('sarif', failing, '--allow-failed-run')).toMatchObject({ code: 0, err: expect.stringContaining('out of memory') as string });
  expect(await states()).toBe(open);
  await post('sarif', sarif({ results: [] }));
  expect(await states()).toBe('resolved\n');
});
