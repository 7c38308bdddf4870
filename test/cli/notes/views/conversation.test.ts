import { describe, expect, it } from 'vitest';
import { conversation } from '../../../../src/cli/notes/views/conversation.js';
import type { Note } from '../../../../src/contract/shapes/note.js';
import { note } from '../../../support/notes.js';

const shown = (...notes: Note[]) =>
  conversation({ id: 'f'.repeat(40), individual_note: false, notes }, {
    isTerminal: true, now: new Date('2024-05-01T12:00:00Z'), columns: 80, colors: 0, links: false, web: null,
  });

describe('a conversation', () => {
  it('marks system notes, edits and resolutions', async () => {
    expect(await shown(note({ system: true }))).toContain('1 hour ago, 2024-05-01 11:00 UTC [system]');
    expect(await shown(note({ updated_at: '2024-05-01T11:30:00.000Z' }))).toContain('1 hour ago, 2024-05-01 11:00 UTC, edited');
    expect(await shown(note({ resolvable: true, resolved: true, resolved_by: null }))).toContain('[resolved]');
  });

  it('marks internal notes', async () => {
    expect(await shown(note({ internal: true }))).toContain(' UTC [internal]');
    expect(await shown(note({ internal: false }))).not.toContain('[internal]');
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
