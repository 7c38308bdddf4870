import { describe, expect, it } from 'vitest';
import { formats, type GlobalFlags } from '../../../../../src/cli/command-line/flags.js';
import { checkFormat, printedId, rawPages, printResponse } from '../../../../../src/cli/service/api/call.js';
import type { HttpRequest, HttpResponse } from '../../../../../src/wire/http.js';
import { json } from '../../../../support/answers.js';
import { testApp, type WorldOptions } from '../../../../support/app.js';

const request: HttpRequest = { method: 'GET', target: '/api/v4/x', headers: {} };

/** What is printed of a response, and the error after it. */
const printed = async (response: HttpResponse, flags: GlobalFlags & { readonly include?: boolean } = {}, options: WorldOptions = {}) => {
  const { app } = await testApp(options);
  const texts = { out: '', err: '' };
  const out = { ...app.out, write: async (text: string) => { texts.out += text; },
    writeBytes: async (bytes: Uint8Array) => { texts.out += Buffer.from(bytes).toString('latin1'); } };
  const err = { ...app.err, write: async (text: string) => { texts.err += text; } };
  const error = await printResponse({ ...app, out, err }, flags, request, response).then(() => null, (reason: unknown) => reason);
  return { ...texts, error };
};

describe('a response', () => {
  it('is printed as received in a pipe', async () => {
    expect(await printed({ status: 200, headers: {}, body: '{ "a":1.0 }' })).toMatchObject({ out: '{ "a":1.0 }', error: null });
    expect(await printed({ status: 200, headers: {}, body: Uint8Array.of(0xff) })).toMatchObject({ out: '\xff' });
  });

  it('is indented on a terminal if it is JSON, and safe there', async () => {
    expect((await printed({ status: 200, headers: {}, body: '{"a":"\x9b"}' }, {}, { terminal: true })).out).toBe('{\n  "a": "\\u009b"\n}\n');
    expect((await printed({ status: 200, headers: {}, body: 'a\x1b[2J' }, {}, { terminal: true })).out).toBe('a\\u001b[2J\n');
    expect((await printed({ status: 204, headers: {}, body: '' }, {}, { terminal: true })).out).toBe('');
  });

  it.each([['image/png', true], ['application/octet-stream', true], ['text/plain', false], ['application/xml', false], ['', false]])(
    'of bytes of type %j is kept from a terminal: %s', async (type, isBinary) => {
      const { out, error } = await printed({ status: 200, headers: { 'content-type': type }, body: Buffer.from('abc') }, {}, { terminal: true });
      expect(isBinary ? error : out).toEqual(isBinary ? expect.objectContaining({
        code: 'failure', message: `the response is binary (3 bytes of ${type})`, hint: 'redirect it to a file or a pipe',
      }) : 'abc\n');
    });

  it('that is a web page says so beside it', async () => {
    const page = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' };
    expect(await printed(page)).toMatchObject({ out: '<html>', err: 'the response is an HTML page; check --url\n' });
    expect((await printed(page, { quiet: true })).err).toBe('');
  });

  it('has its status and headers before it if they are asked for, without session cookies', async () => {
    const response = { status: 201, headers: { 'x-a': 'b\x1b', 'set-cookie': 'secret' }, body: '1' };
    expect((await printed(response, { include: true })).out).toBe('HTTP 201\nx-a: b\x1b\nset-cookie: [redacted]\n\n1');
    expect((await printed(response, { include: true }, { terminal: true })).out).toBe('HTTP 201\nx-a: b\\u001b\nset-cookie: [redacted]\n\n1\n');
  });
});

describe('the response of an error', () => {
  it.each<GlobalFlags>([{}, { json: '' }, { jq: '.id' }, { output: 'id' }])('is printed as received before the error, with %j', async (flags) => {
    const { out, error } = await printed(json(404, { message: '404 Not found' }), flags);
    expect(out).toBe('{"message":"404 Not found"}');
    expect(error).toMatchObject({ name: 'ApiError', status: 404, request: 'GET /api/v4/x' });
  });
});

describe('the formats of a response', () => {
  it('are those that need no known shape', async () => {
    const allowed = formats.filter((output) => {
      try {
        checkFormat({ output });
        return true;
      } catch {
        return false;
      }
    });
    expect(allowed).toEqual(['table', 'json', 'ndjson', 'yaml', 'id']);
    expect(() => { checkFormat({ json: ',' }); }).toThrow('--json=, has no field names');
  });

  it.each<[GlobalFlags, unknown, string]>([
    [{ json: 'id' }, [{ id: 1, a: 2 }, { a: 3 }], '[{"id":1},{"id":null}]\n'], [{ json: 'id' }, { id: 1, a: 2 }, '{"id":1}\n'],
    [{ json: 'id' }, 'text', '"text"\n'], [{ output: 'ndjson' }, [1, 2], '1\n2\n'], [{ output: 'yaml' }, { a: [] }, 'a: []\n'],
    [{ output: 'id' }, [{ id: 1 }, { id: 'a' }], '1\na\n'], [{ output: 'id' }, { id: 5 }, '5\n'], [{ jq: 'length' }, [1, 2], '2\n'],
    [{ jq: '.[0]', json: 'id' }, [{ id: 1, a: 2 }], '{"id":1}\n'],
  ])('%j of %j', async (flags, value, text) => {
    expect(await printed(json(200, value), flags)).toMatchObject({ out: text, error: null });
  });

  it('take an empty response for null', async () => {
    expect((await printed({ status: 204, headers: {}, body: ' \n' }, { json: '' })).out).toBe('null\n');
  });

  it.each([['application/json', 'invalid JSON'], ['text/html', 'text/html, not JSON'], ['', 'untyped, not JSON']])(
    'fail for a response of type %j that is not JSON', async (type, what) => {
      expect((await printed({ status: 200, headers: { 'content-type': type }, body: '{"a' }, { json: '' })).error).toMatchObject({
        code: 'unavailable', message: `the response is ${what}`, hint: 'remove the format option to see it',
      });
    });
});

describe('the id of an item', () => {
  it.each([[{ id: 1 }, '1'], [{ id: 'a\nb' }, 'a b'], [{ id: 0 }, '0']])('%j is %j', (item, id) => {
    expect(printedId(item)).toBe(id);
  });

  it.each([null, undefined, 5, 'text', [], {}, { id: null }, { id: {} }])('is missing in %j', (item) => {
    expect(() => printedId(item)).toThrow('the response has no id');
  });
});

describe('the pages of a list', () => {
  const pages = (target: string, ...responses: HttpResponse[]) => {
    const sent: string[] = [];
    const send = async (one: HttpRequest) => { sent.push(decodeURIComponent(one.target)); return responses[sent.length - 1]!; };
    return { sent, list: (fields: readonly string[] | null = null) => rawPages(send, { ...request, target }, 50, fields).all() };
  };
  const page = (items: unknown, next = ''): HttpResponse => ({ ...json(200, items), headers: { 'content-type': 'application/json', 'x-next-page': next } });

  it('have the given size unless the path has one of its own', async () => {
    const { sent, list } = pages('/api/v4/x', page([1]));
    expect(await list()).toEqual([1]);
    const own = pages('/api/v4/x?per_page=7', page([1]));
    await own.list();
    expect([...sent, ...own.sent]).toEqual(['/api/v4/x?per_page=50', '/api/v4/x?per_page=7']);
  });

  it('keep the lists and other parameters of the path', async () => {
    const { sent, list } = pages('/api/v4/x?a[]=1&a[]=2&b=3', page([1], '2'), page([2]));
    expect(await list()).toEqual([1, 2]);
    expect(sent).toEqual(['/api/v4/x?a[]=1&a[]=2&b=3&per_page=50', '/api/v4/x?a[]=1&a[]=2&b=3&per_page=50&page=2']);
  });

  it('have the selected fields alone', async () => {
    expect(await pages('/api/v4/x', page([{ id: 1, a: 2 }])).list(['a', 'none'])).toEqual([{ a: 2, none: null }]);
  });

  it('that do not start with a list are a mistake of the user, and of the service later on', async () => {
    await expect(pages('/api/v4/x', page({})).list()).rejects.toMatchObject({ code: 'usage', message: 'the response of /api/v4/x is not a list' });
    await expect(pages('/api/v4/x', page([1], '2'), page({})).list()).rejects.toMatchObject({ name: 'ResponseError' });
  });
});
