import { expect, it } from 'vitest';
import type { PlacedThread } from '../../../../../src/cli/notes/places.js';
import { isGone, quickfixLine } from '../../../../../src/cli/notes/views/discussion.js';

const thread = (position: object | null, place: object = {}): PlacedThread => ({
  id: '1', individual_note: false, notes: [{ id: 1, body: 'why?', author: { username: 'ada' }, position }], ...place,
}) as unknown as PlacedThread;

const onLine = { position_type: 'text', old_path: 'a.ts', new_path: 'b c  d.ts', new_line: 3 };

it('has the file of today, spaces included', () => {
  expect(quickfixLine(thread(onLine, { current_line: 7, current_path: 'b c  d.ts' }))).toBe('b c  d.ts:7: ada: why?\n');
});

it('has the message of a finding with its level, because its first line is a title', () => {
  const lineOf = (body: string) => {
    const { notes: [note], ...found } = thread(onLine, { current_line: 7, current_path: 'a.ts' });
    return quickfixLine({ ...found, notes: [{ ...note!, body }] });
  };
  expect(lineOf('**error** · `r1` · lint\n\nUnused variable\nmore')).toBe('a.ts:7: ada: error: Unused variable\n');
  expect(lineOf('**error**')).toBe('a.ts:7: ada: **error**\n');
  expect(lineOf('**errors** are fine\n\nor not')).toBe('a.ts:7: ada: **errors** are fine\n');
});

it.each([
  ['a thread without a place', null, {}],
  ['a point of an image', { position_type: 'image', new_path: 'a.png' }, { current_line: null }],
  ['a line that is gone', onLine, { current_line: null, current_path: null }],
])('leaves out %s', (_, position, place) => expect(quickfixLine(thread(position, place))).toBe(''));

it('knows threads whose line is gone, and no others', () => {
  expect([thread(onLine, { current_line: null }), thread(null, { current_line: null }), thread(onLine, { current_line: 3 })].map(isGone))
    .toEqual([true, false, false]);
});
