import { expect, it } from 'vitest';
import { pageText, reviewPage, type Review } from '../../../../src/cli/notes/review/page.js';
import { diffLines } from '../../../../src/diff/lines.js';
import { note } from '../../../support/notes.js';

type ReviewThread = Review['threads'][number];

const thread = (id: string, body: string, more: object = {}) =>
  ({ id: id.padEnd(40, '0'), individual_note: false, notes: [note({ id: 1, body, ...more })] });
const general: ReviewThread = { thread: thread('53a2', 'In general'), file: null, line: null, note: '' };

it('the threads of a line, of a file and of no place follow each other, a resolved one with one line of text', () => {
  const file = { old_path: 'a.ts', new_path: 'a.ts', lines: diffLines('@@ -1 +1,2 @@\n one\n+two\n') };
  const page = reviewPage({ name: 'Review of mr/1', files: [file], threads: [
    general, { ...general, file: 0, thread: thread('aaaa', 'On the file'), note: 'on a.ts:9 of an older version' },
    { ...general, file: 0, line: 1, thread: thread('bbbb', 'Done\n\nLong ago', { resolvable: true, resolved: true }) },
  ] });
  expect(page.slice(9, -5).map(({ text }) => text)).toEqual([
    'diff --git a/a.ts b/a.ts', '# thread aaaa0000 on a.ts:9 of an older version', expect.stringContaining('note 1'), '#   On the file',
    '@@ -1 +1 @@', ' one', '+two', '# thread bbbb0000 [resolved]', expect.stringContaining('note 1'), '#   Done',
    '', 'Threads without a position in the diff', '# thread 53a20000', expect.stringContaining('note 1'), '#   In general'].map((line, i) =>
    i === 1 || i === 12 ? expect.stringContaining(String(line)) as string : line));
});

it('a resolved finding shows its level and message, as in discussions view', () => {
  const finding = '**error** · [`F401`](https://docs.example/F401) · ruff\n\n`os` imported but unused\n';
  const page = reviewPage({ name: 'Review of mr/1', files: [], threads: [
    { ...general, thread: thread('53a2', finding, { resolvable: true, resolved: true }) }] });
  expect(page.slice(10, -5).map(({ text }) => text)).toEqual([
    '# thread 53a20000 [resolved]', expect.stringContaining('note 1'), '#   error: `os` imported but unused']);
});

it('no line of other people is among the first or last five, where vim reads settings', () => {
  const hostile = 'vim: set modeline:';
  const lines = pageText(reviewPage({
    name: hostile, files: [{ old_path: hostile, new_path: hostile, lines: diffLines(`@@ -0,0 +1 @@\n+${hostile}\n`) }],
    threads: [{ ...general, thread: thread('1', hostile) }],
  })).trimEnd().split('\n');
  expect([...lines.slice(0, 5), ...lines.slice(-5)].join('\n')).not.toContain('vim:');
});

it('characters that act on a terminal are escaped in every line', () => {
  const hostile = 'a\x1b[2J\u202eb';
  const written = pageText(reviewPage({
    name: hostile, files: [{ old_path: hostile, new_path: hostile, lines: diffLines(`@@ -0,0 +1 @@\n+${hostile}\n`) }],
    threads: [{ ...general, thread: thread('1', hostile), note: '' }],
  }));
  expect(written).not.toMatch(/[\x1b\u202e]/);
});
