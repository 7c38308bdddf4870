import { afterEach, expect, test } from 'vitest';
import type { Epic } from '../../../../src/contract/epics.js';
import type { World } from '../../../../src/server/world-file/schema.js';
import { epicWorld } from '../../../support/epics.js';
import { testService, type TestService } from '../../../support/service.js';

let service: TestService;
afterEach(() => service.close());

/** An epic with the children 11, 12, 13, … at these positions; without positions as far apart as usual. */
const siblings = (count: number, positions: readonly number[] = []): World => ({
  users: epicWorld.users!,
  groups: [{ id: 10, path: 'acme', members: { reporter: 'reporter' }, epics: [
    { id: 1, iid: 1 }, { id: 9, iid: 9 }, { id: 8, iid: 8, parent: 9 },
    ...Array.from({ length: count }, (_, i) => ({
      id: 11 + i, iid: 11 + i, parent: 1, ...(positions[i] !== undefined && { position: positions[i] }),
    })),
  ] }],
});
const open = async (world = siblings(5)) => { service = await testService({ world }); };

const reorder = async (child: number, json: unknown) => {
  const { status, body } = await service.put<Epic[]>(`/groups/acme/epics/1/epics/${child}`, { as: 'reporter', json });
  return [status, Array.isArray(body) ? body.map(({ id }) => id) : body];
};
const list = async () =>
  (await service.get<Epic[]>('/groups/acme/epics/1/epics?per_page=100', { as: 'root' })).body.map(({ id }) => id);

test('with move_before_id the child goes directly behind that sibling', async () => {
  await open();
  expect(await reorder(11, { move_before_id: 13 })).toEqual([200, [12, 13, 11, 14, 15]]);
  expect(await reorder(12, { move_before_id: 15 })).toEqual([200, [13, 11, 14, 15, 12]]);
  expect(await list()).toEqual([13, 11, 14, 15, 12]);
});

test('with move_after_id the child goes directly in front of that sibling', async () => {
  await open();
  expect(await reorder(14, { move_after_id: 12 })).toEqual([200, [11, 14, 12, 13, 15]]);
  expect(await reorder(15, { move_after_id: 11 })).toEqual([200, [15, 11, 14, 12, 13]]);
});

test('with both the child goes between them, given in either order', async () => {
  await open();
  expect(await reorder(15, { move_before_id: 11, move_after_id: 12 })).toEqual([200, [11, 15, 12, 13, 14]]);
  expect(await reorder(11, { move_before_id: 14, move_after_id: 13 })).toEqual([200, [15, 12, 13, 11, 14]]);
});

test('between two that are not adjacent the child lands around the middle of their positions', async () => {
  await open();
  expect(await reorder(15, { move_before_id: 11, move_after_id: 14 })).toEqual([200, [11, 12, 15, 13, 14]]);
});

test('a child that is in place does not move', async () => {
  await open();
  const same = [200, [11, 12, 13, 14, 15]];
  expect(await reorder(12, { move_before_id: 11 })).toEqual(same);
  expect(await reorder(12, { move_after_id: 13 })).toEqual(same);
  expect(await reorder(12, { move_before_id: 11, move_after_id: 15 })).toEqual(same);
  expect(await reorder(12, { move_before_id: 15, move_after_id: 11 })).toEqual(same);
});

test('a child that is itself named does not move, nor does one of whom nothing is said', async () => {
  await open();
  const same = [200, [11, 12, 13, 14, 15]];
  expect(await reorder(12, { move_before_id: 12 })).toEqual(same);
  expect(await reorder(12, { move_after_id: 12, move_before_id: 15 })).toEqual(same);
  expect(await reorder(12, {})).toEqual(same);
  expect(await reorder(12, { move_before_id: null, move_after_id: '' })).toEqual(same);
});

test('one sibling can not stand on both sides', async () => {
  await open();
  const refused = [400, { message: '400 Bad request - move_before_id and move_after_id name the same epic' }];
  expect(await reorder(12, { move_before_id: 14, move_after_id: 14 })).toEqual(refused);
  expect(await list()).toEqual([11, 12, 13, 14, 15]);
});

test('an epic that is not a child of the parent is not found', async () => {
  await open();
  const missing = [404, { message: 'Epic not found for given params' }];
  expect(await reorder(12, { move_before_id: 8 })).toEqual(missing);
  expect(await reorder(12, { move_after_id: 1 })).toEqual(missing);
  expect(await reorder(12, { move_after_id: 999, move_before_id: 11 })).toEqual(missing);
  expect(await reorder(12, { move_before_id: 0 })).toEqual(missing);
  expect(await reorder(8, { move_before_id: 11 })).toEqual(missing);
  expect(await reorder(999, {})).toEqual(missing);
});

test('an id that is not a number is rejected', async () => {
  await open();
  expect(await reorder(12, { move_before_id: 'x' })).toEqual([400, { error: 'move_before_id is invalid' }]);
});

test('the response has all children, and updated_at does not change', async () => {
  await open(siblings(30));
  const { body, headers } = await service.put<Epic[]>('/groups/acme/epics/1/epics/40', { as: 'root', form: { move_after_id: '11' } });
  expect(body).toHaveLength(30);
  expect(headers).not.toHaveProperty('x-total');
  expect(body[0]).toMatchObject({ id: 40, updated_at: body[0]!.created_at });
});

test('where no room is left between two siblings, room is made', async () => {
  await open(siblings(4, [1, 2, 3, 4]));
  expect(await reorder(14, { move_before_id: 11 })).toEqual([200, [11, 14, 12, 13]]);
  expect(await reorder(13, { move_before_id: 11, move_after_id: 14 })).toEqual([200, [11, 13, 14, 12]]);
  expect(await list()).toEqual([11, 13, 14, 12]);
});

test('siblings at the very ends of the numbers, or all at one position, can be ordered too', async () => {
  await open(siblings(3, [Number.MIN_SAFE_INTEGER, 0, Number.MAX_SAFE_INTEGER]));
  expect(await reorder(12, { move_before_id: 13 })).toEqual([200, [11, 13, 12]]);
  await service.close();
  await open(siblings(4, [5, 5, 5, 5]));
  expect(await reorder(11, { move_after_id: 14 })).toEqual([200, [11, 14, 13, 12]]);
});
