import { Type } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import { formats, type FormatName, type GlobalFlags } from '../../../../src/cli/command-line/flags.js';
import { emptyPrinter, fieldPrinter, recordPrinter } from '../../../../src/cli/terminal/output/record-printer.js';
import type { View } from '../../../../src/cli/terminal/output/view.js';
import { testApp, type WorldOptions } from '../../../support/app.js';

interface Epic { readonly id: number; readonly title: string; readonly closed: null }

const view: View<Epic> = {
  columns: [{ name: 'epic', cell: ({ id }) => `&${id}` }, { name: 'title', cell: ({ title }) => title }],
  id: ({ id }) => `${id}`, emptyText: 'no epics',
  shape: Type.Object({ id: Type.Number(), title: Type.String(), closed: Type.Null() }),
};
const epic: Epic = { id: 3, title: 'Road "map"', closed: null };

type App = Awaited<ReturnType<typeof testApp>>['app'];

/** What a printer writes to stdout. */
const printed = async (options: WorldOptions, print: (app: App) => Promise<void>) => {
  const { app } = await testApp(options);
  let text = '';
  await print({ ...app, out: { ...app.out, write: async (part) => { text += part; } } });
  return text;
};

const record = (flags: GlobalFlags, options: WorldOptions = {}, shown = view) =>
  printed(options, (app) => recordPrinter(app, flags, shown)(epic));

describe('a record', () => {
  it.each<[FormatName, string]>([
    ['json', '{"id":3,"title":"Road \\"map\\"","closed":null}\n'], ['ndjson', '{"id":3,"title":"Road \\"map\\"","closed":null}\n'],
    ['yaml', 'id: 3\ntitle: Road "map"\nclosed: null\n'], ['csv', 'epic,title\n&3,"Road ""map"""\n'], ['tsv', '&3\tRoad "map"\n'],
    ['markdown', '| epic | title |\n| --- | --- |\n| &3 | Road "map" |\n'], ['id', '3\n'], ['table', 'epic   &3\ntitle  Road "map"\n'],
  ])('as %s', async (output, text) => {
    expect(await record({ output })).toBe(text);
  });

  it('is a row in a pipe, and its fields or its own text on a terminal', async () => {
    expect(await record({})).toBe('&3\tRoad "map"\n');
    expect(await record({}, { terminal: true })).toBe('epic   &3\ntitle  Road "map"\n');
    expect(await record({}, { terminal: true }, { ...view, text: async ({ title }) => `~ ${title} ~\n` })).toBe('~ Road "map" ~\n');
  });

  it('has the selected fields and columns in their order', async () => {
    expect(await record({ json: 'title,id' })).toBe('{"title":"Road \\"map\\"","id":3}\n');
    expect(await record({ json: 'epic,closed' })).toBe('{"epic":"&3","closed":null}\n');
    expect(await record({ json: 'id,epic', output: 'tsv' })).toBe('3\t&3\n');
    expect(await record({ json: 'id', output: 'table' }, { terminal: true }, { ...view, text: async () => 'own text' })).toBe('id  3\n');
  });

  it('is filtered by jq', async () => {
    expect(await record({ jq: '.title' })).toBe('Road "map"\n');
    expect(await record({ jq: 'keys | length', json: 'id' })).toBe('1\n');
  });

  it.each<GlobalFlags>([{ json: 'none' }, { json: ',' }, { json: '', output: 'csv' }])(
    'is rejected before anything is sent: %j', async (flags) => {
      const { app } = await testApp();
      expect(() => recordPrinter(app, flags, view)).toThrow(expect.objectContaining({ code: 'usage' }) as Error);
    });
});

describe('an empty response', () => {
  it('is null in JSON and YAML, and nothing in other formats', async () => {
    const texts: Record<string, string> = {};
    for (const output of formats) texts[output] = await printed({}, (app) => emptyPrinter(app, { output })());
    expect(texts).toEqual({ table: '', json: 'null\n', ndjson: 'null\n', yaml: 'null\n', csv: '', tsv: '', markdown: '', id: '' });
  });

  it('is null for jq', async () => {
    expect(await printed({}, (app) => emptyPrinter(app, { jq: '. == null' })())).toBe('true\n');
  });

  it('has no fields', async () => {
    const { app } = await testApp();
    expect(() => emptyPrinter(app, { json: 'id' })).toThrow(expect.objectContaining({
      message: 'unknown field "id": nothing is left of a deleted record', hint: 'use --json without a value to print null',
    }) as Error);
  });
});

describe('a record without an id', () => {
  const { shape } = view;
  const fields = (flags: GlobalFlags, options: WorldOptions = {}, value: object = epic) =>
    printed(options, (app) => fieldPrinter(app, flags, shape)(value));

  it('is one row for each field', async () => {
    expect(await fields({})).toBe('id\t3\ntitle\tRoad "map"\nclosed\t\n');
    expect(await fields({ output: 'csv', json: 'title,id' })).toBe('field,value\ntitle,"Road ""map"""\nid,3\n');
    expect(await fields({}, { terminal: true })).toBe('id      3\ntitle   Road "map"\nclosed\n');
  });

  it('is one value in JSON and YAML', async () => {
    expect(await fields({ output: 'json' })).toBe('{"id":3,"title":"Road \\"map\\"","closed":null}\n');
    expect(await fields({ output: 'yaml', json: 'id' })).toBe('id: 3\n');
    expect(await fields({ jq: '.id + 1' })).toBe('4\n');
  });

  it('continues long values and further lines in the second column, without characters that act on a terminal', async () => {
    const title = `one\ntwo\x1b[2J ${'word '.repeat(10)}`.trim();
    const text = await fields({}, { terminal: true, columns: 40 }, { title });
    expect(text.split('\n')[0]).toBe('title  one');
    expect(text.split('\n')[1]).toMatch(/^ {7}two\\u001b\[2J /);
    for (const line of text.trimEnd().split('\n').slice(1)) expect(line).toMatch(/^ {7}\S.{0,32}$/);
  });

  it('cannot be printed by its id', async () => {
    const { app } = await testApp();
    expect(() => fieldPrinter(app, { output: 'id' }, shape)).toThrow('the result has no id');
  });
});
