import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Epic } from '../../../../src/contract/epics.js';
import type { Discussion, Note } from '../../../../src/contract/shapes/note.js';
import { randomHex } from '../../../../src/server/random.js';
import type { World } from '../../../../src/server/world-file/schema.js';
import { testService, type TestService } from '../../../support/service.js';
import { newStore } from '../../../support/stores.js';

const sha = (n: number) => n.toString(16).padStart(40, '0');
const epicIds = [500, 501, 502, 503, 504, 505, 506, 507];
const world: World = {
  users: [{ username: 'root', admin: true, token: 'root-token' }],
  groups: [{ id: 10, path: 'acme', epics: epicIds.map((id, i) => ({ id, iid: i + 1, title: `E${id}` })) }],
  projects: [{ id: 20, path: 'acme/app', merge_requests: [{ iid: 1, title: 'M', discussions: [1, 2].map((n) => ({ id: sha(n), notes: [{}] })) }] }],
};
const as = 'root';
const discussions = '/projects/20/merge_requests/1/discussions';
const links = (parent: number) => `/groups/10/epics/${epicIds.indexOf(parent) + 1}/epics`;

/** The notes that callers made and deleted, by id. */
interface Changed { readonly made: number[]; readonly deleted: number[] }
type Act = (one: TestService, other: TestService, changed: Changed) => Promise<void>;

const answered = <T extends { status: number }>(got: T, ...statuses: number[]): T => {
  expect(statuses).toContain(got.status);
  return got;
};
const everyThread = (service: TestService) => service.get<Discussion[]>(`${discussions}?per_page=100`, { as });
const hasNote = async (service: TestService, id: number) =>
  (await everyThread(service)).body.some(({ notes }) => notes.some((note) => note.id === id));

const thread = fc.constantFrom(sha(1), sha(2));
const epic = fc.constantFrom(...epicIds);
const acts: fc.Arbitrary<Act> = fc.oneof(
  fc.constant<Act>(async (one, other, { made }) => {
    const { body } = answered(await one.post<Discussion>(discussions, { as, json: { body: 'new' } }), 201);
    made.push(body.notes[0]!.id);
    expect(await hasNote(other, body.notes[0]!.id)).toBe(true);
  }),
  thread.map((id): Act => async (one, other, { made }) => {
    const { status, body } = answered(await one.post<Note>(`${discussions}/${id}/notes`, { as, json: { body: 'reply' } }), 201, 404);
    if (status === 404) return;
    made.push(body.id);
    const got = await other.get<Note>(`/projects/20/merge_requests/1/notes/${body.id}`, { as });
    expect([200, 404]).toContain(got.status);
  }),
  fc.tuple(thread, fc.boolean()).map(([id, resolved]): Act => async (one) => {
    const { status, body } = answered(await one.put<Discussion>(`${discussions}/${id}`, { as, json: { resolved } }), 200, 404);
    if (status === 200) for (const note of body.notes) expect(note.resolved).toBe(resolved);
  }),
  fc.nat().map((n): Act => async (one, other, { deleted }) => {
    const notes = (await everyThread(one)).body.flatMap(({ id, notes: [, ...replies] }) => replies.map((note) => ({ id, note: note.id })));
    const chosen = notes[n % (notes.length || 1)];
    if (!chosen) return;
    const { status } = answered(await one.delete(`${discussions}/${chosen.id}/notes/${chosen.note}`, { as }), 204, 404);
    if (status === 204) {
      deleted.push(chosen.note);
      expect(await hasNote(other, chosen.note)).toBe(false);
    }
  }),
  fc.tuple(epic, epic).map(([parent, child]): Act => async (one) => {
    answered(await one.post(`${links(parent)}/${child}`, { as }), 201, 409, 422);
  }),
  fc.tuple(epic, epic).map(([parent, child]): Act => async (one) => {
    answered(await one.delete(`${links(parent)}/${child}`, { as }), 200, 404);
  }),
  fc.tuple(epic, epic, epic, fc.constantFrom('move_before_id', 'move_after_id')).map(([parent, child, sibling, where]): Act => async (one) => {
    const { status, body } = answered(await one.put<Epic[]>(`${links(parent)}/${child}`, { as, json: { [where]: sibling } }), 200, 404);
    if (status !== 200 || child === sibling) return;
    const order = body.map(({ id }) => id);
    expect(Math.sign(order.indexOf(child) - order.indexOf(sibling))).toBe(where === 'move_before_id' ? 1 : -1);
  }),
  epic.map((parent): Act => async (one) => { answered(await one.post(links(parent), { as, json: { title: 'Child' } }), 201, 400); }),
);

/** What must hold of the store whoever wrote to it, in whatever order. */
const checkThreads = async (service: TestService, changed: Changed): Promise<void> => {
  const { body, headers } = await everyThread(service);
  expect(Number(headers['x-total'])).toBe(body.length);
  const notes = body.flatMap((one) => one.notes);
  const ids = notes.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(changed.made).size).toBe(changed.made.length);
  expect(ids.filter((id) => changed.made.includes(id)).sort()).toEqual(changed.made.filter((id) => !changed.deleted.includes(id)).sort());
  for (const { notes: own } of body) {
    expect(own.map(({ id }) => id)).toEqual(own.map(({ id }) => id).sort((a, b) => a - b));
    expect(new Set(own.map(({ resolved }) => resolved)).size).toBe(1);
  }
  const firsts = body.map((one) => one.notes[0]!.id);
  expect(firsts).toEqual(firsts.toSorted((a, b) => a - b));
};

interface Dumped { readonly groups: readonly { readonly epics: readonly { id: number; iid: number; parent?: number }[] }[] }

const checkEpics = async (service: TestService): Promise<void> => {
  const { epics } = (await service.get<Dumped>('/-/world')).body.groups[0]!;
  expect(new Set(epics.map(({ id }) => id)).size).toBe(epics.length);
  expect(epics.map(({ iid }) => iid).sort((a, b) => a - b)).toEqual(epics.map((_, i) => i + 1));
  const parentOf = new Map(epics.map(({ id, parent }) => [id, parent]));
  for (const { id, iid, parent } of epics) {
    const line = [id];
    for (let above = parent; above !== undefined; above = parentOf.get(above)) {
      expect(line).not.toContain(above);
      line.push(above);
    }
    expect(line.length).toBeLessThanOrEqual(7);
    const children = (await service.get<Epic[]>(`/groups/10/epics/${iid}/epics?per_page=100`, { as })).body.map((child) => child.id);
    expect(children.toSorted()).toEqual(epics.filter((one) => one.parent === id).map((one) => one.id).toSorted());
    const bodies = (await service.get<Discussion[]>(`/groups/10/epics/${id}/discussions?per_page=100`, { as })).body.map(({ notes }) => notes[0]!.body);
    const count = (start: string) => bodies.filter((body) => body.startsWith(start) && body.includes('parent')).length;
    expect(count('added') - count('removed')).toBe(parent === undefined ? 0 : 1);
  }
};

describe('two processes that work on one store at the same time', () => {
  test('keep all that they acknowledged, once and in order, and see at once what the other wrote', async () => {
    await fc.assert(fc.asyncProperty(fc.array(fc.array(acts, { minLength: 2, maxLength: 8, size: 'max' }), { maxLength: 6, size: 'max' }), async (rounds) => {
      const data = await newStore();
      const services = [await testService({ data, world, hex: randomHex }), await testService({ data, world, hex: randomHex })] as const;
      const changed: Changed = { made: [], deleted: [] };
      for (const round of rounds) {
        await Promise.all(round.map((act, i) => act(services[i % 2]!, services[(i + 1) % 2]!, changed)));
        for (const service of services) await checkThreads(service, changed);
      }
      await checkEpics(services[0]);
      const [one, other] = await Promise.all(services.map((service) => everyThread(service)));
      expect(one!.text).toBe(other!.text);
      for (const service of services) await service.close();
    }), { numRuns: 12 });
  }, 120_000);
});
