import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Epic } from '../../../../src/contract/epics.js';
import type { Discussion } from '../../../../src/contract/shapes/note.js';
import { epicWorld } from '../../../support/epics.js';
import { start, testService, type TestService } from '../../../support/service.js';

let service: TestService;
beforeEach(async () => { service = await testService({ world: epicWorld }); });
afterEach(() => service.close());

const unassign = (parent: number, child: number | string, as = 'reporter') =>
  service.delete<Epic>(`/groups/acme/epics/${parent}/epics/${child}`, { as });
const childrenOf = async (parent: number) =>
  (await service.get<Epic[]>(`/groups/acme/epics/${parent}/epics`, { as: 'root' })).body.map(({ id }) => id);

test('the response has the child without a parent; it keeps its group and children, and updated_at changes', async () => {
  const { status, body } = await unassign(1, 502);
  expect(status).toBe(200);
  expect(body).toMatchObject({ id: 502, iid: 3, group_id: 10, parent_id: null, updated_at: start });
  expect(await childrenOf(1)).toEqual([501, 503]);
  expect(await childrenOf(3)).toEqual([504]);
});

test('both epics tell of it in a system note', async () => {
  await unassign(1, 502);
  const notesOf = async (id: number) => (await service.get<Discussion[]>(`/groups/acme/epics/${id}/discussions`, { as: 'root' })).body
    .map(({ notes: [note] }) => [note!.body, note!.system]);
  expect(await notesOf(500)).toEqual([['removed child epic &3', true]]);
  expect(await notesOf(502)).toEqual([['removed parent epic &1', true]]);
});

test('an epic that is not a child of the epic in the path is not found, and keeps its parent', async () => {
  const missing = [404, { message: 'No Epic found for given params' }];
  for (const child of [504, 505, 500, 999, 800]) {
    const { status, body } = await unassign(1, child);
    expect([child, [status, body]]).toEqual([child, missing]);
  }
  expect(await childrenOf(3)).toEqual([504]);
});

test('the second time it is not found', async () => {
  expect((await unassign(1, 501)).status).toBe(200);
  expect((await unassign(1, 501)).status).toBe(404);
});

test('an epic that is not a number is rejected by name', async () => {
  const { status, body } = await unassign(1, 'x');
  expect([status, body]).toEqual([400, { error: 'child_epic_id is invalid' }]);
});

test('an epic taken away may be given back and is first then', async () => {
  await unassign(1, 503);
  expect((await service.post('/groups/acme/epics/1/epics/503', { as: 'reporter' })).status).toBe(201);
  expect(await childrenOf(1)).toEqual([503, 501, 502]);
});
