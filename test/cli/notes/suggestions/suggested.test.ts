import { describe, expect, it } from 'vitest';
import type { Discussion } from '../../../../src/contract/shapes/note.js';
import { suggestionsIn } from '../../../../src/cli/notes/suggestions/suggested.js';

const body = '```suggestion:-1+1\nx\n```';
const position = { position_type: 'text', new_path: 'a.txt', new_line: 5, head_sha: 'c'.repeat(40) };
const thread = (...notes: object[]): Discussion =>
  ({ id: '1', notes: notes.map((note) => ({ id: 1, body, author: { username: 'ada' }, ...note })) }) as Discussion;

it('reads the lines from the position, that of the thread for replies', () => {
  expect(suggestionsIn(thread({ position, resolved: true }, { id: 2 }))).toMatchObject([
    { note: 1, path: 'a.txt', from_line: 4, to_line: 6, text: 'x\n', head_sha: position.head_sha, is_resolved: true, is_applied: false },
    { note: 2, from_line: 4, to_line: 6 },
  ]);
  expect(suggestionsIn(thread({ position: { ...position, new_line: 1 } }))).toMatchObject([{ from_line: 1, to_line: 2 }]);
});

describe('the suggestions that the service reports', () => {
  const reported = (to_content: string, more: object = {}) => ({ from_line: 4, to_line: 6, to_content, applied: false, ...more });

  it('count, whatever the text seems to have', () => {
    expect(suggestionsIn(thread({ position, body: `<b>\n${body}\n${body}`, suggestions: [reported('a\n'), reported('b\n', { applied: true })] })))
      .toMatchObject([{ text: 'a\n', is_applied: false }, { from_line: 4, to_line: 6, text: 'b\n', is_applied: true }]);
    expect(suggestionsIn(thread({ position, suggestions: [reported('x\n', { from_line: 5 })] }))).toMatchObject([{ from_line: 5 }]);
    expect(suggestionsIn(thread({ position, suggestions: [] }))).toEqual([]);
  });

  it('have lines that end with a line feed, as those of the text have', () => {
    const texts = ['a\r\nb\r\n', 'a\nb\r\n', 'a\nb', ''].map((text) => reported(text));
    expect(suggestionsIn(thread({ position, suggestions: texts })).map(({ text }) => text)).toEqual(['a\nb\n', 'a\nb\n', 'a\nb\n', '']);
  });

  it('are for all the lines of the text where the service cuts their number', () => {
    const long = { position, body: body.replace('+1', '+101'), suggestions: [reported('x\n', { to_line: 105 })] };
    expect(suggestionsIn(thread(long))).toMatchObject([{ from_line: 4, to_line: 106, is_long: true }]);
    expect(suggestionsIn(thread({ ...long, suggestions: [reported('y\n', { to_line: 105 })] }))).toMatchObject([{ to_line: 105, is_long: false }]);
  });

  const standIn = { to_content: '', toJSON: () => ({ from_line: 4, to_line: 6, applied: false }) };
  it.each([
    standIn, { to_content: 5 }, { from_line: 7 }, { from_line: 0 }, { to_line: 6.5 }, { to_line: '6' }, { from_line: null },
  ])('are those of the text where they are incomplete: %j', (odd) => {
    const suggestions = [reported('y\n', odd)];
    expect(suggestionsIn(thread({ position, suggestions }))).toMatchObject([{ from_line: 4, to_line: 6, text: 'x\n', is_incomplete: false }]);
    expect(suggestionsIn(thread({ position, suggestions, body: 'no block' }))).toMatchObject([{ is_incomplete: true }]);
  });
});

it.each([
  [{}], [{ position: { ...position, new_line: null } }], [{ position: { ...position, position_type: 'image' } }], [{ position, system: true }],
  [{ position, body: 5 }],
])('finds none in %j', (note) => {
    expect(suggestionsIn(thread(note))).toEqual([]);
  });
