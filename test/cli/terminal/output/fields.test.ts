import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areFields } from '../../../../src/cli/command-line/flags.js';
import { ran, ranIn, type Ran } from '../../../support/app.js';

const notes = ['notes', 'list', '!1', '-L', '1'];
const thread = '3'.repeat(40);

const both = async (...argv: string[]): Promise<Ran[]> => [await ran(...argv), await ranIn({ terminal: true }, ...argv)];

describe('fields in the word after --json', () => {
  it('mean the same as after an equals sign, in a pipe and on a terminal', async () => {
    const joined = await both(...notes, '--json=id,body');
    expect(joined.map(({ code }) => code)).toEqual([0, 0]);
    expect(await both(...notes, '--json', 'id,body')).toEqual(joined);
    expect(await both('notes', 'list', '--json', 'id,body', '!1', '-L', '1')).toEqual(joined);
    expect(await both('notes', 'list', '--json', 'id body', '!1', '-L', '1')).toEqual(joined);
  });

  it('leave a reference and a thread to the command', async () => {
    expect(JSON.parse((await ran('discussions', 'get', '--json', '!1', thread)).out)).toMatchObject({ id: thread });
    expect(JSON.parse((await ran('discussions', 'get', '!1', '--json', '3333')).out)).toMatchObject({ id: thread });
    expect((await ran('discussions', 'get', '!1', '--json', 'id', '3333')).out).toBe(`{"id":"${thread}"}\n`);
  });

  it('are never references, ids or web addresses', () => {
    const known = ['id', 'body', 'notes', 'state'];
    const words = fc.oneof(
      fc.tuple(fc.constantFrom('!', '#', '$', '&', '@', 'mr/', 'issue/', 'acme/app!'), fc.nat()).map(([mark, n]) => `${mark}${n}`),
      fc.stringMatching(/^[0-9a-f]{1,40}$/), fc.nat().map(String), fc.webUrl());
    fc.assert(fc.property(words, (word) => { expect(areFields(word, known)).toBe(false); }));
  });

  it('are only those that the command prints', async () => {
    const profiles = { current: 'default', profiles: { default: { url: 'https://a.example' } } };
    expect(await ranIn({ profiles }, 'config', 'get', '--json', 'url')).toMatchObject({ code: 0, out: '"https://a.example"\n' });
    expect((await ran('appearance', 'get', '--json', 'id', '--token', 'root-token')).code).toBe(2);
  });
});

describe('a column of the table', () => {
  it('can be selected like a field, in the order given', async () => {
    expect((await ran('discussions', 'get', '!1', thread, '--json=place,id,state,first_line')).out).toMatch(
      new RegExp(`^\\{"place":".*","id":"${thread}","state":"(open|resolved|)","first_line":".*"\\}\n$`));
    expect((await ran('discussions', 'list', '!1', '-o', 'ndjson', '--json=state', '-L', '1')).out).toMatch(/^\{"state":"\w*"\}\n$/);
    expect((await ran('discussions', 'list', '!1', '--json=state', '-q', 'length')).out).toBe('3\n');
    expect((await ran('epics', 'list', '&1', '--json=epic,due', '-L', '1')).code).toBe(0);
  });

  it('has its exact value on a terminal too', async () => {
    const [piped, shown] = await both('notes', 'list', '!1', '-L', '1', '--json', 'note,created');
    expect(JSON.parse(shown!.out)).toEqual(JSON.parse(piped!.out));
  });

  it('gives way to a field of the service with the same name', async () => {
    expect(JSON.parse((await ran(...notes, '--json=author')).out)).toMatchObject([{ author: { id: expect.any(Number) as number } }]);
  });

  it('can be chosen for csv, tsv, markdown and tables', async () => {
    expect((await ran(...notes, '--json=id,first_line', '-o', 'csv')).out).toMatch(/^id,first_line\n\d+,.+\n$/);
    expect((await ran(...notes, '--json=id,author', '-o', 'tsv')).out).toMatch(/^\d+\t\{"id":\d+,.*\}\n$/);
    expect((await ran(...notes, '--json', 'id,state', '-o', 'markdown')).out).toMatch(/^\| id \| state \|\n/);
    for (const { out } of await both(...notes, '--json', 'id,first_line', '-o', 'table')) {
      expect(out).toMatch(/^ID +FIRST_LINE\n\d+ +\S/);
    }
    expect((await ran('discussions', 'get', '!1', thread, '--json=state', '-o', 'csv')).out).toMatch(/^state\n\w*\n$/);
  });

  it('is named by the error for an unknown field', async () => {
    const { code, err, sent } = await ran(...notes, '--json=first_lin');
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
    expect(JSON.parse(err)).toMatchObject({ error: {
      message: 'unknown field "first_lin"',
      hint: expect.stringMatching(/^did you mean first_line\? choose from: id, .*, state, .*, first_line, url$/) as string,
    } });
  });
});

describe('-o table in a pipe', () => {
  it('is the table of a terminal, with full ids and timestamps', async () => {
    const { out } = await ran('discussions', 'list', '!1', '-o', 'table');
    const [header, ...rows] = out.trimEnd().split('\n');
    expect(header).toMatch(/^THREAD {36}STATE +AUTHOR +CREATED +NOTES +PLACE +TEXT$/);
    expect(rows).toHaveLength(3);
    const author = header!.indexOf('AUTHOR');
    for (const row of rows) expect(row.slice(author - 2, author + 1)).toMatch(/^ {2}\S$/);
    expect(out).toMatch(/^[0-9a-f]{40} .*\d{4}-\d\d-\d\dT/m);
    expect(out).not.toContain('\x1b');
  });

  it('is as wide as its texts, or as COLUMNS', async () => {
    const body = 'word '.repeat(200).trim();
    const answer = () => ({ status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify([{
      id: 'a'.repeat(40), individual_note: false, notes: [{ id: 1, body, author: { id: 1, username: 'ada' }, created_at: 'x', updated_at: 'x', system: false }],
    }]) });
    expect((await ranIn({ answer }, 'discussions', 'list', '!1', '-o', 'table')).out).toContain(body);
    const { out } = await ranIn({ answer, env: { COLUMNS: '90' } }, 'discussions', 'list', '!1', '-o', 'table');
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(90);
  });

  it('is not the default', async () => {
    expect((await ran('discussions', 'list', '!1')).out).toBe((await ran('discussions', 'list', '!1', '-o', 'tsv')).out);
  });

  it('shows a record as a terminal does', async () => {
    expect((await ran('config', 'list', '-o', 'table')).code).toBe(0);
    expect((await ran('notes', 'edit', '!1', '121', '-m', 'changed', '-o', 'table')).out).toMatch(/^note +121\nstate/);
  });
});
