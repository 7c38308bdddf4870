import { describe, expect, it } from 'vitest';
import { run } from '../../../../src/cli/run.js';
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
    expect((await ranIn({ env: { COLLOQUY_TOKEN: 'developer-token' } }, ...get, '-q', '$ENV | tostring | contains("token")')).out).toBe('false\n');
  });

  it.each(['yaml', 'csv', 'table', 'id'])('cannot be combined with -o %s', async (format) => {
    expect(await ran(...list, '-q', '.', '-o', format)).toMatchObject({ code: 2, sent: [] });
  });
});
