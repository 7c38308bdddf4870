import { describe, expect, it } from 'vitest';
import { formats, type FormatName, type GlobalFlags } from '../../../../src/cli/command-line/flags.js';
import { run } from '../../../../src/cli/run.js';
import { chosenFormat, fieldsIn, selectedFields, formatOf, wantsJson, wantsJsonErrors } from '../../../../src/cli/terminal/output/format.js';
import type { HttpRequest } from '../../../../src/wire/http.js';
import { ran, ranIn, testApp } from '../../../support/app.js';
import { manyThreads } from '../../../support/threads.js';
import { threads } from '../../../support/worlds.js';

const list = ['discussions', 'list', '!1'];
const get = ['discussions', 'get', '!1', threads.resolved];

describe('a jq expression', () => {
  it('reads the whole array, across all pages', async () => {
    expect((await ranIn({ answer: manyThreads(250) }, ...list, '--all', '-q', 'length')).out).toBe('250\n');
    expect((await ran(...list, '--json=id', '-q', 'map(keys)')).out).toBe('[["id"],["id"],["id"]]\n');
  });

  it('prints one line per result, strings without quotes', async () => {
    expect((await ran(...list, '--jq', '.[].notes[0] | .body, .id, .resolved')).out).toBe(
      'please explain\n120\nfalse\ndone?\n122\ntrue\nwhy?\n123\nfalse\n');
    expect((await ran(...get, '-q', '"", "two\\nlines", [""], empty')).out).toBe('\ntwo\nlines\n[""]\n');
  });

  it('reads each record of ndjson, page by page', async () => {
    const log: string[] = [];
    const answer = (request: HttpRequest) => { log.push('asked'); return manyThreads(150)(request); };
    const { app } = await testApp({ answer });
    const out = { ...app.out, write: async (text: string) => { log.push(text.split('\n')[0]!); } };
    expect(await run([...list, '-o', 'ndjson', '-q', '.id[36:]'], { ...app, out })).toBe(0);
    expect(log).toEqual(['asked', '0001', 'asked', '0101']);
  });

  it('that uses too much memory is stopped, and the next one runs', async () => {
    const { code, err, out } = await ran(...get, '-q', 'def more: 1 + more; more');
    expect({ code, out, said: err.split('\n')[0] }).toEqual({ code: 2, out: '', said: 'colloquy: jq ran out of memory' });
    expect((await ran(...get, '-q', '.notes | length')).out).toBe('1\n');
  });

  it('reads single records, single strings and null', async () => {
    expect((await ran(...get, '-q', '.notes[0].resolved_by.username')).out).toBe('developer\n');
    expect((await ranIn({ env: { COLLOQUY_TOKEN: 'root-token' } }, 'appearance', 'get', '-q', 'keys | length')).out).toBe('12\n');
    expect((await ran('config', 'path', '-q', 'length')).out).toMatch(/^\d+\n$/);
    expect((await ran('notes', 'delete', '!1', '121', '--yes', '-q', '.')).out).toBe('null\n');
  });

  it('indents on a terminal, and escapes control characters there', async () => {
    expect((await ranIn({ terminal: true }, ...get, '-q', '{id: .notes[0].id}')).out).toBe('{\n  "id": 122\n}\n');
    expect((await ranIn({ terminal: true }, ...get, '-q', '"\\u001b[31m\\u202e", ["\\u009b"]')).out).toBe(
      '\\u001b[31m\\u202e\n[\n  "\\u009b"\n]\n');
  });

  it.each(['bad(', 'nope', '.a |'])('with a syntax error (%s) is rejected with jq\'s message before anything is sent', async (expression) => {
    const { code, out, err, sent } = await ran('notes', 'add', '!1', '-m', 'x', '-q', expression);
    expect({ code, out, sent }).toEqual({ code: 2, out: '', sent: [] });
    expect(err).toMatch(/^colloquy: jq: error: /);
    const asJson = await ran('notes', 'add', '!1', '-m', 'x', '--json', '-q', expression);
    expect(JSON.parse(asJson.err)).toMatchObject({ error: { code: 'usage', message: expect.stringMatching(/^jq: error: /) as string } });
  });

  it('that fails on a record prints the earlier results, and ends with jq\'s message', async () => {
    const { code, out, err } = await ran(...list, '-o', 'ndjson', '-q', 'if .notes[0].id == 122 then error("no such luck") else .notes[0].id end');
    expect({ code, out }).toEqual({ code: 2, out: '120\n123\n' });
    expect(JSON.parse(err)).toMatchObject({ error: { message: expect.stringContaining('no such luck') as string } });
  });

  it('prints its debug messages on stderr', async () => {
    expect(await ran(...get, '-q', '.notes[0].id | debug')).toMatchObject({ code: 0, out: '122\n', err: '["DEBUG:",122]\n' });
  });

  it('cannot read the environment', async () => {
    for (const expression of ['$ENV', '$ENV.HOME', '.[] | select(.author.username == env.BOT)', 'env', 'env | keys', '[env[]]', '(env).A']) {
      expect(await ran(...get, '-q', expression)).toMatchObject({ code: 2, out: '', sent: [],
        err: expect.stringContaining('a jq expression cannot read environment variables') as string });
    }
    for (const expression of ['.env', '{env: 1} | .env | tostring', '"env" | tostring', '.environment', '. as $env | $env.id']) {
      expect(await ran(...get, '-q', expression)).toMatchObject({ code: 0 });
    }
  });

  it.each(['yaml', 'csv', 'table', 'id'])('cannot be combined with -o %s', async (format) => {
    expect(await ran(...list, '-q', '.', '-o', format)).toMatchObject({ code: 2, sent: [] });
  });
});

describe('the format of a result', () => {
  it('is a table at a terminal and its rows in a pipe, unless a flag chooses another', () => {
    expect([formatOf({}, { isTerminal: true }), formatOf({}, { isTerminal: false })]).toEqual(['table', 'tsv']);
    expect(formatOf({ output: 'csv' }, { isTerminal: true })).toBe('csv');
  });

  it.each<[GlobalFlags, FormatName | null]>([
    [{}, null], [{ output: 'id' }, 'id'], [{ json: '' }, 'json'], [{ json: 'id' }, 'json'], [{ jq: '.' }, 'json'], [{ jq: '.', json: 'id' }, 'json'],
    [{ json: '', output: 'ndjson' }, 'ndjson'], [{ jq: '.', output: 'ndjson' }, 'ndjson'], [{ json: '', output: 'yaml' }, 'yaml'],
    [{ json: 'id', output: 'csv' }, 'csv'], [{ json: 'id', output: 'table' }, 'table'], [{ json: 'id', output: 'markdown' }, 'markdown'],
  ])('of %j is %s', (flags, format) => {
    expect(chosenFormat(flags)).toBe(format);
  });

  it.each<[GlobalFlags, string, string]>([
    [{ json: '', output: 'csv' }, '--json and -o csv cannot be combined', 'name the columns to print: --json=id,body'],
    [{ json: 'id', output: 'id' }, '--json and -o id cannot be combined', 'use only one of them'],
    [{ jq: '.', output: 'yaml' }, '--jq and -o yaml cannot be combined', 'use only one of them'],
    [{ jq: '.', json: 'id', output: 'tsv' }, '--jq and -o tsv cannot be combined', 'use only one of them'],
  ])('of %j does not exist', (flags, message, hint) => {
    expect(() => chosenFormat(flags)).toThrow(expect.objectContaining({ code: 'usage', message, hint }) as Error);
  });

  it('decides whether results and errors are JSON; jq alone changes only the results', () => {
    expect(formats.filter((output) => wantsJsonErrors({ output }))).toEqual(['json', 'ndjson']);
    expect([wantsJson({ jq: '.' }), wantsJsonErrors({ jq: '.' })]).toEqual([true, false]);
    expect([wantsJson({ json: '' }), wantsJsonErrors({ json: '' }), wantsJson({}), wantsJsonErrors({})]).toEqual([true, true, false, false]);
    expect(wantsJsonErrors({ output: 'toString' as FormatName })).toBe(false);
  });
});

describe('the fields of a result', () => {
  it.each([[undefined, null], ['', null], ['id', ['id']], ['id,body', ['id', 'body']], [' id , body,', ['id', 'body']], ['id body', ['id', 'body']]])(
    'in --json=%j are %j', (json, fields) => {
      expect(fieldsIn(json === undefined ? {} : { json })).toEqual(fields);
    });

  it.each([',', ' ', ',, '])('are missing in --json=%j', (json) => {
    expect(() => fieldsIn({ json })).toThrow(expect.objectContaining({ message: `--json=${json} has no field names` }) as Error);
  });

  it('are known, or the nearest is suggested', () => {
    expect(selectedFields({ json: 'body,id' }, ['id', 'body'])).toEqual(['body', 'id']);
    expect(selectedFields({}, [])).toBeNull();
    expect(() => selectedFields({ json: 'id,bdoy' }, ['id', 'body'])).toThrow(expect.objectContaining(
      { message: 'unknown field "bdoy"', hint: 'did you mean body? choose from: id, body' }) as Error);
    expect(() => selectedFields({ json: 'constructor' }, ['id'])).toThrow('unknown field "constructor"');
  });
});

describe('a single text', () => {
  const path = (...flags: string[]) => ran('config', 'path', ...flags);

  it('is printed as it is, or as a JSON text', async () => {
    expect((await path()).out).toBe('/config/config.json\n');
    expect((await path('--json')).out).toBe('"/config/config.json"\n');
    expect((await path('-q', 'split("/") | length')).out).toBe('3\n');
  });

  it('rejects flags that contradict each other', async () => {
    expect(await path('--json', '-o', 'csv')).toMatchObject({ code: 2, out: '' });
  });
});
