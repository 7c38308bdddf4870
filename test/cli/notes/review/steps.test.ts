import { expect, it } from 'vitest';
import { draftSteps, postSteps, stepLines, reviewSummary } from '../../../../src/cli/notes/review/steps.js';
import type { Comment } from '../../../../src/cli/notes/review/comments.js';
import { diffLines } from '../../../../src/diff/lines.js';
import { shas } from '../../../support/positions.js';

const file = { old_path: 'a.ts', new_path: 'b.ts', lines: diffLines('@@ -1,2 +1,3 @@\n one\n+two\n+three\n four\n') };
const comments: readonly Comment[] = [
  { on: 'request', body: 'All' },
  { on: 'file', file, body: 'File' },
  { on: 'lines', file, first: file.lines[1]!, last: file.lines[2]!, body: 'Range' },
  { on: 'thread', thread: '1ce5'.padEnd(40, '0'), body: 'Reply', resolves: true },
  { on: 'thread', thread: '53a2'.padEnd(40, '0'), body: '', resolves: true },
];

it('comments are posted one after the other, and threads are resolved after their replies', () => {
  const steps = postSteps(comments, shas);
  expect(steps.map(({ number, action }) => [number, action])).toEqual([
    [0, 'comment'], [1, 'comment'], [2, 'comment'], [3, 'reply'], [4, 'resolve'], [5, 'resolve']]);
  expect(stepLines(steps)).toEqual([
    'comment on the merge request: All', 'comment on b.ts: File', 'comment on b.ts:2-3: Range', 'reply to thread 1ce50000: Reply',
    'resolve thread 1ce50000', 'resolve thread 53a20000']);
  expect(reviewSummary(steps)).toBe('post 4 comments and resolve 2 threads');
});

it('drafts are published together, and resolve threads with their replies', () => {
  const steps = draftSteps(comments, shas, [{ id: 7, position: null, thread: null, body: 'Other' }]);
  expect(steps.map(({ action }) => action)).toEqual(['draft', 'draft', 'draft', 'draft', 'publish', 'resolve']);
  expect(steps[4]).toMatchObject({ accepted: [{ id: 7, body: 'Other' }] });
  expect(stepLines(steps)).toContain('reply to thread 1ce50000, and resolve it: Reply');
  expect(reviewSummary(steps)).toBe('post 4 comments and resolve 2 threads');
});

it('drafts that stay unpublished resolve nothing', () => {
  const steps = draftSteps(comments.slice(0, 4), shas, null);
  expect(steps.map(({ action }) => action)).toEqual(['draft', 'draft', 'draft', 'draft']);
  expect(reviewSummary(steps)).toBe('store 4 drafts');
});
