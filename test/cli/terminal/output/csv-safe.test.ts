import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commaSeparated, forSpreadsheets, tabbed } from '../../../../src/cli/terminal/output/view.js';
import { ran, ranIn, type WorldOptions } from '../../../support/app.js';
import { manyThreads } from '../../../support/threads.js';

const formula = "=cmd|' /C calc'!A0";
const threads = (body: string): WorldOptions => ({ answer: manyThreads(1, { body }) });
const list = ['discussions', 'list', 'issue/1'];

/** The cells of a line of CSV. */
const cellsIn = (line: string): string[] =>
  [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare!);

describe('with --csv-safe', () => {
  it.each([
    [formula, `'${formula}`], ['+1', "'+1"], ['-1', "'-1"], ['@SUM(1)', "'@SUM(1)"], ['\t=1', "'=1"], ['\r\n=1', "'=1"], ['\uff1d1', "'\uff1d1"],
    ['a=1', 'a=1'], ["'=1", "'=1"], ['=1,"2"', '\'=1,"2"'],
  ])('a cell that starts with %j is %j', async (body, cell) => {
    const safe = await ranIn(threads(body), ...list, '-o', 'csv', '--csv-safe');
    expect(safe).toMatchObject({ code: 0, err: '' });
    expect(cellsIn(safe.out.trimEnd().split('\n')[1]!).at(-1)).toBe(cell);
    expect((await ranIn(threads(body), ...list, '-o', 'tsv', '--csv-safe')).out.trimEnd().split('\t').at(-1)).toBe(cell);
  });

  it('no cell starts a formula, whatever the text', () => {
    fc.assert(fc.property(fc.array(fc.string({ unit: fc.constantFrom(...'=+-@\t\r\n "\',;a1\uff0b\uff20\u00a0') }), { minLength: 1 }), (texts) => {
      for (const cell of cellsIn(commaSeparated(forSpreadsheets(texts)))) expect(cell).not.toMatch(/^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/);
      for (const cell of tabbed(forSpreadsheets(texts)).split('\t')) expect(cell).not.toMatch(/^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/);
    }));
  });

  it('notes and epics are escaped too', async () => {
    expect((await ranIn(threads(formula), 'notes', 'list', 'issue/1', '-o', 'csv', '--csv-safe')).out).toContain(`,'${formula}\n`);
    const epic = { id: 1, iid: 1, group_id: 1, parent_id: 5, title: formula, author: { username: 'ada' } };
    const answer = () => ({ status: 200, headers: { 'content-type': 'application/json', 'x-next-page': '' }, body: JSON.stringify([epic]) });
    expect((await ranIn({ answer }, 'epics', 'list', '&1', '-o', 'csv', '--csv-safe')).out).toContain(`'${formula}`);
  });

  it.each([[], ['-o', 'json'], ['-o', 'markdown'], ['-o', 'table'], ['--json']])('a format other than csv and tsv is a usage error: %j', async (...format) => {
    expect(await ran(...list, '--csv-safe', ...format)).toMatchObject({
      code: 2, out: '', sent: [], err: expect.stringContaining('--csv-safe requires -o csv or -o tsv') as string });
  });
});

it('without --csv-safe cells are printed unchanged', async () => {
  expect((await ranIn(threads(formula), ...list, '-o', 'csv')).out.trimEnd().endsWith(`,${formula}`)).toBe(true);
});
