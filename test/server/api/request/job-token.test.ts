import { expect, test } from 'vitest';
import type { ServerOptions } from '../../../../src/server/index.js';
import type { World } from '../../../../src/server/world-file/schema.js';
import { everyRow } from '../../../support/rows.js';
import { testService, type Sent } from '../../../support/service.js';
import { acme } from '../../../support/worlds.js';

const withJobs: World = { ...acme, users: acme.users!.map((user) => user.username !== 'developer' ? user : {
  ...user, tokens: [...user.tokens!, { token: 'job', kind: 'job' as const }, { token: 'old-job', kind: 'job' as const, expires_at: '2020-01-01' }],
}) };

const opened = (options: ServerOptions = {}) => testService({ world: withJobs, ...options });

const notes = '/projects/20/merge_requests/1/notes';

const job: Sent = { as: null, headers: { 'job-token': 'job' } };

const unauthorized = { status: 401, body: { message: '401 Unauthorized' } };

test('the token of a CI job reads the notes of a merge request, wherever a job sends it', async () => {
  const service = await opened();
  const rows: [string, string, Sent][] = [
    ['header', '', job], ['parameter', '?job_token=job', { as: null }],
    ['bearer', '', { as: null, headers: { authorization: 'Bearer job' } }],
    ['beside a personal token, which counts', '', { headers: { 'job-token': 'nothing' } }],
  ];
  for (const path of [notes, `${notes}/120`]) {
    await everyRow(rows, ([where]) => `${where} of ${path}`, async ([, query, sent]) => {
      const { status, body, headers } = await service.get(path + query, sent);
      expect({ status, body }).toEqual({ status: 200, body: (await service.get(path)).body });
      expect(headers).not.toHaveProperty('x-colloquy-unread');
    });
  }
  await service.close();
});

test('it gets 401 everywhere else, and other tokens in its place do, too', async () => {
  const service = await opened();
  const rows: [string, string, string, Sent][] = [
    ['a new comment', 'POST', notes, { ...job, json: { body: 'x' } }], ['an edited note', 'PUT', `${notes}/121`, { ...job, json: { body: 'x' } }],
    ['a deleted note', 'DELETE', `${notes}/121`, job], ['threads', 'GET', '/projects/20/merge_requests/1/discussions', job],
    ['notes of an issue', 'GET', '/projects/20/issues/1/notes', job], ['draft notes', 'GET', '/projects/20/merge_requests/1/draft_notes', job],
    ['award emoji', 'GET', `${notes}/120/award_emoji`, job], ['the user', 'GET', '/user', job], ['the version', 'GET', '/version', job],
    ['epics', 'GET', '/groups/10/epics/500/notes', job], ['the appearance', 'GET', '/application/appearance', job],
    ['as a personal token', 'GET', notes, { as: null, headers: { 'private-token': 'job' } }],
    ['as a personal token in a parameter', 'GET', `${notes}?private_token=job`, { as: null }],
    ['as a bearer elsewhere', 'GET', '/user', { as: null, headers: { authorization: 'Bearer job' } }],
    ['an unknown token', 'GET', notes, { as: null, headers: { 'job-token': 'nothing' } }],
    ['a personal token', 'GET', notes, { as: null, headers: { 'job-token': 'developer-token' } }],
    ['an object instead of a token', 'GET', `${notes}?job_token[x]=job`, { as: null }],
  ];
  const before = await service.get(notes);
  await everyRow(rows, ([what]) => what, async ([, method, path, sent]) => {
    expect(await service.call(method, path, sent)).toMatchObject(unauthorized);
  });
  expect((await service.get(notes)).body).toEqual(before.body);
  await service.close();
});

test('what it read is kept for nobody else', async () => {
  const service = await opened();
  expect(await service.get(notes, job)).toMatchObject({ status: 200 });
  expect(await service.get(notes, { as: null })).toMatchObject(unauthorized);
  expect(await service.get(notes, { as: null, headers: { 'job-token': 'other' } })).toMatchObject(unauthorized);
  expect(await service.get(notes, job)).toMatchObject({ status: 200 });
  await service.close();
});

test('an old token says that it expired, and older services accept none', async () => {
  const service = await opened();
  expect(await service.get(notes, { as: null, headers: { 'job-token': 'old-job' } })).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
  await service.close();
  const older = await opened({ serviceVersion: '14.9' });
  expect(await older.get(notes, job)).toMatchObject(unauthorized);
  await older.close();
});

test('it sees what its user sees, and has a rate limit of its own', async () => {
  const service = await opened({ rateLimit: 2 });
  expect(await service.get('/projects/21/merge_requests/1/notes', job)).toMatchObject({ status: 404 });
  expect(await service.get('/projects/999/merge_requests/1/notes', job)).toMatchObject({ status: 404 });
  expect(await service.get(notes, job)).toMatchObject({ status: 429 });
  expect(await service.get(notes)).toMatchObject({ status: 200 });
  await service.close();
});

test('a dump keeps it, and a world file says no scopes for it', async () => {
  const service = await opened();
  const { body: dumped } = await service.get<World>('/-/world');
  expect(dumped.users!.flatMap(({ tokens = [] }) => tokens).filter(({ kind }) => kind === 'job')).toHaveLength(2);
  expect(await service.call('PUT', '/-/world', { json: dumped })).toMatchObject({ status: 204 });
  expect(await service.get(notes, job)).toMatchObject({ status: 200 });
  await service.close();
  const world: World = { users: [{ username: 'ada', tokens: [{ token: 'job', kind: 'job', scopes: ['api'] }] }] };
  await expect(testService({ world })).rejects.toThrow('users[0].tokens[0] must have no scopes, as its kind is job');
});
