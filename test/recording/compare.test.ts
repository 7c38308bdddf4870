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
    ['another state', { state: 'opened' }, { state: 'closed' }, [['warning', 'state', '"opened"', '"closed"']]],
  ])('differ in %s', (_, before, after, expected) => {
    expect(differences(before, after)).toEqual(expected);
  });

  it.each([
    ['ids, times and texts', { id: 1, created_at: 'a', body: 'x' }, { id: 2, created_at: 'b', body: 'y' }],
    ['null where a value was', { a: 1 }, { a: null }], ['the number of items', [{ a: 1 }], []], ['the order of keys', { a: 1, b: 2 }, { b: 2, a: 1 }],
    ['the states of the items of a list', [{ state: 'opened' }], [{ state: 'closed' }]],
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

it('a request that only one recording has is named, once', () => {
  const [a, b] = [exchange({}, { target: '/a' }), exchange({}, { target: '/b' })];
  expect(compareRecordings([a, a, b], [b])).toEqual([{ level: 'warning', request: 'GET /a', place: 'request', before: 'recorded', after: 'missing' }]);
  expect(compareRecordings([b], [a, b])).toEqual([{ level: 'info', request: 'GET /a', place: 'request', before: 'missing', after: 'recorded' }]);
});
