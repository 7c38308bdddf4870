import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeForm, encodeForm, fromPairs, toPairs, UnreadableParams } from '../../../src/wire/http.js';
import { isParams, type Params } from '../../../src/wire/http.js';
import { memoryHeld } from '../../support/memory.js';

const key = fc.string({ minLength: 1, maxLength: 8 }).filter((text) => !/[[\]]/.test(text));
const word = fc.string();
const hash = (depth: number): fc.Arbitrary<Params> => fc.dictionary(
  key, depth > 1 ? fc.oneof(word, hash(depth - 1)) : word, { minKeys: 1, maxKeys: 3 });

/** The same parameters with ordinary prototypes, to compare them. */
const plain = (value: unknown): unknown => isParams(value)
  ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)])) : value;

describe('nested parameters as pairs', () => {
  it('are nested again without change', () => {
    fc.assert(fc.property(hash(5), (value) => {
      expect(plain(fromPairs(toPairs(value)))).toEqual(plain(value));
    }));
  });

  it('have names with brackets', () => {
    expect(toPairs({ body: 'x', position: { new_line: 3, line_range: { start: { type: 'new' } } } })).toEqual([
      ['body', 'x'], ['position[new_line]', 3], ['position[line_range][start][type]', 'new'],
    ]);
  });

  it('omit undefined and have null as empty text', () => {
    expect(toPairs({ a: undefined, b: null, c: { d: undefined } })).toEqual([['b', '']]);
  });

  it('keep a file unchanged', () => {
    const file = { filename: 'a.png', bytes: new Uint8Array([1]) };
    expect(toPairs({ logo: file })).toEqual([['logo', file]]);
  });
});

describe('pairs as nested parameters', () => {
  it('use the last of two with the same name', () => {
    expect(plain(fromPairs([['a', '1'], ['p[x]', '1'], ['a', '2'], ['p[x]', '2']]))).toEqual({ a: '2', p: { x: '2' } });
  });

  it('collect the values of a name with empty brackets in a list', () => {
    expect(plain(fromPairs([['a[]', '1'], ['b[c][]', '3'], ['a[]', '2']]))).toEqual({ a: ['1', '2'], b: { c: ['3'] } });
    expect(() => fromPairs([['a', '1'], ['a[]', '2']])).toThrow(new UnreadableParams('a is given as a value and as a list'));
    expect(() => fromPairs([['a[]', '1'], ['a[x]', '2']])).toThrow(UnreadableParams);
  });

  it('accept prototype names as keys', () => {
    const read = fromPairs([['__proto__[admin]', 'yes'], ['constructor[prototype][admin]', 'yes'], ['toString', 'x']]);
    expect(Object.keys(read)).toEqual(['__proto__', 'constructor', 'toString']);
    expect(({} as Params)['admin']).toBeUndefined();
    expect(Object.getPrototypeOf(read)).toBeNull();
  });

  it.each([
    ['a value and then a hash', [['p', '1'], ['p[x]', '1']]],
    ['a hash and then a value', [['p[x]', '1'], ['p', '1']]],
  ] as [string, [string, string][]][])('reject a name used as %s', (_, pairs) => {
    expect(() => fromPairs(pairs)).toThrow(new UnreadableParams('p is given as a value and as a hash'));
  });

  it('can be five levels deep, not six', () => {
    expect(plain(fromPairs([['a[b][c][d][e]', '1']]))).toEqual({ a: { b: { c: { d: { e: '1' } } } } });
    expect(() => fromPairs([['a[b][c][d][e][f]', '1']])).toThrow(UnreadableParams);
  });

  it('can be two hundred, not more, even with the same name', () => {
    const pairs = (count: number) => Array.from({ length: count }, () => ['a', '1'] as const);
    expect(plain(fromPairs(pairs(200)))).toEqual({ a: '1' });
    expect(() => fromPairs(pairs(201))).toThrow(UnreadableParams);
  });

  it.each(['a[b', 'a]b', '[a]', 'a[b]c', 'a[[b]]', ''])('keep the name %j unchanged', (name) => {
    expect(Object.keys(fromPairs([[name, '1']]))).toEqual([name]);
  });
});

it('a JSON object with a key "bytes" counts as parameters, bytes and lists do not', () => {
  expect(isParams({ bytes: 'x' })).toBe(true);
  for (const value of [null, [], new Uint8Array(1), 'x', 1, { bytes: new Uint8Array(1), filename: 'a' }]) {
    expect(isParams(value)).toBe(false);
  }
});

describe('url-encoded text', () => {
  it('escapes the plus sign of an offset', () => {
    expect(encodeForm({ created_at: '2020-01-01T00:00:00+02:00' })).toBe('created_at=2020-01-01T00%3A00%3A00%2B02%3A00');
  });

  it('is decoded without change', () => {
    const part = fc.string({ unit: 'binary' });
    fc.assert(fc.property(fc.dictionary(part.filter((name) => !/[[\]]/.test(name)), part), (params) => {
      expect(Object.fromEntries(decodeForm(encodeForm(params)))).toEqual(params);
    }));
  });

  it('has null for a key without a value', () => {
    expect([...decodeForm('a&b=&c[d]')]).toEqual([['a', null], ['b', ''], ['c[d]', null]]);
  });

  it('is decoded as by URLSearchParams', () => {
    const piece = fc.constantFrom('a', '=', '&', '+', '%', '%2', '%2B', '%2b', '%26', '%3D', '%zz', '%ff', '%00', '%D0%96', '%F0%9F%98%80',
      '%ED%A0%80', '?', '#');
    fc.assert(fc.property(fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join('')), (text) => {
      expect([...decodeForm(text)].map(([name, value]) => [name, value ?? ''])).toEqual([...new URLSearchParams(`&${text}`)]);
    }), { numRuns: 2_000 });
  });

  it.each([
    ['Ж%ff+%', 'Ж\ufffd %'], ['%E2%82', '\ufffd'], ['\ud800', '\ufffd'], ['\ud800+', '\ufffd '], ['%', '%'], ['%4', '%4'], ['%%41', '%A'], ['%4%41', '%4A'],
  ])('keeps invalid escapes, and replaces invalid text: %j', (text, expected) => {
    expect([...decodeForm(`a=${text}`)]).toEqual([['a', expected]]);
  });

  it.each(['+', '%', '%41', '%ff', 'x'])('takes memory in proportion to its length: %s', (piece) => {
    const text = `a=${piece.repeat(3_000_000 / piece.length)}`;
    const before = memoryHeld().heap;
    const [pair] = decodeForm(text);
    expect(memoryHeld().heap - before).toBeLessThan(4 * text.length);
    expect(pair![1]!.length).toBeGreaterThan(0);
  });
});
