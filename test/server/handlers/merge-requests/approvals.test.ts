import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Approvals } from '../../../../src/contract/lookups/shapes.js';
import type { Note } from '../../../../src/contract/shapes/note.js';
import { testService, type TestService } from '../../../support/service.js';
import { refs } from '../../../support/worlds.js';

const at = '/projects/20/merge_requests/1';
let service: TestService;
beforeEach(async () => { service = await testService({ dialect: 'live' }); });
afterEach(() => service.close());

const send = (verb: 'approve' | 'unapprove', json: object = {}, as = 'developer') =>
  service.post<Approvals>(`${at}/${verb}`, { as, json });
const approvals = async (as = 'developer') => (await service.get<Approvals>(`${at}/approvals`, { as })).body;

test('an approval is shown until it is removed, with system notes', async () => {
  expect(await approvals()).toMatchObject({ approved_by: [], user_has_approved: false, user_can_approve: true });
  const { status, body } = await send('approve', { sha: refs.head });
  expect(status).toBe(201);
  expect(body).toEqual(await approvals());
  expect(body).toMatchObject({ approved_by: [{ user: { username: 'developer' } }], user_has_approved: true, user_can_approve: false });
  await send('approve', {}, 'maintainer');
  const removed = await send('unapprove');
  expect(removed.status).toBe(201);
  expect(removed.body.approved_by.map(({ user }) => user.username)).toEqual(['maintainer']);
  const notes = (await service.get<Note[]>(`${at}/notes?sort=asc&per_page=100`)).body.filter(({ system }) => system);
  expect(notes.slice(-3).map(({ body: text, author }) => [author.username, text])).toEqual([
    ['developer', 'approved this merge request'], ['maintainer', 'approved this merge request'],
    ['developer', 'unapproved this merge request'],
  ]);
});

test('a second approval gets 401, a missing one cannot be removed', async () => {
  expect((await send('unapprove')).status).toBe(404);
  await send('approve');
  expect(await send('approve')).toMatchObject({ status: 401, body: { message: '401 Unauthorized' } });
});

test('an approval of another head is a conflict', async () => {
  expect(await send('approve', { sha: 'f'.repeat(40) })).toMatchObject({
    status: 409, body: { message: `SHA does not match HEAD of source branch: ${refs.head}` },
  });
  expect((await approvals()).approved_by).toEqual([]);
});

test.each(['approve', 'unapprove'] as const)('only developers and above can %s', async (verb) => {
  for (const as of ['guest', 'reporter']) {
    expect((await send(verb, {}, as)).status, as).toBe(403);
    expect((await approvals(as)).user_can_approve).toBe(false);
  }
  expect((await send(verb, {}, 'outsider')).status).toBe(404);
});
