import type { App } from '../app.js';
import type { FormatName } from './format.js';
import { jqOver } from './jq.js';
import { picked } from './records.js';

/**
 * Runs a jq expression over a list: for `ndjson` over each record as its page arrives, else over the whole as one
 * array.
 * @throws Problem in jq's own words
 */
export const jqList = async <T>(
  app: App, expression: string, format: FormatName, chunks: AsyncIterable<readonly T[]>,
  fields: readonly string[] | null,
): Promise<void> => {
  const run = await jqOver(app, expression);
  const texts: string[] = [];
  for await (const chunk of chunks) {
    const page = chunk.map((record) => JSON.stringify(picked(record, fields)));
    if (format === 'json') texts.push(...page);
    else if (page.length > 0) await run(page.join('\n'));
  }
  if (format === 'json') await run(`[${texts.join(',')}]`);
};
