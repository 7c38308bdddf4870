import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPage, type Comment } from '../../../../src/cli/notes/review/comments.js';
import { pageText, reviewPage, type PageLine, type Review } from '../../../../src/cli/notes/review/page.js';
import { isNextLine, diffLines, type DiffLine } from '../../../../src/diff/lines.js';
import { parsePatch } from '../../../../src/diff/patch.js';
import { editedFiles, patchOf } from '../../../support/edits.js';
import { note } from '../../../support/notes.js';

type ReviewThread = Review['threads'][number];

const filesOf = (patch: string) => parsePatch(patch).map(({ old_path, new_path, diff }) => ({ old_path, new_path, lines: diffLines(diff) }));

const [file] = filesOf(`diff --git a/src/a.ts b/src/a.ts
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,4 +1,5 @@
 one
-two
+2
+two and a half
 three
 four
@@ -20,2 +21,2 @@
 twenty
-twenty-one
+21
`);
const thread = (id: string, ...bodies: string[]) => ({
  id: id.padEnd(40, '0'), individual_note: false, notes: bodies.map((body, i) => note({ id: i + 1, body, resolvable: true })),
});
const onLine: ReviewThread = { thread: thread('1ce5', 'Why?\n\nReally.', 'Because.'), file: 0, line: 2, note: '' };
const general: ReviewThread = { thread: thread('53a2', 'In general'), file: null, line: null, note: '' };
const page = reviewPage({ name: 'acme/app!5 "Numbers"', files: [file!], threads: [onLine, general] });
const text = pageText(page);

/** Writes below the only line of the page that ends so. */
const below = (end: string, written: string, from = text): string => {
  const lines = from.split('\n');
  const found = lines.flatMap((line, i) => line.endsWith(end) ? [i] : []);
  if (found.length !== 1) throw new Error(`${found.length} lines end in ${end}`);
  return [...lines.slice(0, found[0]! + 1), written, ...lines.slice(found[0]! + 1)].join('\n');
};

describe('text below a quoted line', () => {
  it.each<[string, string, Partial<Comment>]>([
    ['an added line', '+2', { on: 'lines', first: file!.lines[2]!, last: file!.lines[2]! }],
    ['a removed line', '-two', { on: 'lines', first: file!.lines[1]!, last: file!.lines[1]! }],
    ['an unchanged line', 'three', { on: 'lines', first: file!.lines[4]! }],
    ['a file', 'b/src/a.ts', { on: 'file', file: file! }],
    ['the merge request', '"Numbers"', { on: 'request' }],
    ['a thread', 'Because.', { on: 'thread', thread: onLine.thread.id, resolves: false }],
    ['a general thread', 'In general', { on: 'thread', thread: general.thread.id, resolves: false }],
  ])('is about %s', (_, end, comment) => {
    const { comments, mistakes } = readPage(page, below(end, '\n  Indented.\n\n>quoted\n'));
    expect(mistakes).toEqual([]);
    expect(comments).toEqual([expect.objectContaining({ ...comment, body: '  Indented.\n\n>quoted' })]);
  });

  it('resolves the thread, with or without a reply', () => {
    const resolved = (written: string) => readPage(page, below('Because.', written)).comments;
    expect(resolved('[resolve]')).toEqual([{ on: 'thread', thread: onLine.thread.id, body: '', resolves: true }]);
    expect(resolved('Thanks.\n\n[resolve]\n')).toEqual([{ on: 'thread', thread: onLine.thread.id, body: 'Thanks.', resolves: true }]);
  });

  it('is about a range of marked lines, with or without threads between them', () => {
    const marked = text.replace('> -two', '> |-two').replace('> +2\n', '> |+2\n').replace('> +two and', '> |+two and');
    expect(readPage(page, below('and a half', 'Count on.', marked)).comments).toEqual([
      { on: 'lines', file, first: file!.lines[1], last: file!.lines[3], body: 'Count on.' }]);
  });

  it('is found in a page with CRLF and without white space at the ends of lines', () => {
    const edited = below('+2', 'Hm.').split('\n').map((line) => line.trimEnd()).join('\r\n');
    expect(readPage(page, edited)).toMatchObject({ comments: [{ on: 'lines', body: 'Hm.' }], mistakes: [] });
  });
});

it('an unchanged page has no comments', () => {
  expect(readPage(page, text)).toEqual({ comments: [], mistakes: [] });
});

describe('a mistake', () => {
  const lineOf = (edited: string, part: string) => edited.split('\n').findIndex((line) => line.includes(part)) + 1;
  it.each<[string, string, string, string]>([
    ['a changed quoted line', text.replace('> +2\n', '> +three\n'), '> +three', 'this quoted line was changed'],
    ['a removed quoted line', text.replace('> +2\n', ''), '# thread 1ce5', 'the quoted line "> +2" is missing'],
    ['several removed quoted lines', text.replace(/> \+2\n(> #.*\n)+/, ''), 'and a half', '9 quoted lines from "> +2" on are missing'],
    ['an added quoted line', below('+2', '> quoted'), '> quoted', 'this quoted line was not there before'],
    ['a removed end', text.split('\n').slice(0, 12).join('\n'), '>  one', '27 quoted lines from "> -two" on are missing'],
    ['text above all quoted lines', `\nHello\n${text}`, 'Hello', 'there is text above all quoted lines'],
    ['[resolve] below a line of the diff', below('-two', 'Hm.\n[resolve]'), 'Hm.', '[resolve] is not below a thread'],
    ['text below the head of a hunk', below('@@ -20 +21 @@', 'Hm.'), 'Hm.', 'the quoted line above this text takes no comments'],
    ['a range without a comment', text.replace('> +21', '> |+21'), '(end)', 'lines are marked without a comment'],
    ['a range that ends further up', below('+21', 'Hm.', text.replace('> -twenty', '> |-twenty')), 'Hm.',
      'lines are marked further up, but the line above this text is not the last of them'],
    ['a range over two hunks', below('twenty', 'Hm.', text.replace('>  four', '> | four').replace('>  twenty', '> | twenty')), 'Hm.',
      'the marked lines are not successive lines of one hunk'],
    ['a marked thread', below('Because.', 'Hm.', text.replace('> #   Because.', '> |#   Because.')), 'Hm.',
      'the marked lines are not successive lines of one hunk'],
  ])('is %s, with its line', (_, edited, at, message) => {
    const line = at === '(end)' ? edited.split('\n').length - 1 : lineOf(edited, at);
    expect(readPage(page, edited).mistakes).toEqual([{ line, message, hint: expect.any(String) as string }]);
  });

  it('leaves the comments below other lines as they are', () => {
    const edited = below('twenty', 'Right.', text.replace('> +2\n', '> +three\n'));
    expect(readPage(page, edited)).toMatchObject({ comments: [{ body: 'Right.' }], mistakes: [{}] });
  });

  it('that replaces everything is reported once', () => {
    const { mistakes } = readPage(Array.from({ length: 2000 }, (_, i): PageLine => ({ text: `${i}`, anchor: null })),
      Array.from({ length: 2000 }, (_, i) => `> x${i}`).join('\n'));
    expect(mistakes).toHaveLength(1);
  });
});

describe('comments that are written on a page', () => {
  const words = fc.stringMatching(/^[a-z>#|+\-[\] `]{0,12}$/);
  const body = fc.array(words, { minLength: 1, maxLength: 4 }).map((lines) => lines.join('\n').replace(/^( *\n)+/, '').trimEnd())
    .filter((one) => one.trim() !== '' && one.split('\n').every((line) => !/^>( |$)/.test(line) && line.trim() !== '[resolve]'));
  const ids = fc.stringMatching(/^[0-9a-f]{8}$/);

  const review = fc.record({ files: editedFiles, seeds: fc.array(fc.tuple(fc.nat(), body, ids), { maxLength: 4 }) })
    .map(({ files, seeds }) => {
      const changed = filesOf(patchOf(files));
      const threads = seeds.map(([seed, one, id]): ReviewThread => {
        const on = seed % 5 === 0 ? null : seed % changed.length;
        const line = on === null || seed % 3 === 0 ? null : seed % changed[on]!.lines.length;
        return { thread: thread(id, one), file: on, line, note: '' };
      });
      return reviewPage({ name: 'acme/app!5', files: changed, threads });
    });

  interface Written { readonly place: number; readonly span: number; readonly body: string; readonly resolves: boolean }
  const written = fc.array(fc.record({
    place: fc.nat(), span: fc.integer({ min: 0, max: 3 }), body, resolves: fc.boolean(),
  }), { maxLength: 5 });

  it('are read as they were written', () => {
    fc.assert(fc.property(review, written, (lines, wishes) => {
      const { text: edited, comments } = edit(lines, wishes);
      expect(readPage(lines, edited)).toEqual({ comments, mistakes: [] });
    }), { numRuns: 500 });
  });

  it('stay with their lines, or there are mistakes, when any quoted line is lost', () => {
    fc.assert(fc.property(review, written, fc.nat(), (lines, wishes, lost) => {
      const { text: edited } = edit(lines, wishes);
      const all = edited.split('\n');
      const quotes = all.flatMap((line, i) => /^>( |$)/.test(line) ? [i] : []);
      const kept = all.filter((_, i) => i !== quotes[lost % quotes.length]).join('\n');
      expect(readPage(lines, kept).mistakes.length).toBeGreaterThan(0);
    }), { numRuns: 300 });
  });

  /** Each wish on a line of its own; a range goes back over successive lines of the same hunk. */
  const edit = (lines: readonly PageLine[], wishes: readonly Written[]): { text: string; comments: Comment[] } => {
    const places = lines.flatMap(({ anchor }, i) => anchor && anchor.to !== 'verdict' ? [i] : []);
    const byPlace = new Map(wishes.map((wish) => [places[wish.place % places.length]!, wish]));
    const marked = new Set<number>();
    const comments: Comment[] = [];
    for (const [place, wish] of [...byPlace].sort(([a], [b]) => a - b)) {
      const { anchor } = lines[place]!;
      if (anchor?.to !== 'line') {
        comments.push(commentOn(anchor!, wish));
        continue;
      }
      const range = rangeUpFrom(lines, place, wish.span, (i) => marked.has(i) || byPlace.has(i));
      for (const i of range.length > 1 ? range : []) marked.add(i);
      const first = (lines[range[0]!]!.anchor as { line: DiffLine }).line;
      comments.push({ on: 'lines', file: anchor.file, first, last: anchor.line, body: wish.body });
    }
    const quoted = pageText(lines).trimEnd().split('\n');
    const edited = lines.flatMap((_, i) => {
      const quote = quoted[i] ?? '>';
      const wish = byPlace.get(i);
      const shown = marked.has(i) ? `> |${quote.slice(2)}` : quote;
      if (!wish) return [shown];
      const end = lines[i]!.anchor?.to === 'thread' && wish.resolves ? ['[resolve]'] : [];
      return [shown, '', ...wish.body.split('\n'), ...end, ''];
    });
    return { text: edited.join('\n'), comments };
  };

  const commentOn = (anchor: NonNullable<PageLine['anchor']>, { body: one, resolves }: Written): Comment => {
    if (anchor.to === 'thread') return { on: 'thread', thread: anchor.thread.id, body: one, resolves };
    return anchor.to === 'file' ? { on: 'file', file: anchor.file, body: one } : { on: anchor.to === 'summary' ? 'summary' : 'request', body: one };
  };

  const rangeUpFrom = (
    lines: readonly PageLine[], place: number, span: number, isTaken: (place: number) => boolean,
  ): number[] => {
    const range = [place];
    for (let i = place - 1; i >= 0 && range.length <= span; i--) {
      const [anchor, next] = [lines[i]!.anchor, lines[range[0]!]!.anchor as { line: DiffLine }];
      if (anchor?.to === 'thread' && !isTaken(i)) continue;
      if (anchor?.to !== 'line' || isTaken(i) || !isNextLine(anchor.line, next.line)) break;
      range.unshift(i);
    }
    return range;
  };
});
