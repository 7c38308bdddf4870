import { expect, it } from 'vitest';
import { writeCommand } from '../../../../src/cli/agents/commands.js';

it('what an agent gives is never an option', () => {
  const { options, positionals, text } = writeCommand({ action: 'reply', ref: '--token=x', thread: '-f', body: '--help', key: '--yes' });
  expect(positionals).toEqual(['--token=x', '-f']);
  expect(options).toEqual(['discussions', 'reply', '--body-file=-', '--output=id', '--key=--yes']);
  expect(text).toBe('--help');
});

it.each([
  [{ action: 'reply', ref: 'mr/1', body: 'x' }, 'reply requires thread'], [{ action: 'resolve', ref: 'mr/1', thread: '' }, 'resolve requires thread'],
  [{ action: 'comment', ref: 'mr/1' }, 'comment requires body'], [{ action: 'upsert', ref: 'mr/1', body: 'x' }, 'upsert requires key'],
  [{ action: 'review', ref: 'mr/1' }, 'review requires body'], [{ action: 'comment', ref: 'mr/1', body: 'x', line: 3 }, 'line requires file'],
  [{ action: 'review', ref: 'mr/1', body: 'x', line: 3 }, 'line requires file'],
  [{ action: 'review', ref: 'mr/1', body: 'x', thread: '53a25ddd', file: 'a.ts' }, 'thread and file cannot be combined'],
] as const)('%j is refused: %s', (given, message) => {
  expect(() => writeCommand(given)).toThrow(message);
});

it.each([
  [{ action: 'resolve', thread: '53a25ddd', body: 'Moved.' }, 'resolve has no body', 'use body with reply or comment or upsert or review'],
  [{ action: 'unresolve', thread: '53a25ddd', body: 'No.' }, 'unresolve has no body', 'use body with reply or comment or upsert or review'],
  [{ action: 'unresolve', thread: '53a25ddd', fixed_by: 'HEAD' }, 'unresolve has no fixed_by', 'use fixed_by with resolve'],
  [{ action: 'resolve', thread: '53a25ddd', verdict: 'approve' }, 'resolve has no verdict', 'use verdict with review'],
  [{ action: 'resolve', thread: '53a25ddd', key: 'k' }, 'resolve has no key', 'use key with reply or comment or upsert'],
  [{ action: 'comment', body: 'x', thread: '53a25ddd' }, 'comment has no thread', 'use thread with reply or resolve or unresolve or review'],
  [{ action: 'comment', body: 'x', summary: 'y' }, 'comment has no summary', 'use summary with review'],
  [{ action: 'upsert', body: 'x', key: 'k', file: 'a.ts', line: 3 }, 'upsert has no file', 'use file with comment or review'],
  [{ action: 'reply', body: 'x', thread: '53a25ddd', line: 3 }, 'reply has no line', 'use line with comment or review'],
  [{ action: 'review', body: 'x', key: 'k' }, 'review has no key', 'use key with reply or comment or upsert'],
  [{ action: 'review', verdict: 'approve', body: 'x' }, 'a verdict has no body', expect.stringContaining('store the comments first')],
  [{ action: 'review', summary: 'y', thread: '53a25ddd' }, 'a verdict has no thread', expect.stringContaining('store the comments first')],
] as const)('%j would be ignored in part, so it is refused: %s', (given, message, hint) => {
  expect(() => writeCommand({ ref: 'mr/1', ...given })).toThrow(expect.objectContaining({ message, hint }) as Error);
});

it('an empty text is as good as none', () => {
  expect(writeCommand({ action: 'resolve', ref: 'mr/1', thread: '53a25ddd', body: '', key: '' }).positionals).toEqual(['mr/1', '53a25ddd']);
});
