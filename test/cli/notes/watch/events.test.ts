import { describe, expect, it } from 'vitest';
import { eventsBetween, eventsSince, type Threads, type WatchEvent } from '../../../../src/cli/notes/watch.js';
import type { Discussion, Note } from '../../../../src/contract/shapes/note.js';
import { note } from '../../../support/notes.js';

const thread = (id: string, ...notes: Partial<Note>[]): Discussion =>
  ({ id, individual_note: false, notes: notes.map((parts, i) => note({ id: i + 1, ...parts })) });
const threads = (...all: Discussion[]): Threads => new Map(all.map((one) => [one.id, one]));
const shown = (events: readonly WatchEvent[]) => events.map(({ event, discussion_id, note: { id } }) => `${event} ${discussion_id}/${id}`);
const between = (before: Threads, after: Threads) => shown(eventsBetween('mr/1', before, after));

const open = { resolvable: true, resolved: false };
const resolved = { resolvable: true, resolved: true };

describe('the changes between two states', () => {
  it('are none between equal ones', () => {
    expect(between(threads(thread('a', open)), threads(thread('a', open)))).toEqual([]);
  });

  it('are new, changed and deleted notes, in the order of the threads', () => {
    const before = threads(thread('a', {}, {}), thread('b', {}));
    const after = threads(thread('b', { body: 'other' }), thread('a', { id: 2 }, { id: 3 }), thread('c', {}));
    expect(between(before, after)).toEqual(['created a/3', 'deleted a/1', 'updated b/1', 'created c/1']);
  });

  it('are all notes of a thread that is gone, as they were', () => {
    const [event] = eventsBetween('mr/1', threads(thread('a', { body: 'old' })), threads());
    expect(event).toMatchObject({ event: 'deleted', ref: 'mr/1', discussion_id: 'a', note: { body: 'old' } });
    expect(between(threads(thread('a', {}, {})), threads())).toEqual(['deleted a/1', 'deleted a/2']);
  });

  it('are resolved and reopened threads, with their first notes', () => {
    const [one, other] = [threads(thread('a', open, open)), threads(thread('a', resolved, resolved))];
    expect(between(one, other)).toEqual(['resolved a/1']);
    expect(between(other, one)).toEqual(['unresolved a/1']);
    expect(between(one, threads(thread('a', resolved, open)))).toEqual([]);
  });

  it('are no edits where only resolving moved the time of a note', () => {
    const later = '2024-05-01T11:30:00.000Z';
    expect(between(threads(thread('a', open)), threads(thread('a', { ...resolved, updated_at: later })))).toEqual(['resolved a/1']);
    expect(between(threads(thread('a', open)), threads(thread('a', { ...open, updated_at: later })))).toEqual(['updated a/1']);
  });

  it('are an edit and a resolution at once', () => {
    expect(between(threads(thread('a', open)), threads(thread('a', { ...resolved, body: 'other' })))).toEqual(['updated a/1', 'resolved a/1']);
  });

  it('are the creation and the resolution of a new thread that is resolved already', () => {
    expect(between(threads(), threads(thread('a', resolved)))).toEqual(['created a/1', 'resolved a/1']);
    expect(between(threads(), threads(thread('a', open)))).toEqual(['created a/1']);
  });

  it('are no new state where a thread became one that cannot be resolved, or lost its notes', () => {
    expect(between(threads(thread('a', resolved)), threads(thread('a', { resolvable: false })))).toEqual([]);
    expect(between(threads(thread('a', resolved)), threads(thread('a')))).toEqual(['deleted a/1']);
  });
});

describe('the changes since a time', () => {
  const since = Date.parse('2024-05-01T11:00:00.000Z');
  const [early, at] = ['2024-05-01T10:59:59.999Z', '2024-05-01T11:00:00.000Z'];
  const found = (...notes: Partial<Note>[]) => shown(eventsSince('mr/1', threads(thread('a', ...notes)), since));

  it('are notes that were created or changed then or later', () => {
    expect(found({ created_at: early, updated_at: early }, { created_at: early, updated_at: at }, { created_at: at, updated_at: at }))
      .toEqual(['updated a/2', 'created a/3']);
  });

  it('are threads that were resolved then or later, unless they were reopened', () => {
    const old = { created_at: early, updated_at: early };
    expect(found({ ...old, ...resolved, resolved_at: at })).toEqual(['resolved a/1']);
    expect(found({ ...old, ...resolved, resolved_at: early })).toEqual([]);
    expect(found({ ...old, ...resolved, resolved_at: at }, { ...old, ...open })).toEqual([]);
    expect(found({ ...old, ...resolved, resolved_at: null })).toEqual([]);
    expect(found({ ...old, ...resolved, resolved_at: early }, { created_at: at, updated_at: at, ...resolved, resolved_at: at })).toEqual(['created a/2']);
  });

  it('are none in a thread without notes or with times that cannot be read', () => {
    expect(found()).toEqual([]);
    expect(found({ created_at: 'soon', updated_at: 'later' })).toEqual([]);
  });
});
