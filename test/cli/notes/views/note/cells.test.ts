import { describe, expect, it } from 'vitest';
import { ago, isInternal, noteText, threadState, timeText } from '../../../../../src/cli/notes/views/note.js';
import type { Note } from '../../../../../src/contract/shapes/note.js';
import { plainLine } from '../../../../../src/text/plain.js';
import { note } from '../../../../support/notes.js';
import { everyRow } from '../../../../support/rows.js';

const now = new Date('2024-05-01T12:00:00Z');

it.each([
  ['2024-05-01T11:59:31.000Z', 'just now'], ['2024-05-01T11:59:00.000Z', '1 minute ago'], ['2024-05-01T10:00:00.000Z', '2 hours ago'],
  ['2024-05-01T13:00:00.000+02:00', '1 hour ago'], ['2024-04-30T12:00:00.000Z', '1 day ago'], ['2024-04-20T12:00:00.000Z', '1 week ago'],
  ['2024-03-01T12:00:00.000Z', '2 months ago'], ['2021-05-01T12:00:00.000Z', '3 years ago'], ['2024-05-02T12:00:00.000Z', 'in 1 day'],
  ['soon', 'soon'],
])('%s was %s', (instant, text) => {
  expect(ago(instant, now)).toBe(text);
});

it('programs get the timestamp unchanged', () => {
  expect(timeText('2024-05-01T11:59:00.000Z', { isTerminal: false, now })).toBe('2024-05-01T11:59:00.000Z');
});

describe('the state of a thread', () => {
  const state = (...notes: Partial<Note>[]) => threadState({ id: '', individual_note: false, notes: notes.map(note) });

  it('is open until everything resolvable is resolved', () => {
    expect(state({ resolvable: true, resolved: true }, { resolvable: true, resolved: false })).toBe('open');
    expect(state({ resolvable: true, resolved: true }, { resolvable: false })).toBe('resolved');
    expect(state({ resolvable: false }, {})).toBe('');
  });

  it('is open if a merge request has a thread of which the service says nothing', () => {
    const unsaid = (change: Partial<Note>) => {
      const { resolvable: _, ...rest } = note(change);
      return threadState({ id: '', individual_note: false, notes: [rest] });
    };
    expect((['MergeRequest', 'Merge request', 'Issue', 'Epic'] as const).map((noteable_type) => unsaid({ noteable_type })))
      .toEqual(['open', 'open', '', '']);
    expect([unsaid({ type: null }), unsaid({ system: true })]).toEqual(['', '']);
  });
});

describe('an internal note', () => {
  it('has either name, and a mark at a terminal only', () => {
    expect([{ internal: true }, { confidential: true }, { confidential: null }, {}].map((part) => isInternal(note(part)))).toEqual([true, true, false, false]);
    const text = (isTerminal: boolean, part: Partial<Note>) => noteText(note({ body: 'Text.', ...part }), { isTerminal });
    expect([text(true, { internal: true }), text(false, { internal: true }), text(true, {})]).toEqual(['[internal] Text.', 'Text.', 'Text.']);
    expect(noteText(undefined, { isTerminal: true })).toBe('');
  });
});

it('a note that the service wrote itself has a mark at a terminal only', () => {
  const text = (isTerminal: boolean) => noteText(note({ body: 'added 1 commit', system: true }), { isTerminal });
  expect([text(true), text(false)]).toEqual(['[system] added 1 commit', 'added 1 commit']);
});

it('the text in a table at a terminal has no markup, and names level and rule of a finding', async () => {
  await everyRow([
    ['**error** · [`E722`](https://a.example/E722) · ruff\n\nDo not use **bare** except', 'error E722: Do not use bare except'],
    ['**note** · `no-``x`\n\nText', 'note no-``x: Text'], ['**warning**\n\nText', 'warning: Text'], ['**warning** · mypy\n\nText', 'warning: Text'],
    ['**error** · `a`\n\nText\n\n```suggestion:-0+0\nx = 1\n```', 'error a: Text x = 1'], ['**bold** text', 'bold text'],
    ['<ul><li>one</li></ul>', 'one'],
  ] as const, ([body]) => body, ([body, shown]) => {
    expect(plainLine(noteText(note({ body }), { isTerminal: true }))).toBe(shown);
    expect(noteText(note({ body }), { isTerminal: false })).toBe(body);
  });
});
