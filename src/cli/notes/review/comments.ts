import { type DiffLine, isNextLine } from '../../../diff/lines.js';
import { counted } from '../../../text/messages.js';
import type { App } from '../../app.js';
import { Problem, usage } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { canAsk, say } from '../../terminal/io/messages.js';
import {
  aboveAll, alignQuotes, type Mistake, notBelowThread, notCommentable, rangeBroken, rangeElsewhere,
  rangeWithoutText,
} from './mistakes.js';
import type { PageLine, ReviewFile } from './page.js';

/**
 * Opens the editor until the page can be read.
 * @throws Problem if nothing was written, and for mistakes without a terminal or if the user gives up
 */
export const editReview = async (
  app: App, flags: GlobalFlags, page: readonly PageLine[], path: string,
): Promise<readonly Comment[]> => {
  for (;;) {
    await app.ask.edit(path);
    const found = readPage(page, await app.drafts.read(path));
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
  | { readonly on: 'request'; readonly body: string }
  | { readonly on: 'file'; readonly file: ReviewFile; readonly body: string }
  | {
    readonly on: 'lines'; readonly file: ReviewFile; readonly first: DiffLine; readonly last: DiffLine;
    readonly body: string;
  }
  | { readonly on: 'thread'; readonly thread: string; readonly body: string; readonly resolves: boolean };

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
  if (below === null) return { line, ...aboveAll };
  if (below === undefined || marked.includes(undefined)) return null;
  const anchor = page[below]!.anchor;
  const { body, resolves } = anchor?.to === 'thread' ? readReply(text) : { body: text, resolves: false };
  if (anchor?.to !== 'thread' && text.split('\n').some(isResolve)) return { line, ...notBelowThread };
  if (marked.length > 0) return readRange(page, block, marked as number[]);
  if (anchor === null) return { line, ...notCommentable };
  switch (anchor.to) {
    case 'request': return { on: 'request', body };
    case 'file': return { on: 'file', file: anchor.file, body };
    case 'line': return { on: 'lines', file: anchor.file, first: anchor.line, last: anchor.line, body };
    case 'thread': return { on: 'thread', thread: anchor.thread.id, body, resolves };
  }
};

const isResolve = (line: string): boolean => line.trim() === '[resolve]';

const readReply = (text: string): { body: string; resolves: boolean } => {
  const lines = text.split('\n');
  const kept = lines.filter((line) => !isResolve(line));
  return { body: kept.join('\n').replace(/^\n+/, '').trimEnd(), resolves: kept.length < lines.length };
};

/** Threads between the lines of a range need no mark. */
const readRange = (
  page: readonly PageLine[], { below, line, text }: Block, marked: readonly number[],
): Comment | Mistake => {
  if (text === '') return { line, ...rangeWithoutText };
  if (marked.at(-1) !== below) return { line, ...rangeElsewhere };
  const anchors = marked.map((place) => page[place]!.anchor);
  const lines = anchors.flatMap((anchor) => anchor?.to === 'line' ? [anchor] : []);
  const [first, last] = [lines[0], lines.at(-1)];
  const isWhole = lines.length === anchors.length
    && lines.every((one, i) => i === 0 || (one.file === first!.file && isNextLine(lines[i - 1]!.line, one.line)));
  if (!first || !last || !isWhole) return { line, ...rangeBroken };
  return { on: 'lines', file: first.file, first: first.line, last: last.line, body: text };
};
