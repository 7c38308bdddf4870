import { expect, it } from 'vitest';
import type { Discussion } from '../../../../src/contract/shapes/note.js';
import { waitingFor } from '../../../../src/cli/notes/inbox.js';

const owner = { id: 1, username: 'Ada' };
let id = 0;
const thread = (...notes: readonly (readonly [author: number, day: number, more?: object])[]): Discussion => ({
  id: 'x', notes: notes.map(([author, day, more]) => ({
    id: ++id, author: { id: author }, body: 'text', system: false, resolvable: true, resolved: false,
    created_at: new Date(Date.UTC(2024, 0, day)).toISOString(), ...more,
  })),
}) as unknown as Discussion;
const found = (...threads: Discussion[]) => waitingFor(owner, threads, () => false);

it('a thread waits since the first note after the last one of the owner', () => {
  expect(found(thread([1, 1], [2, 4], [2, 6]), thread([2, 1], [1, 2], [2, 5]))).toMatchObject({ open: 2, waiting: 2, since: Date.UTC(2024, 0, 4) });
  expect(found(thread([2, 1]), thread([2, 1], [1, 2]), thread([1, 1], [2, 2, { system: true }]))).toMatchObject({ waiting: 0, since: null });
});

it('resolved threads are not open', () => {
  expect(found(thread([2, 1, { resolved: true }]), thread([2, 1, { resolvable: false }]))).toMatchObject({ open: 0 });
});

it('a thread that the owner resolved waits again after a note of another one', () => {
  const resolved = (day: number, by = 1) => ({ resolved: true, resolved_by: { id: by }, resolved_at: `2024-01-0${day}T00:00:00.000Z` });
  const answered = (more: object) => thread([1, 1, more], [2, 4, more]);
  const waiting = [resolved(5), resolved(4), resolved(3), resolved(5, 2), { ...resolved(5), resolved_at: undefined }]
    .map((more) => found(answered(more)).waiting);
  expect(waiting).toEqual([0, 0, 1, 1, 0]);
});

it('a reply of the owner in a thread that somebody else resolved is no resolving', () => {
  const by = (id: number, resolved_at?: string) => ({ resolved: true, resolved_by: { id }, resolved_at });
  expect(found(thread([2, 1, by(2)], [1, 2, by(1)], [2, 3, by(2)])).waiting).toBe(1);
  expect(found(thread([2, 1, by(1)], [1, 2, by(1)], [2, 3, by(2)])).waiting).toBe(0);
});

it('notes of others that mention the owner count, not in code, and not system notes', () => {
  expect(found(thread(
    [2, 1, { body: 'see @ada' }], [2, 2, { body: '`@ada` @adam' }], [1, 3, { body: '@ada' }], [2, 4, { body: '@ada', system: true }],
  )).mentions).toBe(1);
});

it('new notes are those of others', () => {
  const threads = [thread([2, 1], [1, 2], [2, 3, { system: true }])];
  expect(waitingFor(owner, threads, () => true).new).toBe(1);
  expect(waitingFor(owner, threads, (note) => note.id > threads[0]!.notes[0]!.id).new).toBe(0);
});
