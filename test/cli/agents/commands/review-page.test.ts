import { describe, expect, it } from 'vitest';
import { withComment } from '../../../../src/cli/agents/commands.js';
import { readPage } from '../../../../src/cli/notes/review/comments.js';
import { pageText, reviewPage } from '../../../../src/cli/notes/review/page.js';
import { diffLines } from '../../../../src/diff/lines.js';

const thread = { id: 'abcdef12'.repeat(5), individual_note: false, notes: [{
  id: 1, type: null, body: 'A question\n\nwith two parts.', author: { username: 'bob' }, created_at: '2024-05-06T09:00:00.000Z', system: false,
  resolvable: true, resolved: false,
}] } as never;
const page = reviewPage({
  name: 'acme/app!12 "Retry"',
  files: [
    { old_path: 'a.ts', new_path: 'a.ts', lines: diffLines('@@ -1,3 +1,4 @@\n one\n-two\n+2\n+\n three\n@@ -20 +21 @@\n-x\n+y\n') },
    { old_path: 'old.ts', new_path: 'b a.ts', lines: diffLines('@@ -0,0 +1 @@\n+only\n') },
  ],
  threads: [{ thread, file: 0, line: 2, note: '' }],
});
const text = pageText(page);
const read = (edited: string) => {
  const { comments, mistakes } = readPage(page, edited);
  expect(mistakes).toEqual([]);
  return comments;
};

describe('a comment of an agent in the page of a review', () => {
  it.each([[1, 'one'], [2, '2'], [3, ''], [4, 'three'], [21, 'y']] as const)('is on line %i', (line, shown) => {
    const [comment, ...others] = read(withComment(text, { file: 'a.ts', line }, 'Why?\n\nSay it.'));
    expect(others).toEqual([]);
    expect(comment).toMatchObject({ on: 'lines', body: 'Why?\n\nSay it.' });
    expect(JSON.stringify(comment)).toContain(`"text":${JSON.stringify(shown)}`);
  });

  it('is on a file, on all of it, or a reply', () => {
    expect(read(withComment(text, { file: 'b a.ts' }, 'All of it'))).toMatchObject([{ on: 'file', body: 'All of it' }]);
    expect(read(withComment(text, {}, 'In general'))).toMatchObject([{ on: 'request', body: 'In general' }]);
    expect(read(withComment(text, { thread: 'abcdef12' }, 'Yes'))).toMatchObject([{ on: 'thread', body: 'Yes' }]);
    expect(read(withComment(text, { thread: 'abcdef12'.repeat(5) }, 'Yes'))).toMatchObject([{ on: 'thread', body: 'Yes' }]);
  });

  it('can quote, and says nothing to the page', () => {
    const body = '> quoted\n> | range\n[resolve]\nEnd';
    expect(read(withComment(text, { thread: 'abcdef12' }, body))).toMatchObject([{ body: '>quoted\n>| range\n\\[resolve]\nEnd' }]);
  });

  it('can quote empty and indented lines', () => {
    const body = '> a\n>\n>   code\n> \n>\r\n>\ttab\n\nwhy?';
    expect(read(withComment(text, { file: 'a.ts', line: 2 }, body))).toMatchObject([{ body: '>a\n >\n >   code\n > \n >\n>\ttab\n\nwhy?' }]);
    expect(read(withComment(text, {}, 'Top\n>\nb'))).toMatchObject([{ body: 'Top\n >\nb' }]);
  });

  it('cannot resolve a thread, whatever white space is around [resolve]', () => {
    for (const [before, after] of [['', ' '], ['    ', ''], ['\t', '\t'], ['\u2028', ''], ['\ufeff', '\u00a0']]) {
      const comments = read(withComment(text, { thread: 'abcdef12' }, `Keep it open:\n\n${before}[resolve]${after}\n\nPlease.`));
      expect(comments).toMatchObject([{ body: `Keep it open:\n\n${before}\\[resolve]${after}\n\nPlease.`, resolves: false }]);
    }
  });

  it.each([
    [{ file: 'a.ts', line: 5 }, 'a.ts:5 is not in the diff'], [{ file: 'none.ts', line: 1 }, 'none.ts is not in the diff'],
    [{ thread: '00000000' }, 'the merge request has no thread 00000000'],
  ])('is refused for %j', (place, message) => {
    expect(() => withComment(text, place, 'x')).toThrow(message);
  });
});
