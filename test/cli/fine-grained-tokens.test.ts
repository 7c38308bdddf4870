import { expect, test } from 'vitest';
import { granularScopeError } from '../../src/contract/conventions.js';
import { examined } from '../support/doctor.js';
import { json } from '../support/answers.js';
import { ranIn, usualEnv } from '../support/app.js';
import { everyRow } from '../support/rows.js';
import { testService } from '../support/service.js';
import { acme } from '../support/worlds.js';

const serviceWith = (...permissions: string[]) => testService({ world: {
  ...acme, users: acme.users!.map((user) => user.username !== 'developer' ? user
    : { ...user, tokens: [{ token: 'narrow-token', kind: 'granular', permissions }] }),
} });

const env = { ...usualEnv, COLLOQUY_TOKEN: 'narrow-token' };
const sentence = (permission: string, boundary = 'project') => 'Access denied: This operation requires a fine-grained personal access token with the '
  + `following ${boundary} permissions: [${permission}].`;
const hint = 'use a fine-grained token with the permissions that the service names';

test('each command shows the sentence of the service about a missing permission, and asks for no other login or scope', async () => {
  const service = await serviceWith();
  await everyRow<[string, string[]]>([
    [sentence('Issue Note: Read'), ['notes', 'list', '#1']], [sentence('Issue Note: Create'), ['notes', 'add', '#1', '-m', 'x']],
    [sentence('Merge Request Note: Read'), ['discussions', 'list', '!1']],
    [sentence('Epic: Read', 'group'), ['epics', 'list', '&1']],
    ['Access denied: This operation doesn\'t support fine-grained personal access tokens.', ['appearance', 'get']],
  ], ([, argv]) => argv.join(' '), async ([expected, argv]) => {
    const { code, err } = await ranIn({ service, env }, ...argv, '--json');
    const { error } = JSON.parse(err) as { error: Record<string, unknown> };
    expect(error).toMatchObject({ code: 'forbidden', status: 403, message: expect.stringContaining(expected) as string });
    expect(code).toBe(5);
    expect(error['hint']).toMatch(/^use a (fine-grained token with the permissions that the service names|token of a kind that the service accepts here)$/);
  });
});

test('a token is used for what it may do, also where the service does not say whose it is', async () => {
  const service = await serviceWith('Issue Note: Read', 'Issue Note: Create');
  expect(await ranIn({ service, env }, 'notes', 'add', '#1', '-m', 'Hello')).toMatchObject({ code: 0 });
  expect((await ranIn({ service, env }, 'notes', 'list', '#1')).out).toContain('Hello');
  const login = await ranIn({ service, env: { COLLOQUY_URL: undefined, COLLOQUY_TOKEN: undefined }, stdin: 'narrow-token' },
    'auth', 'login', '--url', 'http://service.test', '--with-token');
  expect(login).toMatchObject({ code: 0, err: expect.stringContaining('user not reported by the service') as string });
  expect(await ranIn({ service, env }, 'auth', 'status', '--json=user,scopes')).toMatchObject({ code: 0, out: '{"user":null,"scopes":null}\n', err: '' });
});

test('doctor does not call the token wrong', async () => {
  const { code, found, of } = await examined({ service: await serviceWith('Project: Read'), env });
  expect([code, found.filter(({ state }) => state === 'fail')]).toEqual([0, []]);
  expect(of('account')).toMatchObject({ state: 'skip', message: `not reported by the service: ${sentence('User: Read', 'user')}` });
  expect(of('project there')).toMatchObject({ state: 'ok' });
  expect(of('group there')).toMatchObject({ state: 'warn', message: `acme: ${sentence('Group: Read', 'group')}`, hint });
});

test('the sentence of the service cannot act on the terminal', async () => {
  const answer = () => json(403, { error: granularScopeError, error_description: 'Access denied: \x1b[2J permissions: [x]' });
  const { err } = await ranIn({ answer, terminal: true }, 'notes', 'list', '#1');
  expect(err).toContain('Access denied: ');
  expect(err).not.toContain('\x1b[2J');
});
