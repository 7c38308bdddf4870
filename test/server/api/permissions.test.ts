import { expect, it } from 'vitest';
import type { World } from '../../../src/server/world-file/schema.js';
import { everyRow } from '../../support/rows.js';
import { testService } from '../../support/service.js';

const granular = (name: string, ...permissions: string[]) => ({ token: `${name}-token`, kind: 'granular' as const, permissions });

const world = (version = '19.5'): World => ({
  settings: { version },
  users: [
    { id: 1, username: 'root', admin: true, token: 'root-token', tokens: [granular('none'), granular('rootReader', 'Project: Read')] },
    {
      id: 2, username: 'ada', token: 'ada-token', tokens: [
        granular('reader', 'Epic Note: Read', 'Issue Note: Read', 'Metadata: Read'), granular('writer', 'Issue Note: Create', 'Issue Note: Update'),
        granular('drafter', 'Merge Request Draft Note: Publish'), granular('caller', 'User: Read'),
      ],
    },
  ],
  groups: [
    { id: 10, path: 'acme', members: { ada: 'developer' }, epics: [{ id: 500, iid: 1, discussions: [{}] }] },
    { id: 11, path: 'strict', visibility: 'public', enforce_granular_tokens: true },
    { id: 12, path: 'strict/sub', visibility: 'public' }, { id: 13, path: 'closed', enforce_granular_tokens: true },
  ],
  projects: [
    { id: 20, path: 'acme/app', issues: [{ iid: 1, discussions: [{}] }], merge_requests: [{ iid: 1 }] },
    { id: 21, path: 'strict/sub/app', visibility: 'public', issues: [{ iid: 1 }],
      merge_requests: [{ iid: 1, discussions: [{ notes: [{ id: 7, author: 'ada', body: 'Look.' }] }] }] }, { id: 22, path: 'hidden/app', issues: [{ iid: 1 }] },
  ],
});

const denied = (sentence: string) =>
  ({ status: 403, body: { error: 'insufficient_granular_scope', error_description: `Access denied: ${sentence}` } });
const needs = (boundary: string, permission: string) => denied(
  `This operation requires a fine-grained personal access token with the following ${boundary} permissions: [${permission}].`);

const [epic, issue, mergeRequest] = ['/groups/acme/epics/500', '/projects/20/issues/1', '/projects/acme%2Fapp/merge_requests/1'];

it('a fine-grained token may do what its permissions name, and nothing else', async () => {
  const { call } = await testService({ world: world() });
  await everyRow([
    ['reader', 'GET', `${epic}/notes`, 200], ['reader', 'GET', `${epic}/discussions`, 200], ['reader', 'GET', `${issue}/discussions`, 200],
    ['reader', 'GET', '/version', 200], ['reader', 'GET', '/metadata', 200], ['caller', 'GET', '/user', 200],
    ['reader', 'GET', '/user', needs('user', 'User: Read')], ['caller', 'GET', '/version', needs('instance', 'Metadata: Read')],
    ['reader', 'POST', `${issue}/notes`, needs('project', 'Issue Note: Create')],
    ['writer', 'POST', `${issue}/discussions`, 201], ['writer', 'GET', `${issue}/discussions`, needs('project', 'Issue Note: Read')],
    ['writer', 'GET', `${epic}/notes`, needs('group', 'Epic Note: Read')],
    ['drafter', 'POST', `${mergeRequest}/draft_notes/bulk_publish`, 204],
    ['drafter', 'GET', `${mergeRequest}/draft_notes`, needs('project', 'Merge Request Draft Note: Read')],
    ['drafter', 'PUT', '/suggestions/1/apply', needs('project', 'Suggestion: Apply')],
    ['drafter', 'GET', '/projects/20', needs('project', 'Project: Read')], ['drafter', 'GET', '/projects', needs('user', 'Project: Read')],
    ['none', 'GET', '/application/appearance', denied('This operation doesn\'t support fine-grained personal access tokens.')],
    ['none', 'GET', '/groups/10/epics/1/epics', needs('group', 'Epic: Read')],
    ['rootReader', 'GET', '/projects/20?sudo=ada', { status: 403, body: { error: 'insufficient_scope', scope: 'sudo' } }],
  ] as const, ([as, method, path]) => `${as}: ${method} ${path}`, async ([as, method, path, expected]) => {
    const got = await call(method, path, { as, ...method === 'POST' && { json: { body: 'x' } } });
    expect(got).toMatchObject(typeof expected === 'number' ? { status: expected } : expected);
  });
});

it('a missing permission is reported before errors about parameters, whatever the caller may do', async () => {
  const { call } = await testService({ world: world() });
  expect(await call('POST', `${issue}/notes`, { as: 'reader', json: {} })).toMatchObject(needs('project', 'Issue Note: Create'));
});

it('a project or group that the user cannot see is hidden from its fine-grained tokens from 19.4 on', async () => {
  await everyRow([['19.3', needs('project', 'Issue Note: Read')], ['19.4', { status: 404, body: { message: '404 Not Found' } }]] as const,
    ([version]) => version, async ([version, expected]) => {
      const { call } = await testService({ world: world(version) });
      for (const id of ['22', 'hidden%2Fapp', '99', 'no%2Fsuch']) {
        expect(await call('GET', `/projects/${id}/issues/1/discussions`, { as: 'writer' })).toMatchObject(expected);
      }
    });
});

it('older versions do not support fine-grained tokens yet', async () => {
  const { call } = await testService({ world: world('18.6') });
  expect(await call('GET', `${epic}/notes`, { as: 'reader' }))
    .toMatchObject(denied('Fine-grained personal access tokens are not yet supported.'));
  expect((await call('GET', '/projects/21/issues/1/notes', { as: 'ada' })).status, 'enforced nowhere').toBe(200);
});

it('below a group that enforces fine-grained tokens, others get the same refusal', async () => {
  const { call } = await testService({ world: world() });
  await everyRow([
    ['ada', '/projects/21/issues/1/discussions', needs('project', 'Issue Note: Read')], ['root', '/groups/strict%2Fsub', needs('group', 'Group: Read')],
    ['reader', '/projects/strict%2Fsub%2Fapp/issues/1/discussions', { status: 200 }],
    ['ada', '/projects/20/issues/1/discussions', { status: 200 }], ['ada', '/projects', { status: 200 }],
    ['ada', '/merge_requests?scope=all', { status: 200, body: expect.arrayContaining([expect.objectContaining({ project_id: 21 })]) }],
    ['ada', '/groups/STRICT', needs('group', 'Group: Read')],
    ['ada', '/groups/closed', { status: 404, body: { message: '404 Group Not Found' } }],
  ] as const, ([as, path]) => `${as}: ${path}`, async ([as, path, expected]) => expect(await call('GET', path, { as })).toMatchObject(expected));
});

it('suggestions are below the group of their merge request', async () => {
  const { put } = await testService({ world: world() });
  const refused = needs('project', 'Suggestion: Apply');
  expect(await put('/suggestions/7000/apply', { as: 'ada' })).toMatchObject(refused);
  for (const ids of [[7000], '7000,1']) expect(await put('/suggestions/batch_apply', { as: 'ada', json: { ids } })).toMatchObject(refused);
  expect((await put('/suggestions/batch_apply', { as: 'ada', json: { ids: [1] } })).status).toBe(404);
  expect((await put('/suggestions/batch_apply', { as: 'ada', json: {} })).body).toEqual({ error: 'ids is missing' });
});

it('a cached response of one token is none of another of the same user', async () => {
  const { call } = await testService({ world: world() });
  for (const _ of [1, 2]) expect((await call('GET', `${issue}/discussions`, { as: 'reader' })).status).toBe(200);
  expect((await call('GET', `${issue}/discussions`, { as: 'writer' })).status).toBe(403);
});

it('a dump has the permissions of tokens and the groups that enforce them', async () => {
  const { call, get } = await testService({ world: world() });
  const { body, text } = await get<World>('/-/world');
  expect(body.users![0]!.tokens).toContainEqual(expect.objectContaining({ kind: 'granular', permissions: ['Project: Read'] }));
  expect(body.groups!.map(({ enforce_granular_tokens }) => enforce_granular_tokens)).toEqual([undefined, true, undefined, true]);
  expect((await call('PUT', '/-/world', { json: body })).status).toBe(204);
  expect((await get('/-/world')).text).toBe(text);
  expect((await call('GET', '/projects/20', { as: 'writer' })).status).toBe(403);
});
