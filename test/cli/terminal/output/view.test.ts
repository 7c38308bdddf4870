import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commaSeparated, forSpreadsheets, jsonLine, markdownRow, tabbed } from '../../../../src/cli/terminal/output/format.js';
import {
  displayFor, exact, fieldNames, jsonText, pickFields, plainCell, selectableNames, selectorOf, withColumns, type Column, type View,
} from '../../../../src/cli/terminal/output/view.js';
import { ran, ranIn, testApp, type WorldOptions } from '../../../support/app.js';
import { manyThreads } from '../../../support/threads.js';

const formula = "=cmd|' /C calc'!A0";
const threads = (body: string): WorldOptions => ({ answer: manyThreads(1, { body }) });
const list = ['discussions', 'list', 'issue/1'];

/** The cells of a line of CSV. */
const cellsIn = (line: string): string[] =>
  [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare!);

const plain = (texts: readonly string[]) => texts.map((text) => plainCell({}, text));

describe('with --csv-safe', () => {
  it.each([
    [formula, `'${formula}`], ['+1', "'+1"], ['-1', "'-1"], ['@SUM(1)', "'@SUM(1)"], ['\t=1', "'=1"], ['\r\n=1', "'=1"], ['\uff1d1', "'\uff1d1"],
    ['"=1"', '\'"=1"'], ['" =1"', '\'" =1"'], ['""-1', '\'""-1'], ['"a=1"', '"a=1"'],
    ['a=1', 'a=1'], ["'=1", "'=1"], ['=1,"2"', '\'=1,"2"'],
  ])('a cell that starts with %j is %j', async (body, cell) => {
    const safe = await ranIn(threads(body), ...list, '-o', 'csv', '--csv-safe');
    expect(safe).toMatchObject({ code: 0, err: '' });
    expect(cellsIn(safe.out.trimEnd().split('\n')[1]!).at(-1)).toBe(cell);
    expect((await ranIn(threads(body), ...list, '-o', 'tsv', '--csv-safe')).out.trimEnd().split('\t').at(-1)).toBe(cell);
  });

  it('no cell starts a formula, whatever the text', () => {
    fc.assert(fc.property(fc.array(fc.string({ unit: fc.constantFrom(...'=+-@\t\r\n "\',;a1\uff0b\uff20\u00a0') }), { minLength: 1 }), (texts) => {
      for (const cell of cellsIn(commaSeparated(forSpreadsheets(plain(texts))))) expect(cell).not.toMatch(/^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/);
      for (const cell of tabbed(forSpreadsheets(plain(texts))).split('\t')) expect(cell).not.toMatch(/^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/);
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

interface Note { readonly id: number; readonly body: string; readonly author?: { readonly name: string } | null }

/** Notes with a column of the same name as a field, one of another name, and one that is only printed by name. */
const columns: readonly Column<Note>[] = [
  { name: 'id', cell: ({ id }, { isTerminal }) => isTerminal ? `${id}` : `note ${id}` },
  { name: 'words', cell: ({ body }, { isTerminal }) => isTerminal ? body.slice(0, 3) : body },
];
const view: View<Note> = {
  columns, moreColumns: [{ name: 'length', cell: ({ body }) => `${body.length}` }],
  id: ({ id }) => `${id}`, shape: Type.Object({ id: Type.Number(), body: Type.String(), author: Type.Unknown() }), emptyText: 'no notes',
};
const note: Note = { id: 5, body: 'a long text', author: { name: 'Ada' } };
const displayOf = async (options: WorldOptions = {}) => displayFor((await testApp(options)).app);

describe('a display', () => {
  it('is as wide as the terminal', async () => {
    expect(await displayOf({ terminal: true, columns: 72, env: { COLUMNS: '50' } })).toMatchObject({ isTerminal: true, columns: 72, web: null });
  });

  it.each([['90', 90], ['1', 1], ['99999', 99_999], ['', Infinity], [undefined, Infinity], ['0', Infinity], ['-5', Infinity], ['80x', Infinity],
    ['100000', Infinity]])('in a pipe is as wide as COLUMNS=%j says: %s', async (value, expected) => {
    expect((await displayOf({ env: { COLUMNS: value } })).columns).toBe(expected);
  });

  it('for programs is that of a pipe', async () => {
    const display = await displayOf({ terminal: true });
    expect(exact(display)).toEqual({ ...display, isTerminal: false });
  });
});

describe('the names that can be selected', () => {
  it('are the fields of a record, then the columns with names of their own', () => {
    expect(fieldNames(view.shape)).toEqual(['id', 'body', 'author']);
    expect(selectableNames(view)).toEqual(['id', 'body', 'author', 'words', 'length']);
  });

  it('are none for a record of unknown shape', () => {
    expect(fieldNames(Type.Unknown())).toEqual([]);
  });
});

describe('selected fields', () => {
  it('are in the given order, and null where the record has none', () => {
    expect(JSON.stringify(pickFields(note, ['author', 'id', 'none']))).toBe('{"author":{"name":"Ada"},"id":5,"none":null}');
  });

  it.each([null, 'text', 5])('of a record that is no object are the record: %j', (record) => {
    expect(pickFields(record, ['id'])).toBe(record);
  });

  it('are the whole record if none are selected', () => {
    expect(pickFields(note, null)).toBe(note);
  });

  it('may be columns, with the text for programs on a terminal too', async () => {
    const select = selectorOf(view, await displayOf({ terminal: true }), ['words', 'id', 'length']);
    expect(select(note)).toEqual({ words: 'a long text', id: 5, length: '11' });
  });
});

describe('selected columns', () => {
  it('of a table are those that were named, in their order', async () => {
    const display = await displayOf();
    const shown = withColumns(view, ['length', 'body', 'author', 'id']);
    expect(shown.columns.map(({ name }) => name)).toEqual(['length', 'body', 'author', 'id']);
    expect(shown.columns.map(({ cell }) => cell(note, display))).toEqual(['11', 'a long text', '{"name":"Ada"}', '5']);
    expect(shown.columns.map(({ cell }) => cell({ id: 5, body: '', author: null }, display))).toEqual(['0', '', '', '5']);
  });

  it('are those of the view if none are named', () => {
    expect(withColumns(view, null)).toBe(view);
  });
});

describe('JSON', () => {
  const value = { a: ['\u202e\x9b', 'ä'] };

  it('is on one line in a pipe, unchanged', async () => {
    const { out } = (await testApp()).app;
    expect([jsonText(value, out), jsonLine(value, out)]).toEqual([JSON.stringify(value), JSON.stringify(value)]);
  });

  it('is indented on a terminal, without characters that act on it, and still the same value', async () => {
    const { out } = (await testApp({ terminal: true })).app;
    expect(jsonText(value, out)).toBe('{\n  "a": [\n    "\\u202e\\u009b",\n    "ä"\n  ]\n}');
    expect(jsonLine(value, out)).toBe('{"a":["\\u202e\\u009b","ä"]}');
    expect(JSON.parse(jsonText(value, out))).toEqual(value);
  });
});

describe('the cells of a row', () => {
  it('keep their spaces if they are code', () => {
    expect(plainCell({ isCode: true }, '\t a  b \r\u202e ')).toBe('     a  b \\u000d\\u202e');
    expect(plainCell({}, '\t a  b ')).toBe('a b');
  });

  it('stay on one line in every format', () => {
    const cells = plain(['a\tb', 'c\nd', 'e\x1b[2J']);
    expect(tabbed(cells)).toBe('a b\tc d\te\\u001b[2J');
    expect(commaSeparated(cells)).toBe('a b,c d,e\\u001b[2J');
    expect(markdownRow(cells)).toBe('| a b | c d | e\\\\u001b[2J |');
  });

  it('are quoted in CSV if they contain a comma or a quote', () => {
    expect(commaSeparated(plain(['a,b', 'say "hi"', '', ' c ']))).toBe('"a,b","say ""hi""",,c');
  });

  it('never end a cell of a Markdown table', () => {
    expect(markdownRow(['a|b', 'c\\', '\\|'])).toBe('| a\\|b | c\\\\ | \\\\\\| |');
  });
});
