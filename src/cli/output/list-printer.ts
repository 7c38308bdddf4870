import type { Page, Pages } from '../../client/pages.js';
import type { App } from '../app.js';
import type { GlobalFlags } from '../flags/global.js';
import { usage } from '../failures.js';
import { say } from '../say.js';
import { showText } from '../terminal/pager.js';
import { progressOn } from '../terminal/progress.js';
import { fieldsOf, formatOf } from './format.js';
import { jqList } from './jq-list.js';
import type { Row } from './table.js';
import { fieldNames, placeFor, type View, type WebPages } from './view.js';
import { writers, type Scene, type Writer } from './writers.js';

/** What is needed of a list: its pages. */
export type Listed<T> = Pick<Pages<T>, 'pages'>;

/** Prints a list; `web` leads to the pages behind its links. */
export type PrintList<T> = (list: Listed<T>, web?: WebPages | null) => Promise<void>;

/** How many results to ask for at once: one more than wanted tells whether the list goes on. */
export const pageSize = ({ limit }: GlobalFlags): number => Math.min(100, (limit ?? 100) + 1);

/**
 * Prints a list as its pages arrive: what the first page holds is out before the second is asked for. A table on a
 * terminal waits for all, because its columns have to line up, and so does a jq expression over a whole JSON array.
 * @throws Problem for a format, field or length that can't be had, before anything is asked for
 */
export const listPrinter = <T>(app: App, flags: GlobalFlags, view: View<T>): PrintList<T> => {
  const { out } = app;
  const format = formatOf(flags);
  const fields = fieldsOf(flags, fieldNames(view.shape));
  if (flags.all && flags.limit !== undefined) throw usage('--all and --limit ask for two lengths');
  return async (list, web = null) => {
    const scene: Scene<T> = { view, out, place: placeFor(app, web), fields };
    const isTable = format === 'table' && out.isTerminal;
    const chunks = limited(app, flags, list, isTable || !out.isTerminal);
    if (flags.jq !== undefined) await jqList(app, flags.jq, format, chunks, fields);
    else if (isTable) await printTable(app, flags, chunks, scene);
    else await stream(app, chunks, await writers[format](scene));
  };
};

const printTable = async <T>(
  app: App, flags: GlobalFlags, chunks: AsyncIterable<readonly T[]>, { view, place }: Scene<T>,
): Promise<void> => {
  const { rowOf, tableText } = await import('./table.js');
  const rows: Row[] = [];
  for await (const chunk of chunks) for (const record of chunk) rows.push(rowOf(record, view, place));
  if (rows.length === 0) return say(app, flags, view.none);
  await showText(app, await tableText(rows, view, place));
};

const stream = async <T>({ out }: App, chunks: AsyncIterable<readonly T[]>, writer: Writer<T>): Promise<void> => {
  let count = 0;
  let isStarted = false;
  try {
    for await (const chunk of chunks) {
      const first = count;
      const text = (isStarted ? '' : writer.start) + chunk.map((one, i) => writer.record(one, first + i)).join('');
      isStarted = true;
      count += chunk.length;
      if (text !== '') await out.write(text);
    }
  } catch (error) {
    if (isStarted) await out.write(writer.end(count));
    throw error;
  }
  await out.write((isStarted ? '' : writer.start) + writer.end(count));
};

/** The pages up to the limit. That something was, or may be, left out is said on stderr. */
async function* limited<T>(
  app: App, flags: GlobalFlags, list: Listed<T>, hasProgress: boolean,
): AsyncIterable<readonly T[]> {
  const { limit = Infinity } = flags;
  let left = limit;
  let leftOut = '';
  for await (const page of hasProgress ? watched(app, flags, list) : list.pages(limit)) {
    const { items } = page;
    yield items.slice(0, left);
    if (items.length >= left) leftOut = leftOutOf(page, items.length - left, limit);
    left -= items.length;
    if (left <= 0) break;
  }
  if (leftOut !== '') await say(app, flags, `${leftOut}; --all prints all of them`);
}

/** What a list that was ended on this page left out, or nothing where this was its end. */
const leftOutOf = ({ total, more }: Page<unknown>, over: number, limit: number): string => {
  if (total !== null) return total > limit || over > 0 ? `there are more than ${limit} (${total})` : '';
  if (over > 0) return `there are more than ${limit}`;
  return more ? `there may be more than ${limit}` : '';
};

/** The pages of a list, with progress shown while the next one is waited for. */
async function* watched<T>(app: App, flags: GlobalFlags, list: Listed<T>): AsyncIterable<Page<T>> {
  const progress = progressOn(app, flags);
  try {
    for await (const page of list.pages(flags.limit)) {
      yield page;
      if (page.more) await progress.tell(`page ${page.page}${page.pages === null ? '' : ` of ${page.pages}`} …`);
    }
  } finally {
    await progress.done();
  }
}
