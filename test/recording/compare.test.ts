import { describe, expect, it } from 'vitest';
import { compareRecordings } from '../../src/recording/compare.js';
import type { RecordedExchange } from '../../src/recording/exchange.js';

const exchange = (body: unknown, { target = '/api/v4/x', status = 200, type = 'application/json' } = {}): RecordedExchange => ({
  time: '', duration: 0, user: null, request: { method: 'GET', target, headers: {}, body: '' },
  response: { status, headers: { 'content-type': type }, body: typeof body === 'string' ? body : JSON.stringify(body) },
});
const differences = (before: unknown, after: unknown) =>
  compareRecordings([exchange(before)], [exchange(after)]).map(({ level, place, before: one, after: other }) => [level, place, one, other]);

describe('two responses to the same request', () => {
  it.each([
    ['a field less', { a: 1, b: 'x' }, { a: 1 }, [['warning', 'b', 'string', 'missing']]],
    ['a field more', { a: 1 }, { a: 1, b: null }, [['info', 'b', 'missing', 'null']]],
    ['another type', { a: { b: 1 } }, { a: { b: '1' } }, [['error', 'a.b', 'number', 'string']]],
    ['another type in a list', [{ id: 1 }, { id: 2 }], [{ id: '1' }], [['error', '[].id', 'number', 'string']]],
    ['a field that no item has any more', [{ a: 1 }, { a: 1, b: 1 }], [{ a: 1 }], [['warning', '[].b', 'number', 'missing']]],
    ['an object instead of a list', [], {}, [['error', 'body', 'list', 'object']]],
    ['null instead of a list', [{ a: 1 }], null, [['error', 'body', 'list', 'null']]],
    ['a list instead of null', null, [], [['error', 'body', 'null', 'list']]],
    ['an item of another type', [{ a: 1 }, { a: 2 }], [{ a: 1 }, 'x'], [['error', '[]', 'object', 'object, string']]],
    ['an item that is null', [{ a: 1 }], [{ a: 1 }, null], [['error', '[]', 'object', 'object, null']]],
    ['an item whose field has another type', [{ a: 1 }], [{ a: 1 }, { a: '2' }], [['error', '[].a', 'number', 'number, string']]],
    ['a field of another type deep in one item', { a: [[{ b: true }]] }, { a: [[{ b: true }, { b: 0 }]] },
      [['error', 'a[][].b', 'boolean', 'boolean, number']]],
    ['an item without a field', [{ a: 1, b: 1 }, { a: 2, b: 2 }], [{ a: 1, b: 1 }, { a: 2 }], [['error', '[].b', 'number', 'missing in some']]],
    ['a field that all items had', [{ a: 1, b: 1 }], [{ a: 1 }], [['error', '[].b', 'number', 'missing']]],
    ['an item whose object lacks a field', [{ author: { id: 1, name: 'x' } }], [{ author: { id: 1, name: 'x' } }, { author: { id: 2 } }],
      [['error', '[].author.name', 'string', 'missing in some']]],
    ['a list that is null now', { notes: [{ id: 1 }] }, { notes: null }, [['error', 'notes', 'list', 'null']]],
    ['a list that is null in one item', [{ notes: [] }, { notes: [] }], [{ notes: [] }, { notes: null }], [['error', '[].notes', 'list', 'list, null']]],
    ['a list that is empty now', [{ a: 1 }], [], [['warning', '[]', 'object', 'no item to compare']]],
    ['a list without texts now', ['x'], [], [['warning', '[]', 'string', 'no item to compare']]],
    ['an object whose list of objects is empty now', { notes: [{ a: 1 }] }, { notes: [] }, [['warning', 'notes[]', 'object', 'no item to compare']]],
    ['items whose lists of objects are all empty now', [{ notes: [{ a: 1 }] }, { notes: [] }], [{ notes: [] }, { notes: [] }],
      [['warning', '[].notes[]', 'object', 'no item to compare']]],
    ['a list whose lists are empty now', [[{ a: 1 }]], [[]], [['warning', '[][]', 'object', 'no item to compare']]],
    ['a list without its lists now', [['x']], [], [['warning', '[]', 'list', 'no item to compare']]],
    ['an object that is null now', { author: { id: 1 } }, { author: null }, [['warning', 'author', 'object', 'null']]],
    ['a boolean that is null now', { resolved: true }, { resolved: null }, [['warning', 'resolved', 'boolean', 'null']]],
    ['a field that is null in all items now', [{ iid: 1 }, { iid: 2 }], [{ iid: null }, { iid: null }], [['warning', '[].iid', 'number', 'null']]],
    ['an object in an object of items', [{ a: { b: { c: 1 } } }], [{ a: { b: null } }], [['warning', '[].a.b', 'object', 'null']]],
    ['another state', { state: 'opened' }, { state: 'closed' }, [['warning', 'state', '"opened"', '"closed"']]],
  ])('differ in %s', (_, before, after, expected) => {
    expect(differences(before, after)).toEqual(expected);
  });

  it.each([
    ['ids, times and texts', { id: 1, created_at: 'a', body: 'x' }, { id: 2, created_at: 'b', body: 'y' }],
    ['null where a text or number was', { a: 1, b: 'x' }, { a: null, b: null }],
    ['null where null was too', [{ a: { b: 1 } }, { a: null }], [{ a: null }]], ['the number of items', [{ a: 1 }, { a: 2 }], [{ a: 3 }]],
    ['the order of keys', { a: 1, b: 2 }, { b: 2, a: 1 }],
    ['the states of the items of a list', [{ state: 'opened' }], [{ state: 'closed' }]],
    ['one of the types and fields that items had', [{ a: 1 }, { a: 'x', b: 1 }, null], [{ a: 'x', b: 2 }, { a: 3 }]],
    ['null in a field of items', [{ a: 1 }], [{ a: 1 }, { a: null }]],
    ['a list that was empty', [], []], ['a list that has items now', [], [{ a: 1 }]],
    ['a field whose list was empty', { notes: [] }, { notes: [] }],
    ['a field whose list of texts is empty now', [{ labels: ['x'] }, { labels: [] }], [{ labels: [] }]],
    ['some lists of objects that are empty now', [{ notes: [{ a: 1 }] }], [{ notes: [] }, { notes: [{ a: 2 }] }]],
    ['the value null', null, null], ['an empty body', '', ''],
  ])('do not differ in %s', (_, before, after) => {
    expect(differences(before, after)).toEqual([]);
  });
});

it('another status and another type of content are errors, whatever the body', () => {
  expect(compareRecordings([exchange({ a: 1 })], [exchange({ message: 'x' }, { status: 404 })]))
    .toEqual([{ level: 'error', request: 'GET /api/v4/x', place: 'status', before: '200', after: '404' }]);
  expect(compareRecordings([exchange('x', { type: 'text/plain' })], [exchange('x', { type: 'text/html; charset=utf-8' })]))
    .toMatchObject([{ level: 'error', place: 'content-type', before: 'text/plain', after: 'text/html' }]);
});

it('headers that clients act on are missing, whatever their value', () => {
  const withHeaders = (headers: Record<string, string>) => {
    const { response, ...rest } = exchange([]);
    return { ...rest, response: { ...response, headers: { ...response.headers, ...headers } } };
  };
  const paging = { 'x-next-page': '2', 'x-total': '101', 'etag': 'W/"1"', 'link': '<http://recorded.invalid/>; rel="next"' };
  expect(compareRecordings([withHeaders(paging)], [withHeaders({})])).toEqual(['x-next-page', 'x-total'].map((place) =>
    ({ level: 'warning', request: 'GET /api/v4/x', place, before: 'sent', after: 'missing' })));
  expect(compareRecordings([withHeaders(paging)], [withHeaders({ 'x-next-page': '', 'x-total': '3' })])).toEqual([]);
  expect(compareRecordings([withHeaders({})], [withHeaders(paging)])).toEqual([]);
});

it('a request that only one recording has is named, once', () => {
  const [a, b] = [exchange({}, { target: '/a' }), exchange({}, { target: '/b' })];
  expect(compareRecordings([a, a, b], [b])).toEqual([{ level: 'warning', request: 'GET /a', place: 'request', before: 'recorded', after: 'missing' }]);
  expect(compareRecordings([b], [a, b])).toEqual([{ level: 'info', request: 'GET /a', place: 'request', before: 'missing', after: 'recorded' }]);
});

describe('a body that cannot be read', () => {
  const of = (body: RecordedExchange['response']['body'], type = 'application/json'): RecordedExchange => {
    const { response, ...rest } = exchange('', { type });
    return { ...rest, response: { ...response, body } };
  };
  const list = '[{"id":1}]';
  const base64 = (text: string | Uint8Array) => ({ base64: Buffer.from(text).toString('base64') });

  it.each<[string, RecordedExchange['response']['body'], RecordedExchange['response']['body'], string, string]>([
    ['cut JSON', list, '[{"id":1}', 'list', 'not JSON'], ['HTML', list, '<html></html>', 'list', 'not JSON'],
    ['an empty body', list, '', 'list', 'empty'], ['a body of spaces', list, ' \n', 'list', 'empty'],
    ['another document behind it', list, `${list}${list}`, 'list', 'not JSON'],
    ['bytes that are not UTF-8', list, base64(Uint8Array.of(0x22, 0xff, 0x22)), 'list', 'not JSON'],
    ['the earlier one', '{"id":', '{"id":1}', 'not JSON', 'object'], ['an empty earlier one', '', '{"id":1}', 'empty', 'object'],
    ['the same text twice', '{"id":', '{"id":', 'not JSON', 'not JSON'],
  ])('is never equal: %s', (_, before, after, one, other) => {
    expect(compareRecordings([of(before)], [of(after)]))
      .toEqual([{ level: 'error', request: 'GET /api/v4/x', place: 'body', before: one, after: other }]);
  });

  it('is one that is empty now or was then, whatever its type', () => {
    expect(compareRecordings([of('diff', 'text/plain')], [of('', 'text/plain')])).toMatchObject([{ level: 'error', before: 'content', after: 'empty' }]);
    expect(compareRecordings([of('', 'image/png')], [of(base64('x'), 'image/png')])).toMatchObject([{ level: 'error', before: 'empty', after: 'content' }]);
    expect(compareRecordings([of('a', 'text/plain')], [of('b', 'text/plain')])).toEqual([]);
  });

  it.each(['', 'text/plain', 'text/html; charset=utf-8', 'application/octet-stream'])('is JSON that is cut, or a page in its place, of the type %j', (type) => {
    for (const after of ['[{"id":', '<html></html>']) {
      expect(compareRecordings([of(list, type)], [of(after, type)])).toMatchObject([{ level: 'error', place: 'body', before: 'list', after: 'content' }]);
    }
    expect(compareRecordings([of(list, type)], [of('[{"id":"1"}]', type)])).toMatchObject([{ level: 'error', place: '[].id' }]);
    expect(compareRecordings([of('12', type)], [of('one', type)])).toEqual([]);
  });

  it('is not one in Base64, as archives have it', () => {
    expect(compareRecordings([of(list)], [of(base64('[{"id":"1"}]'))])).toMatchObject([{ level: 'error', place: '[].id' }]);
    expect(compareRecordings([of(list)], [of(base64(list))])).toEqual([]);
  });

  it('is not that of HEAD, which has none', () => {
    const head = (method: string, body: string): RecordedExchange => ({ ...of(body), request: { method, target: '/a', headers: {}, body: '' } });
    const both = [head('GET', list), head('HEAD', '')];
    expect(compareRecordings(both, both.toReversed())).toEqual([]);
    expect(compareRecordings(both, [...both, ...both])).toEqual([]);
  });
});

describe('a request that was repeated', () => {
  const fine = exchange({ id: 1 });
  const failed = exchange({ message: 'x' }, { status: 500 });

  it.each([
    ['gets an error the second time', [fine], [fine, failed]], ['gets one at last', [fine, fine], [fine, fine, fine, failed]],
    ['got one, and does not now', [failed], [failed, fine]],
  ])('differs if it %s', (_, before, after) => {
    expect(compareRecordings(before, after)).toMatchObject([{ level: 'error', place: 'status' }]);
  });

  it('differs if a later response cannot be read or has other fields', () => {
    expect(compareRecordings([fine], [fine, exchange('{"id":')])).toMatchObject([{ level: 'error', place: 'body' }]);
    expect(compareRecordings([fine], [fine, exchange({})])).toMatchObject([{ level: 'warning', place: 'id', after: 'missing' }]);
  });

  it('does not differ if it gets the same more or less often', () => {
    expect(compareRecordings([fine, failed], [fine, failed, failed])).toEqual([]);
    expect(compareRecordings([fine, fine], [fine])).toEqual([]);
  });
});
