import { Type } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import { formats, type FormatName } from '../../../../../src/cli/command-line/flags.js';
import { displayFor, type View } from '../../../../../src/cli/terminal/output/view.js';
import { outputFormats, writers, type WriterContext } from '../../../../../src/cli/terminal/output/format.js';
import { parseRawList } from '../../../../../src/wire/raw-list.js';
import { testApp, type WorldOptions } from '../../../../support/app.js';

interface Note { readonly id: string; readonly body: string }

const view: View<Note> = {
  columns: [{ name: 'note', cell: ({ id }, { isTerminal }) => isTerminal ? id.slice(0, 2) : id }, { name: 'text', cell: ({ body }) => body }],
  id: ({ id }) => id, shape: Type.Object({ id: Type.String(), body: Type.String() }), emptyText: 'no notes',
};
const notes: readonly Note[] = [{ id: 'abcd', body: 'one, two' }, { id: 'ef\x1b', body: '=1' }];

const context = async (options: WorldOptions = {}, more: Partial<WriterContext<Note>> = {}): Promise<WriterContext<Note>> => {
  const { app } = await testApp(options);
  return { view, out: app.out, display: displayFor(app), fields: null, ...more };
};

type Streamed = Exclude<FormatName, 'table'>;

/** A list as a format writes it, record by record. */
const written = async (format: Streamed, records: readonly Note[], options: WorldOptions = {}, more: Partial<WriterContext<Note>> = {}) => {
  const { start, record, end } = await writers[format](await context(options, more));
  return start + records.map(record).join('') + end(records.length);
};

describe('a list', () => {
  it.each<[Streamed, string]>([
    ['json', '[{"id":"abcd","body":"one, two"},{"id":"ef\\u001b","body":"=1"}]\n'],
    ['ndjson', '{"id":"abcd","body":"one, two"}\n{"id":"ef\\u001b","body":"=1"}\n'],
    ['yaml', '- id: abcd\n  body: one, two\n- id: "ef\\e"\n  body: =1\n'],
    ['csv', 'note,text\nabcd,"one, two"\nef\\u001b,=1\n'], ['tsv', 'abcd\tone, two\nef\\u001b\t=1\n'],
    ['markdown', '| note | text |\n| --- | --- |\n| abcd | one, two |\n| ef\\\\u001b | =1 |\n'], ['id', 'abcd\nef\\u001b\n'],
  ])('as %s', async (format, text) => {
    expect(await written(format, notes)).toBe(text);
  });

  it.each<[Streamed, string]>([
    ['json', '[]\n'], ['ndjson', ''], ['yaml', '[]\n'], ['csv', 'note,text\n'], ['tsv', ''], ['markdown', '| note | text |\n| --- | --- |\n'], ['id', ''],
  ])('that is empty is a valid one as %s', async (format, text) => {
    expect(await written(format, [])).toBe(text);
  });

  it('in JSON is indented on a terminal, and the same value', async () => {
    const text = await written('json', notes, { terminal: true });
    expect(text).toBe(`[\n${notes.map((note) => JSON.stringify(note, null, 2).replace(/^/gm, '  ')).join(',\n')}\n]\n`);
    expect(JSON.parse(text)).toEqual(notes);
    expect(await written('json', [], { terminal: true })).toBe('[]\n');
  });

  it('for spreadsheets has cells that they run marked as text, if that is asked for', async () => {
    expect(await written('csv', notes, {}, { csvSafe: true })).toContain("\nef\\u001b,'=1\n");
    expect(await written('tsv', notes, {}, { csvSafe: true })).toContain("\t'=1\n");
  });

  it('has full ids in its cells, on a terminal too', async () => {
    expect(await written('tsv', notes.slice(0, 1), { terminal: true })).toBe('abcd\tone, two\n');
  });

  it.each(['json', 'ndjson', 'yaml'] as const)('has the selected fields alone as %s', async (format) => {
    const text = await written(format, notes.slice(0, 1), {}, { fields: ['body'] });
    expect(text).toContain('one, two');
    expect(text).not.toContain('abcd');
  });
});

describe('records as the service sent them', () => {
  const body = '[{"id":1.0,"a":"\\u00e4"},{"id":12345678901234567890}]';
  const items = () => parseRawList(body)!;
  const raw = async (format: Streamed, options: WorldOptions = {}, more: Partial<WriterContext<Note>> = {}) =>
    (await writers[format](await context(options, more))).rawRecords;
  const textOf = (parts: readonly (string | Uint8Array)[]) => parts.map((part) => Buffer.from(part as Uint8Array).toString()).join('');

  it('are passed on in JSON, page after page, down to the digits of numbers', async () => {
    const pass = (await raw('json'))!;
    expect(`[${textOf(pass(items(), 0))}${textOf(pass(items(), 2))}]`).toBe(`[${body.slice(1, -1)},${body.slice(1, -1)}]`);
    expect(textOf(pass(parseRawList('[]')!, 2))).toBe('');
  });

  it('are passed on as lines', async () => {
    const pass = (await raw('ndjson'))!;
    const lines = '{"id":1.0,"a":"\\u00e4"}\n{"id":12345678901234567890}\n';
    expect(textOf(pass(items(), 0))).toBe(lines);
    expect(textOf(pass(items(), 2))).toBe(lines);
  });

  it('are not passed on to a terminal, with selected fields, or in other formats', async () => {
    for (const format of ['json', 'ndjson'] as const) {
      expect(await raw(format, { terminal: true })).toBeUndefined();
      expect(await raw(format, {}, { fields: ['id'] })).toBeUndefined();
    }
    for (const format of ['yaml', 'csv', 'tsv', 'markdown', 'id'] as const) expect(await raw(format)).toBeUndefined();
  });
});

describe('a value of any shape', () => {
  it('has a text in the formats that do not print columns or ids', async () => {
    const { out } = (await testApp()).app;
    const texts = await Promise.all(formats.map(async (format) => [format, await outputFormats[format].valueText?.({ a: [1] }, out)]));
    expect(Object.fromEntries(texts)).toEqual({ json: '{"a":[1]}\n', ndjson: '{"a":[1]}\n', yaml: 'a:\n  - 1\n',
      table: undefined, csv: undefined, tsv: undefined, markdown: undefined, id: undefined });
  });

  it('that is a list has one line for each item as ndjson', async () => {
    const { out } = (await testApp({ terminal: true })).app;
    expect(await outputFormats.ndjson.valueText!([1, 'a\u202e'], out)).toBe('1\n"a\\u202e"\n');
    expect(await outputFormats.ndjson.valueText!([], out)).toBe('');
  });
});
