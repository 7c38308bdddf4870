import type { Items, Page, PageOf, Pages } from '../../../client/pages.js';
import type { App } from '../../app.js';
import { saveCompletions } from '../../completion-cache.js';
import { usage } from '../../command-line/failure.js';
import type { FormatName, GlobalFlags, ListFlags } from '../../command-line/flags.js';
import { progressOn, say, showText } from '../io/messages.js';
import { throwIfClosed } from '../io/streams.js';
import {
  chosenFormat, compileJq, formatNamed, formatOf, type Frame, type OutputPieces, selectedFields, type WriterContext,
  writerOf,
} from './format.js';
import type { Row } from './table.js';
import { displayFor, selectableNames, selectorOf, withColumns, type View, type WebPages } from './view.js';

/** `rawPages` if the pages come from the service unchanged. */
export type Listed<T> = Pick<Pages<T>, 'pages'> & Partial<Pick<Pages<T>, 'rawPages'>>;

export const wholeList = <T>(items: readonly T[]): Listed<T> => ({
  async *pages(): AsyncIterable<Page<T>> {
    yield { items, page: 1, perPage: null, total: items.length, pages: 1, more: false };
  },
});

/**
 * The same pages with other items.
 * @param isFiltered if items are dropped, so that a limit says nothing about the pages that are needed
 */
export const mapPages = <T, U>(
  list: Listed<T>, itemsOf: (items: readonly T[]) => readonly U[] | Promise<readonly U[]>, isFiltered = false,
): Listed<U> => ({
  async *pages(limit): AsyncIterable<Page<U>> {
    for await (const page of list.pages(isFiltered ? undefined : limit)) {
      yield { ...page, items: await itemsOf(page.items), total: isFiltered ? null : page.total };
    }
  },
});

type PrintList<T> = (list: Listed<T>, web?: WebPages | null) => Promise<void>;

/** One more than wanted tells whether the list goes on. */
export const pageSize = ({ limit }: GlobalFlags): number => Math.min(100, (limit ?? 100) + 1);

/** Aligned tables and jq need all pages. @throws Problem for an invalid format, field or length, before any request */
export const listPrinter = <T>(app: App, flags: ListFlags, view: View<T>): PrintList<T> => {
  const { out } = app;
  const { csvSafe = false } = flags;
  const format = formatOf(flags, out);
  const fields = selectedFields(flags, selectableNames(view));
  if (flags.all && flags.limit !== undefined) {
    throw usage('--all and --limit cannot be combined', 'use only one of them');
  }
  if (csvSafe && !formatNamed(chosenFormat(flags) ?? 'table').isSpreadsheet) {
    throw usage('--csv-safe requires -o csv or -o tsv');
  }
  return async (list, web = null) => {
    const display = displayFor(app, web);
    const shown = formatNamed(format).hasColumns ? withColumns(view, fields) : view;
    const context: WriterContext<T> = { view: shown, out, display, fields, csvSafe };
    let leftOut = '';
    const limited = <I extends Items>(pages: AsyncIterable<PageOf<I>>) =>
      limitedTo(app, flags, format === 'table' || !out.isTerminal ? withPageProgress(app, flags, pages) : pages,
        (text) => { leftOut = text; });
    const pages = () => limited(list.pages(flags.limit));
    if (flags.jq !== undefined) await jqList(app, flags, format, pages(), selectorOf(view, display, fields));
    else if (format === 'table') await printTable(app, flags, pages(), context);
    else {
      const { rawRecords: written, record, ...frame } = await writerOf(format, context);
      if (written && list.rawPages) {
        await stream(app, savingCompletions(app, limited(list.rawPages(flags.limit))), frame, written);
      } else {
        await stream(app, pages(), frame, (items, index) => [items.map((one, i) => record(one, index + i)).join('')]);
      }
    }
    await sayLeftOut(app, flags, leftOut);
  };
};

export const sayLeftOut = async (app: App, flags: GlobalFlags, leftOut: string): Promise<void> => {
  if (leftOut !== '') await say(app, flags, `${leftOut}; use --all instead of --limit to show all`);
};

export const omissionNote = (total: number, limit = Infinity): string =>
  total > limit ? `showing ${limit} of ${total}` : '';

const printTable = async <T>(
  app: App, flags: GlobalFlags, chunks: AsyncIterable<readonly T[]>, { view, display }: WriterContext<T>,
): Promise<void> => {
  const { recordRow: rowOf, tableText } = await import('./table.js');
  const rows: Row[] = [];
  for await (const chunk of chunks) for (const record of chunk) rows.push(rowOf(record, view, display));
  if (rows.length === 0) return say(app, flags, view.emptyText);
  await showText(app, flags, await tableText(rows, view, display));
};

/** @param contentOf what to print for items @param index position of the first of them in the list */
const stream = async <I extends Items>(
  { out }: App, chunks: AsyncIterable<I>, { start, end }: Frame, contentOf: (items: I, index: number) => OutputPieces,
): Promise<void> => {
  let count = 0;
  let isStarted = false;
  try {
    for await (const chunk of chunks) {
      throwIfClosed(out);
      const content = contentOf(chunk, count);
      const pieces = isStarted ? content : [start, ...content];
      isStarted = true;
      count += chunk.length;
      for (const piece of pieces.filter(({ length }) => length > 0)) {
        await (typeof piece === 'string' ? out.write(piece) : out.writeBytes(piece));
      }
    }
  } catch (error) {
    if (isStarted) await out.write(end(count));
    throw error;
  }
  await out.write((isStarted ? '' : start) + end(count));
};

/** @param tell receives a message about results that were left out, at the end */
async function* limitedTo<I extends Items>(
  app: App, { limit = Infinity }: GlobalFlags, pages: AsyncIterable<PageOf<I>>, tell: (leftOut: string) => void,
): AsyncIterable<I> {
  let left = limit;
  for await (const page of pages) {
    const { items } = page;
    if (page.more && page.page === 1) await app.program.expectLongList();
    yield items.slice(0, left) as I;
    if (items.length >= left) tell(pageOmission(page, items.length - left, limit));
    left -= items.length;
    if (left <= 0) return;
  }
}

/** While the next pages are loading; raw pages after the first are not parsed. */
async function* savingCompletions<I>(app: App, chunks: AsyncIterable<I>): AsyncIterable<I> {
  for await (const chunk of chunks) {
    yield chunk;
    if (app.cache.completions.size > 0) setImmediate(() => { void saveCompletions(app); });
  }
}

const pageOmission = ({ total, more }: PageOf<Items>, over: number, limit: number): string => {
  if (total !== null) return omissionNote(Math.max(total, limit + over), limit);
  if (over > 0) return `showing the first ${limit}`;
  return more ? `showing the first ${limit}, there may be more` : '';
};

async function* withPageProgress<I extends Items>(
  app: App, flags: GlobalFlags, pages: AsyncIterable<PageOf<I>>,
): AsyncIterable<PageOf<I>> {
  const progress = progressOn(app, flags);
  try {
    for await (const page of pages) {
      yield page;
      if (page.more) await progress.show(`page ${page.page}${page.pages === null ? '' : ` of ${page.pages}`} …`);
    }
  } finally {
    await progress.done();
  }
}

/** For `ndjson` over each record as its page arrives, else over the whole array. @throws Problem in jq's own words */
const jqList = async <T>(
  app: App, flags: GlobalFlags, format: FormatName, chunks: AsyncIterable<readonly T[]>,
  select: (record: T) => unknown,
): Promise<void> => {
  const run = await compileJq(app, flags.jq!, flags);
  const texts: string[] = [];
  for await (const chunk of chunks) {
    throwIfClosed(app.out);
    const page = chunk.map((record) => JSON.stringify(select(record)));
    if (format === 'json') texts.push(...page);
    else if (page.length > 0) await run(page.join('\n'));
  }
  if (format === 'json') await run(`[${texts.join(',')}]`);
};
