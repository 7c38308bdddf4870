import { expect, it } from 'vitest';
import { isUnknownUser, wholeRecords, type OddRecord } from '../../src/client/whole-records.js';
import { exampleOf } from '../../src/contract/openapi/schemas.js';
import { discussions } from '../../src/contract/discussions.js';
import type { Discussion } from '../../src/contract/shapes/note.js';

const { list } = discussions.merge_request;

/** What is read of a list of threads, and which records were odd. */
const read = async (change: (thread: Discussion) => unknown) => {
  const threads = exampleOf(list.returns) as Discussion[];
  threads.splice(1);
  change(threads[0]!);
  const received = JSON.stringify(threads);
  const exchange = { request: { method: 'GET', target: '/api/v4/x', headers: {} }, response: { status: 200, headers: {}, body: received } };
  const result = { exchange, read: () => threads, raw: () => null };
  const odd: OddRecord[] = [];
  const [thread] = wholeRecords(list, result, (one) => odd.push(one)).read() as Discussion[];
  return { thread: thread!, odd, received };
};

it('a note without an author has an unknown one, whose id matches no other', async () => {
  const { thread, odd, received } = await read(({ notes: [note] }) => Object.assign(note!, { author: null }));
  const { author } = thread.notes[0]!;
  expect([isUnknownUser(author), author.name, author.id === author.id]).toEqual([true, 'unknown user', false]);
  expect(odd).toEqual([{ kind: 'Note', id: thread.notes[0]!.id, fields: ['author'] }]);
  expect(JSON.stringify([thread])).toBe(received);
});

it('a copy of an odd record is printed as received too, with what was changed since', async () => {
  const { thread } = await read((one) => Object.assign(one, { notes: null }));
  expect(JSON.parse(JSON.stringify({ ...thread, url: null }))).toEqual({ id: thread.id, individual_note: thread.individual_note, notes: null, url: null });
  expect(JSON.parse(JSON.stringify({ ...thread, notes: [1] }))).toMatchObject({ notes: [1] });
});

it('a whole record stays the same object, and is not reported', async () => {
  const { thread, odd } = await read(() => undefined);
  expect([odd, 'toJSON' in thread, 'toJSON' in thread.notes[0]!]).toEqual([[], false, false]);
});

it('an object without most fields is no record', async () => {
  await expect(read((thread) => { for (const name of Object.keys(thread)) Reflect.deleteProperty(thread, name); }))
    .rejects.toThrow('GET /api/v4/x: the response has none of the expected fields, at [0]');
});
