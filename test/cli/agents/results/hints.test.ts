import { expect, it } from 'vitest';
import { run } from '../../../../src/cli/run.js';
import { ConnectionError } from '../../../../src/client/errors.js';
import { testApp, type WorldOptions } from '../../../support/app.js';

/** The hint of a command that an agent calls. */
const hintOf = async (options: WorldOptions, ...argv: string[]): Promise<unknown> => {
  const { app } = await testApp(options);
  let printed = '';
  const err = { ...app.err, write: async (text: string) => { printed += text; } };
  await run(argv, { ...app, err, agent: { approve: () => undefined, drafts: new Set<number>() } });
  return (JSON.parse(printed) as { error: { hint: unknown } }).error.hint;
};

it.each<readonly [string, WorldOptions, readonly string[]]>([
  ['move the image to the folder of this file', { files: { 'a/page.yaml': 'logo: ../x.png', 'x.png': 'image' } }, ['appearance', 'apply', 'a/page.yaml']],
  ['correct it', { files: { 'tree.yaml': '- title: "#7"\n' } }, ['epics', 'apply', 'epic/1', 'tree.yaml']],
  ['pass it with its project, such as acme/app!12; git remote origin points to github.com, not to http://service.test',
    { env: { COLLOQUY_PROJECT: '' }, remotes: [{ name: 'origin', url: 'git@github.com:acme/app.git' }] }, ['notes', 'list', 'mr/1']],
])('an agent has no options: %s', async (hint, options, argv) => {
  expect(await hintOf(options, ...argv)).toBe(hint);
});

it.each<readonly [string, WorldOptions, readonly string[]]>([
  ['log in with `colloquy auth login`, or set COLLOQUY_TOKEN', { env: { COLLOQUY_TOKEN: '' } }, ['notes', 'list', 'mr/1']],
  ['check COLLOQUY_URL and the network', { env: { COLLOQUY_URL: 'http://service.test' },
    answer: () => { throw new ConnectionError('down', 'GET /', 'ENOTFOUND', false); } }, ['notes', 'list', 'mr/1', '--retries', '0']],
])('what the user can do stays: %s', async (hint, options, argv) => {
  expect(await hintOf(options, ...argv)).toBe(hint);
});
