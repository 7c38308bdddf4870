import { expect, it } from 'vitest';
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

it('knows which ones the service has applied', () => {
  expect(suggestionsIn(thread({ position, suggestions: [{ applied: true }] }))).toMatchObject([{ is_applied: true }]);
});

it.each([[{}], [{ position: { ...position, new_line: null } }], [{ position: { ...position, position_type: 'image' } }], [{ position, system: true }]])(
  'finds none in %j', (note) => {
    expect(suggestionsIn(thread(note))).toEqual([]);
  });
