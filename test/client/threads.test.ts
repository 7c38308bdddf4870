import { expect, expectTypeOf, test } from 'vitest';
import { createClient } from '../../src/client/client.js';
import type { ClientOptions } from '../../src/client/options.js';
import type { Pages } from '../../src/client/pages.js';
import type { Note, WholeDiscussion } from '../../src/contract/shapes/note.js';
import { everyRow } from '../support/rows.js';
import { json, scripted } from './support/scripted.js';

const note = { id: 7, body: 'Hello', author: { id: 1, username: 'ada' } };
const whole = { id: 'b', individual_note: false, notes: [note] };

/** Threads as they must not be, but a service may send them. */
const odd = { 'no notes': { notes: [] }, 'null for notes': { notes: null }, 'nothing for notes': {} };

const read = (threads: unknown, options: Partial<ClientOptions> = {}) => {
  const { transport } = scripted(json(200, threads));
  return createClient({ url: 'http://service.test', transport, ...options }).discussions.issue.list({ id: 1, noteable_id: 7 });
};

test('the type of the notes of a thread is never empty', () => {
  const { create, list } = createClient({ url: 'http://service.test' }).discussions.issue;
  expectTypeOf(create).returns.resolves.toHaveProperty('notes').toEqualTypeOf<[Note, ...Note[]]>();
  expectTypeOf(list).returns.toEqualTypeOf<Pages<WholeDiscussion>>();
  expect([typeof create, typeof list]).toEqual(['function', 'function']);
});

test('a thread that comes without notes has one that is no other, stops no list, and is printed as received', async () => {
  await everyRow(Object.entries(odd), ([name]) => name, async ([, notes]) => {
    const received = [{ id: 'a', individual_note: false, ...notes }, whole];
    const [first, second, ...others] = await read(received).all();
    expect([others, second, first!.notes.length]).toEqual([[], whole, 1]);
    const [standIn] = first!.notes;
    expect([standIn.id, standIn.body, standIn.author.username]).toEqual([NaN, '', 'unknown user']);
    expect(JSON.parse(JSON.stringify([first, second]))).toEqual(received);
    expect(JSON.parse(JSON.stringify({ ...first, notes: [note] }))).toMatchObject({ notes: [note] });
  });
});

test('the raw items of a list have what the service sent', async () => {
  for await (const { items } of read([{ id: 'a', notes: [] }]).rawPages()) {
    expect(Buffer.from(items.lines()).toString()).toBe('{"id":"a","notes":[]}\n');
  }
});

test('a thread with notes, and every other record, stays as received', async () => {
  const [thread] = await read([{ ...whole, notes: [{ id: 1, author: null }] }]).all();
  expect(thread).toEqual({ ...whole, notes: [{ id: 1, author: null }] });
});

test('a strict client checks notes, draft notes and lookups like threads', async () => {
  const of = { id: 1, noteable_id: 7 };
  const clientOf = (value: unknown, strict: boolean) =>
    createClient({ url: 'http://service.test', strict, transport: scripted(json(200, value)).transport });
  const reads: readonly (readonly [string, object, (client: ReturnType<typeof clientOf>) => Promise<unknown>])[] = [
    ['author', { id: 7 }, ({ notes }) => notes.issue.get({ ...of, note_id: 7 })],
    ['[0].author', [{ id: 7 }], ({ notes }) => notes.issue.list(of).all()],
    ['author', { id: 7 }, ({ discussionNotes }) => discussionNotes.issue.get({ ...of, discussion_id: 'a', note_id: 7 })],
    ['[0].id', [{ note: 'One.' }], ({ draftNotes }) => draftNotes.list(of)],
    ['id', { username: 'ada' }, ({ lookups }) => lookups.user()],
  ];
  await everyRow(reads, ([, value]) => JSON.stringify(value), async ([place, value, call]) => {
    expect(await call(clientOf(value, false))).toEqual(value);
    await expect(call(clientOf(value, true))).rejects.toMatchObject({
      name: 'ResponseError', message: expect.stringContaining(`is expected, at ${place}`) as string });
  });
});

test('a strict client rejects a thread without notes', async () => {
  await everyRow(Object.entries(odd), ([name]) => name, async ([, notes]) => {
    await expect(read([{ id: 'a', individual_note: false, ...notes }], { strict: true }).all())
      .rejects.toThrow(/the response has (?:nothing|null|an empty list) where a list (?:with an item )?is expected, at \[0\]\.notes$/);
  });
});
