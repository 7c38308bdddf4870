import { describe, expect, it } from 'vitest';
import { rowOf, tableText } from '../../../../src/cli/terminal/output/table.js';
import { conversation } from '../../../../src/cli/notes/views/conversation.js';
import { discussionView } from '../../../../src/cli/notes/views/discussion.js';
import { positionText } from '../../../../src/cli/notes/position/text.js';
import { stateOf } from '../../../../src/cli/notes/views/cells.js';
import { noteView } from '../../../../src/cli/notes/views/records.js';
import type { Note } from '../../../../src/contract/shapes/note.js';

const note = (more: Partial<Note> = {}): Note => ({
  id: 1, type: 'DiscussionNote', body: 'text', attachment: null, created_at: '2024-05-01T11:00:00.000Z', updated_at: '2024-05-01T11:00:00.000Z',
  author: { id: 1, name: 'Ada', username: 'ada', state: 'active', avatar_url: null, web_url: 'https://a.example/ada' },
  system: false, noteable_id: 1, noteable_type: 'MergeRequest', ...more,
});
const shas = { base_sha: 'a', start_sha: 'b', head_sha: 'c' };
const shown = (...notes: Note[]) =>
  conversation({ id: 'f'.repeat(40), individual_note: false, notes }, {
    isTerminal: true, now: new Date('2024-05-01T12:00:00Z'), columns: 80, colors: 0, links: false, web: null,
  });

describe('the position of a note', () => {
  it.each([
    [{ position_type: 'text', new_path: 'a.ts', new_line: 3 }, 'a.ts:3'],
    [{ position_type: 'text', old_path: 'old.ts', new_path: 'new.ts', old_line: 3, new_line: null }, 'old.ts:3 (old)'],
    [{ position_type: 'text', new_path: 'a.ts' }, 'a.ts'],
    [{ position_type: 'image', new_path: 'a.png', x: 1, y: 2 }, 'a.png at 1,2'],
    [{ position_type: 'file', new_path: 'a.ts' }, 'a.ts'],
  ] as const)('of %j is %s', (position, text) => {
    expect(positionText({ ...shas, ...position })).toBe(text);
  });

  it('is empty without a position', () => {
    expect([positionText(null), positionText(undefined)]).toEqual(['', '']);
  });
});

describe('the age of a thread or a note', () => {
  const place = { isTerminal: true, now: new Date('2024-05-01T11:42:00Z'), columns: 80, colors: 0, links: false, web: null } as const;
  const one = note({
    body: 'x'.repeat(90), resolvable: true, resolved: true,
    position: { ...shas, position_type: 'text', new_path: 'src/delivery/attempts.ts', new_line: 13 },
  });
  const thread = { id: 'f'.repeat(40), individual_note: false, notes: [one] };

  it('is complete or omitted, never cut', async () => {
    const tables = (columns: number) => Promise.all([
      tableText([rowOf(thread, discussionView, { ...place, columns })], discussionView, { ...place, columns }),
      tableText([rowOf(one, noteView, { ...place, columns })], noteView, { ...place, columns }),
    ]);
    for (const text of await tables(80)) expect(text).toContain('  42 minutes ago  ');
    for (let columns = 30; columns < 80; columns++) {
      for (const text of await tables(columns)) expect(text).not.toMatch(/42 (?!minutes ago )/);
    }
  });
});

describe('the state of a thread', () => {
  const state = (...notes: Partial<Note>[]) => stateOf({ id: '', individual_note: false, notes: notes.map(note) });

  it('is open until everything resolvable is resolved', () => {
    expect(state({ resolvable: true, resolved: true }, { resolvable: true, resolved: false })).toBe('open');
    expect(state({ resolvable: true, resolved: true }, { resolvable: false })).toBe('resolved');
    expect(state({ resolvable: false }, {})).toBe('');
  });
});

describe('a conversation', () => {
  it('marks system notes, edits and resolutions', async () => {
    expect(await shown(note({ system: true }))).toContain('1 hour ago, 2024-05-01 11:00 UTC [system]');
    expect(await shown(note({ updated_at: '2024-05-01T11:30:00.000Z' }))).toContain('1 hour ago, 2024-05-01 11:00 UTC, edited');
    expect(await shown(note({ resolvable: true, resolved: true, resolved_by: null }))).toContain('[resolved]');
  });

  it('indents every line of a reply', async () => {
    expect(await shown(note(), note({ id: 2, body: 'one\n\ntwo\n' }))).toContain('#note_2\n    one\n\n    two\n');
  });

  it('escapes control characters', async () => {
    const hostile = 'x\x1b]0;title\x07\u202e\ud800';
    const text = await shown(note({ body: hostile, author: { ...note().author, name: hostile, username: hostile } }));
    expect(text).not.toMatch(/[\x1b\x07\u202e\ud800]/);
  });
});
