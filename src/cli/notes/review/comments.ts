import { diffArrays } from 'diff';
import { type DiffLine, isNextLine } from '../../../diff/lines.js';
import { counted } from '../../../text/messages.js';
import type { App, ReviewPlace } from '../../app.js';
import { Problem, usage } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import type { Target } from '../../service/targets/target.js';
import { threadOf } from '../../service/targets/threads.js';
import { readEdited } from '../../state/folders.js';
import { canAsk, say } from '../../terminal/io/messages.js';
import type { Anchor, PageLine, Review, ReviewFile } from './page.js';
import { isVerdict, type Verdict } from './verdict.js';

/**
 * Opens the editor until the page can be read.
 * @throws Problem if nothing was written, and for mistakes without a terminal or if the user gives up
 */
export const editReview = async (
  app: App, flags: GlobalFlags, page: readonly PageLine[], path: string,
): Promise<readonly Comment[]> => {
  for (;;) {
    await app.ask.edit(path);
    const found = readPage(page, await readEdited(app.drafts, path));
    const { comments, mistakes } = found;
    if (hasNothing(found)) throw new Problem('cancelled', 'no comments were written; nothing was sent');
    if (mistakes.length === 0) return comments;
    const lines = mistakes.map(({ line, message, hint }) => `line ${line}: ${message}; ${hint}`);
    const what = `the review has ${counted(mistakes.length, 'mistake')}`;
    if (!canAsk(app, flags)) throw usage(what, lines.join('\n'));
    await say(app, flags, [`${what}:`, ...lines.map((line) => `  ${line}`)].join('\n'));
    if (!await app.ask.confirm('Open the editor again?', true)) throw new Problem('cancelled', 'nothing was sent');
  }
};

export type Comment =
  | { readonly on: 'request' | 'verdict' | 'summary'; readonly body: string }
  | { readonly on: 'file'; readonly file: ReviewFile; readonly body: string }
  | {
    readonly on: 'lines'; readonly file: ReviewFile; readonly first: DiffLine; readonly last: DiffLine;
    readonly body: string;
  }
  | { readonly on: 'thread'; readonly thread: string; readonly body: string; readonly resolves: boolean };

/** @throws Problem if the review does not have the place */
export const commentOn = async (
  target: Target, { files, threads }: Review, place: ReviewPlace, body: string,
): Promise<Comment> => {
  if (place.thread !== undefined) {
    const thread = await threadOf(target, place.thread, threads.map((placed) => placed.thread));
    return { on: 'thread', thread, body, resolves: false };
  }
  if (place.file === undefined) return { on: 'request', body };
  const file = files.find(({ new_path }) => new_path === place.file);
  if (!file) throw usage(`${place.file} is not in the diff`, 'take a path that find lines printed');
  if (place.line === undefined) return { on: 'file', file, body };
  const line = file.lines?.find(({ kind, newLine }) => kind !== 'removed' && newLine === place.line);
  if (line) return { on: 'lines', file, first: line, last: line, body };
  throw usage(`${place.file}:${place.line} is not in the diff`, 'take a line that find lines printed');
};

/** The rest are comments on what the page shows. */
export const verdictOf = (comments: readonly Comment[]): Verdict => {
  const bodyOf = (on: Comment['on']) => comments.find((comment) => comment.on === on)?.body ?? null;
  const word = bodyOf('verdict');
  return { verdict: word !== null && isVerdict(word) ? word : null, summary: bodyOf('summary') };
};

interface ReadPage {
  readonly comments: readonly Comment[];
  /** With any, nothing of the page may be sent. */
  readonly mistakes: readonly Mistake[];
}

/**
 * Every quoted line must be there unchanged, except for white space at its end, which editors remove, and the mark of
 * a range. A line that starts with `>` and continues without a space belongs to the text, so that a comment can
 * quote. An empty page has no comments, as in git.
 */
export const readPage = (page: readonly PageLine[], edited: string): ReadPage => {
  if (edited.trim() === '') return { comments: [], mistakes: [] };
  const lines = edited.replaceAll('\r\n', '\n').replace(/\n$/, '').split('\n').map(readLine);
  const { places, mistakes } = alignQuotes(page.map(({ text }) => text.trimEnd()), lines.flatMap((line) =>
    line.quote === null ? [] : [{ line: line.number, text: line.quote }]));
  const results = commentBlocks(lines, places).map((block) => readBlock(page, block));
  const found = results.filter((result): result is Mistake => result !== null && 'message' in result);
  return {
    comments: results.filter((result): result is Comment => result !== null && 'on' in result),
    mistakes: [...mistakes, ...found].toSorted((a, b) => a.line - b.line),
  };
};

export const hasNothing = ({ comments, mistakes }: ReadPage): boolean =>
  comments.length === 0 && mistakes.length === 0;

interface Line {
  readonly number: number;
  readonly text: string;
  /** A line of text has no quote. */
  readonly quote: string | null;
  readonly isMarked: boolean;
}

const readLine = (text: string, i: number): Line => {
  const quoted = /^>(?:$| (\|)?(.*)$)/.exec(text);
  const [, mark, quote = ''] = quoted ?? [];
  return { number: i + 1, text, quote: quoted && quote.trimEnd(), isMarked: mark !== undefined };
};

/** The marked lines are those since the text before it. */
interface Block {
  /** Null above all quoted lines, undefined below one that is a mistake. */
  readonly below: number | null | undefined;
  readonly marked: readonly (number | undefined)[];
  readonly line: number;
  readonly text: string;
}

const commentBlocks = (lines: readonly Line[], places: readonly (number | undefined)[]): Block[] => {
  const blocks: Block[] = [];
  let quotes = 0;
  let marked: Block['marked'] = [];
  let text: Line[] = [];
  const endText = (isLast: boolean) => {
    const start = text.findIndex((line) => line.text.trim() !== '');
    const body = start < 0 ? [] : text.slice(start);
    text = [];
    if (body.length === 0 && !(isLast && marked.length > 0)) return;
    blocks.push({
      below: quotes === 0 ? null : places[quotes - 1], marked,
      line: (body[0] ?? lines.at(-1)!).number, text: body.map((line) => line.text).join('\n').trimEnd(),
    });
    marked = [];
  };
  for (const line of lines) {
    if (line.quote === null) text.push(line);
    else {
      endText(false);
      if (line.isMarked) marked = [...marked, places[quotes]];
      quotes++;
    }
  }
  endText(true);
  return blocks;
};

const readBlock = (page: readonly PageLine[], block: Block): Comment | Mistake | null => {
  const { below, marked, line, text } = block;
  if (below === null) {
    return mistake(line, 'there is text above all quoted lines', 'write it below the line that it is about');
  }
  if (below === undefined || marked.includes(undefined)) return null;
  const anchor = page[below]!.anchor;
  const { body, resolves } = readResolve(text);
  if (resolves && anchor?.to !== 'thread') {
    return mistake(line, '[resolve] is not below a thread', 'write it below the lines of the thread that it resolves');
  }
  if (marked.length > 0) return readRange(page, block, marked as number[]);
  if (anchor !== null) return commentAt(anchor, line, body, resolves);
  return mistake(line, 'the quoted line above this text takes no comments',
    'write below a line of the diff, a thread, a "diff --git" line or the name of the merge request');
};

const commentAt = (anchor: Anchor, line: number, body: string, resolves: boolean): Comment | Mistake => {
  switch (anchor.to) {
    case 'request': case 'summary': return { on: anchor.to, body };
    case 'verdict': return readVerdict(body.trim(), line);
    case 'file': return { on: 'file', file: anchor.file, body };
    case 'line': return { on: 'lines', file: anchor.file, first: anchor.line, last: anchor.line, body };
    case 'thread': return { on: 'thread', thread: anchor.thread.id, body, resolves };
  }
};

const readVerdict = (word: string, line: number): Comment | Mistake =>
  isVerdict(word) ? { on: 'verdict', body: word }
    : mistake(line, 'this is not a verdict', 'write one of request-changes, reviewed and approve, or remove it');

const readResolve = (text: string): { body: string; resolves: boolean } => {
  const lines = text.split('\n');
  const kept = lines.filter((line) => line.trim() !== '[resolve]');
  return { body: kept.join('\n').replace(/^\n+/, '').trimEnd(), resolves: kept.length < lines.length };
};

/** Threads between the lines of a range need no mark. */
const readRange = (
  page: readonly PageLine[], { below, line, text }: Block, marked: readonly number[],
): Comment | Mistake => {
  if (text === '') {
    return mistake(line, 'lines are marked without a comment',
      'write the comment below the last one, or remove the marks');
  }
  if (marked.at(-1) !== below) {
    return mistake(line, 'lines are marked further up, but the line above this text is not the last of them',
      'write the comment directly below the last marked line');
  }
  const anchors = marked.map((place) => page[place]!.anchor);
  const lines = anchors.flatMap((anchor) => anchor?.to === 'line' ? [anchor] : []);
  const [first, last] = [lines[0], lines.at(-1)];
  const isWhole = lines.length === anchors.length
    && lines.every((one, i) => i === 0 || (one.file === first!.file && isNextLine(lines[i - 1]!.line, one.line)));
  if (first && last && isWhole) {
    return { on: 'lines', file: first.file, first: first.line, last: last.line, body: text };
  }
  return mistake(line, 'the marked lines are not successive lines of one hunk',
    'mark each line of the range, and no others');
};

interface Mistake {
  readonly line: number;
  readonly message: string;
  readonly hint: string;
}

const mistake = (line: number, message: string, hint: string): Mistake => ({ line, message, hint });

const quotesRemoved = (line: number, lines: readonly string[]): Mistake => {
  const first = `> ${[...lines[0] ?? ''].slice(0, 60).join('')}`.trimEnd();
  return lines.length === 1 ? mistake(line, `the quoted line "${first}" is missing`, 'put it back')
    : mistake(line, `${lines.length} quoted lines from "${first}" on are missing`, 'put them back');
};

const quoteChanged = (line: number, original: string | undefined): Mistake => original === undefined
  ? mistake(line, 'this quoted line was not there before', 'remove it, or quote in a comment with a space before ">"')
  : mistake(line, 'this quoted line was changed', `restore it: ${`> ${original}`.trimEnd()}`);

/** Comparing takes long with more of them, which are reported as one mistake. */
const maxDifferences = 500;

/** @returns also for each quote its line of the page; undefined if the page has no such line */
export const alignQuotes = (
  page: readonly string[], quotes: readonly { readonly line: number; readonly text: string }[],
) => {
  const texts = quotes.map(({ text }) => text);
  if (texts.length === page.length && texts.every((text, i) => text === page[i])) {
    return { places: [...page.keys()], mistakes: [] };
  }
  const parts = diffArrays([...page], texts, { maxEditLength: maxDifferences });
  const places: (number | undefined)[] = [];
  if (!parts) return { places, mistakes: [mistake(quotes[0]?.line ?? 1,
    'too many quoted lines were changed', 'restore them, or close the editor without changes to start again')] };
  const mistakes: Mistake[] = [];
  let at = 0;
  let missing: { readonly text: string; readonly place: number }[] = [];
  const line = () => (quotes[places.length] ?? quotes.at(-1))?.line ?? 1;
  const reportMissing = () => {
    if (missing.length > 0) mistakes.push(quotesRemoved(line(), missing.map(({ text }) => text)));
    missing = [];
  };
  for (const { value, added, removed } of parts) {
    const start = at;
    if (!added) at += value.length;
    if (removed) missing = value.map((text, i) => ({ text, place: start + i }));
    else if (added) {
      for (const _ of value) {
        const original = missing.shift();
        mistakes.push(quoteChanged(line(), original?.text));
        places.push(original?.place);
      }
    } else {
      reportMissing();
      places.push(...value.map((_, i) => start + i));
    }
  }
  reportMissing();
  return { places, mistakes };
};
