import type { Pages } from '../../client/pages.js';
import type { App } from '../app.js';
import type { GlobalFlags } from '../flags/global.js';
import { usage } from '../failures.js';
import { say } from '../say.js';
import { fieldsOf, formatOf } from './format.js';
import { fieldNames, type Place, type View } from './view.js';
import { writers, type Writer } from './writers.js';

/** What is needed of a list: its pages. */
export type Listed<T> = Pick<Pages<T>, 'pages'>;

/** How many results to ask for at once: one more than wanted tells whether the list goes on. */
export const pageSize = ({ limit }: GlobalFlags): number => Math.min(100, (limit ?? 100) + 1);

/**
 * Prints a list as its pages arrive: what the first page holds is out before the second is asked for. A table on a
 * terminal waits for all, because its columns have to line up.
 * @throws Problem for a format, field or length that can't be had, before anything is asked for
 */
export const listPrinter = <T>(app: App, flags: GlobalFlags, view: View<T>): (list: Listed<T>) => Promise<void> => {
  const { out } = app;
  const format = formatOf(flags);
  const fields = fieldsOf(flags, fieldNames(view.shape));
  if (flags.all && flags.limit !== undefined) throw usage('--all and --limit ask for two lengths');
  return async (list) => {
    const place = { isTerminal: out.isTerminal, now: app.now() };
    const chunks = limited(app, flags, list);
    if (format === 'table' && out.isTerminal) await printTable(app, flags, chunks, view, place);
    else await stream(app, chunks, await writers[format]({ view, out, place, fields }));
  };
};

const printTable = async <T>(
  app: App, flags: GlobalFlags, chunks: AsyncIterable<readonly T[]>, view: View<T>, place: Place,
): Promise<void> => {
  const records: T[] = [];
  for await (const chunk of chunks) records.push(...chunk);
  if (records.length === 0) return say(app, flags, view.none);
  const { tableText } = await import('./table.js');
  await app.out.write(await tableText(records, view, place, app.out));
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

/** The pages up to the limit. That something was left out is said on stderr. */
async function* limited<T>(app: App, flags: GlobalFlags, list: Listed<T>): AsyncIterable<readonly T[]> {
  let left = flags.limit ?? Infinity;
  for await (const { items, total } of list.pages()) {
    const isCut = items.length > left || (items.length === left && total !== null && total > flags.limit!);
    yield items.slice(0, left);
    left -= items.length;
    if (isCut) {
      await say(app, flags,
        `there are more than ${flags.limit}${total === null ? '' : ` (${total})`}; --all prints all of them`);
    }
    if (left <= 0) return;
  }
}
