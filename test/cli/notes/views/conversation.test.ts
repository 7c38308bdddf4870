import { describe, expect, it } from 'vitest';
import { conversation } from '../../../../src/cli/notes/views/conversation.js';
import { diffLines } from '../../../../src/diff/lines.js';
import type { Note } from '../../../../src/contract/shapes/note.js';
import { note } from '../../../support/notes.js';

const display = { isTerminal: true, now: new Date('2024-05-01T12:00:00Z'), columns: 80, colors: 0, links: false, web: null } as const;
const threadOf = (...notes: Note[]) => ({ id: 'f'.repeat(40), individual_note: false, notes });
const shown = (...notes: Note[]) => conversation(threadOf(...notes), display);

describe('a conversation', () => {
  it('marks system notes, edits and resolutions', async () => {
    expect(await shown(note({ system: true }))).toContain('1 hour ago, 2024-05-01 11:00 UTC [system]');
    expect(await shown(note({ updated_at: '2024-05-01T11:30:00.000Z' }))).toContain('1 hour ago, 2024-05-01 11:00 UTC, edited');
    expect(await shown(note({ resolvable: true, resolved: true, resolved_by: null }))).toContain('[resolved]');
  });

  it('is headed by what it is: a thread, a single comment, or a note of the service', async () => {
    const headed = async (isComment: boolean, system: boolean) =>
      (await conversation({ ...threadOf(note({ system })), individual_note: isComment }, display)).split(' ')[0];
    expect([await headed(false, false), await headed(true, false), await headed(true, true)]).toEqual(['thread', 'comment', 'note']);
  });

  it('names the resolver of its first note, not the author of a reply in the resolved thread', async () => {
    const by = (username: string) => note({ resolvable: true, resolved: true, resolved_by: { ...note().author, username } });
    expect(await shown(by('bob'), by('eve'))).toContain('[resolved by @bob]');
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

describe('a suggestion in a conversation', () => {
  const file = diffLines('@@ -1,3 +1,3 @@\n one\n-two\n+\tzwei\n three\n');
  const suggestion = 'Better:\n\n```suggestion:-1+0\na\tb\n\u001b[2J\n```\n\nIs it?';
  const on = (line: number, body = suggestion) => note({ body, position: {
    position_type: 'text', base_sha: 'a', start_sha: 'a', head_sha: 'b', old_path: 'a.ts', new_path: 'a.ts', new_line: line } });

  it('is the diff that it is, with the lines that it replaces, tabs as columns, and escapes', async () => {
    expect(await conversation(threadOf(on(2)), display, { file })).toContain([
      '  Better:', '', '  suggested change of lines 1-2:', '  -one', '  -    zwei', '  +a   b', '  +\\u001b[2J', '', '  Is it?'].join('\n'));
  });

  it('has only its own lines where those that it replaces are not known', async () => {
    expect(await conversation(threadOf(on(9)), display, { file })).toContain('  suggested change of lines 8-9:\n  +a   b\n');
  });

  it('is what the page shows as one: in a list, not in a comment, which stays marked', async () => {
    const body = '<!--\n```suggestion\nhidden\n```\n-->\n\n- Use:\n\n  ```suggestion:+1\n    c\n  ```\n\n  Is it?';
    const text = await conversation(threadOf(on(2, body)), display, { file });
    expect(text).toMatch(/<comment:[^]*hidden[^]*- Use:\n\n/);
    expect(text.split('suggested change of')[1]).toBe(' lines 2-3:\n  -    zwei\n  -three\n  +  c\n\n  Is it?\n');
    expect(text.match(/suggested change/g)).toHaveLength(1);
  });

  it('is about the line of the thread in a reply, and stays text in a thread without a line', async () => {
    const reply = note({ id: 2, body: suggestion });
    expect(await conversation(threadOf(on(2, 'Why?'), reply), display, { file })).toContain('    -one\n    -    zwei\n    +a   b\n');
    expect(await conversation(threadOf(reply), display, { file })).not.toContain('suggested change');
  });
});

it('a conversation about an older version shows its lines, then those of today', async () => {
  const code = (diff: string) => diffLines(diff).map((line) => ({ ...line, isCommented: line.text === 'b' }));
  const text = await conversation(threadOf(note()), display, {
    former: code('@@ -1 +1 @@\n-a\n+b\n'), current: code('@@ -1 +1,2 @@\n-a\n+new\n+b\n') });
  expect(text).toContain('\n  1   -a\n>   1 +b\n\nnow\n  1   -a\n    1 +new\n>   2 +b\n\n');
});
