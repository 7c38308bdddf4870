import { expect, it } from 'vitest';
import type { Discussion, Note } from '../../../src/contract/shapes/note.js';
import { testService } from '../../support/service.js';
import { acme, refs } from '../../support/worlds.js';

const threads = '/projects/20/merge_requests/1/discussions';
const position = {
  base_sha: refs.base, start_sha: refs.start, head_sha: refs.head, position_type: 'text',
  old_path: 'app.js', new_path: 'app.js', new_line: 2,
};

const suggested = async (body: string, more: object = { position }): Promise<Note> => {
  const { post } = await testService({ dialect: 'live' });
  return (await post<Discussion>(threads, { json: { body, ...more } })).body.notes[0]!;
};

it('a diff note has its suggestions, one for each block', async () => {
  const note = await suggested('Better:\n```suggestion:-1+1\neins\nzwei\n```\nor\n````suggestion\n```\n````');
  expect(note.suggestions).toEqual([
    { id: note.id * 1000, from_line: 1, to_line: 3, appliable: true, applied: false,
      from_content: 'one\nzwei\nthree\n', to_content: 'eins\nzwei\n' },
    { id: note.id * 1000 + 1, from_line: 2, to_line: 2, appliable: true, applied: false,
      from_content: 'zwei\n', to_content: '```\n' },
  ]);
});

it('the blocks are those that a page shows, without the spaces of their lists', async () => {
  const { suggestions } = await suggested('<!--\n```suggestion\nx\n```\n-->\n\n1. Use:\n\n   ```suggestion:-1\n     zwei\n   ```\n\n```suggestion\nb');
  expect(suggestions).toMatchObject([{ from_line: 1, to_line: 2, to_content: '  zwei\n' }, { from_line: 2, to_line: 2, to_content: 'b\n' }]);
});

it.each([
  ['what is there already', '```suggestion\nzwei\n```'], ['lines outside the diff', '```suggestion:-0+9\nx\n```'],
])('a suggestion of %s cannot be applied', async (_, body) => {
  expect((await suggested(body)).suggestions).toMatchObject([{ appliable: false }]);
});

it('a text without a suggestion has none, and a note without a position no key', async () => {
  expect((await suggested('```js\nsuggestion\n```')).suggestions).toEqual([]);
  expect((await suggested('```suggestion\nx\n```')).suggestions).toHaveLength(1);
  expect(await suggested('```suggestion\nx\n```', {})).not.toHaveProperty('suggestions');
});

it('the lists show them from a world, after an edit, and in a store of an older version', async () => {
  const { get, post, put } = await testService({ dialect: 'live' });
  const { id, notes: [note] } = (await post<Discussion>(threads, { json: { body: '```suggestion\nx\n```', position } })).body;
  const shown = async () => (await get<Discussion[]>(threads)).body.find((thread) => thread.id === id)!.notes[0]!.suggestions;
  expect(await shown()).toEqual(note!.suggestions);
  await put(`${threads}/${id}/notes/${note!.id}`, { json: { body: '```suggestion\ny\n```' } });
  expect(await shown()).toMatchObject([{ id: note!.id * 1000, to_content: 'y\n' }]);
  const [project, ...others] = acme.projects!;
  const [change] = project!.merge_requests!;
  const seeded = { ...acme, projects: [{ ...project, merge_requests: [{ ...change, discussions: [
    { notes: [{ author: 'guest', body: '```suggestion\nz\n```', position: { ...position, position_type: 'text' as const } }] },
  ] }] }, ...others] };
  const second = await testService({ dialect: 'live', world: seeded });
  expect((await second.get<Discussion[]>(threads)).body[0]!.notes[0]!.suggestions).toMatchObject([{ from_content: 'zwei\n', to_content: 'z\n' }]);
});

it.each([['16.11', 'live'], ['18.1', 'document']] as const)('notes of %s %s have an attachment instead', async (serviceVersion, dialect) => {
  const { get } = await testService({ serviceVersion, dialect });
  const notes = (await get<Discussion[]>(threads)).body.flatMap((thread) => thread.notes);
  expect(notes.every((note) => 'attachment' in note && !('suggestions' in note))).toBe(true);
});
