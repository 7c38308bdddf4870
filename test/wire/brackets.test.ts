import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromPairs, isHash, toPairs, UnreadableHash, type Hash } from '../../src/wire/forms.js';

const key = fc.string({ minLength: 1, maxLength: 8 }).filter((text) => !/[[\]]/.test(text));
const word = fc.string();
const hash = (depth: number): fc.Arbitrary<Hash> => fc.dictionary(
  key, depth > 1 ? fc.oneof(word, hash(depth - 1)) : word, { minKeys: 1, maxKeys: 3 });

/** The same hash with ordinary prototypes, so that it can be compared. */
const plain = (value: unknown): unknown => isHash(value)
  ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)])) : value;

describe('a hash as pairs', () => {
  it('comes back as it was', () => {
    fc.assert(fc.property(hash(5), (value) => {
      expect(plain(fromPairs(toPairs(value)))).toEqual(plain(value));
    }));
  });

  it('has bracketed names', () => {
    expect(toPairs({ body: 'x', position: { new_line: 3, line_range: { start: { type: 'new' } } } })).toEqual([
      ['body', 'x'], ['position[new_line]', 3], ['position[line_range][start][type]', 'new'],
    ]);
  });

  it('leaves out what is undefined and sends null as empty text', () => {
    expect(toPairs({ a: undefined, b: null, c: { d: undefined } })).toEqual([['b', '']]);
  });

  it('carries a file whole', () => {
    const file = { filename: 'a.png', bytes: new Uint8Array([1]) };
    expect(toPairs({ logo: file })).toEqual([['logo', file]]);
  });
});

describe('pairs read as a hash', () => {
  it('take the last of two with one name', () => {
    expect(plain(fromPairs([['a', '1'], ['p[x]', '1'], ['a', '2'], ['p[x]', '2']]))).toEqual({ a: '2', p: { x: '2' } });
  });

  it('hold prototype names as keys like any other', () => {
    const read = fromPairs([['__proto__[admin]', 'yes'], ['constructor[prototype][admin]', 'yes'], ['toString', 'x']]);
    expect(Object.keys(read)).toEqual(['__proto__', 'constructor', 'toString']);
    expect(({} as Hash)['admin']).toBeUndefined();
    expect(Object.getPrototypeOf(read)).toBeNull();
  });

  it.each([
    ['a value and then a hash', [['p', '1'], ['p[x]', '1']]],
    ['a hash and then a value', [['p[x]', '1'], ['p', '1']]],
  ] as [string, [string, string][]][])('refuse a name used as %s', (_, pairs) => {
    expect(() => fromPairs(pairs)).toThrow(new UnreadableHash('p is given as a value and as a hash'));
  });

  it('may be five levels deep, not six', () => {
    expect(plain(fromPairs([['a[b][c][d][e]', '1']]))).toEqual({ a: { b: { c: { d: { e: '1' } } } } });
    expect(() => fromPairs([['a[b][c][d][e][f]', '1']])).toThrow(UnreadableHash);
  });

  it('may be two hundred, not more, even when they repeat one name', () => {
    const pairs = (count: number) => Array.from({ length: count }, () => ['a', '1'] as const);
    expect(plain(fromPairs(pairs(200)))).toEqual({ a: '1' });
    expect(() => fromPairs(pairs(201))).toThrow(UnreadableHash);
  });

  it.each(['a[b', 'a]b', '[a]', 'a[b]c', 'a[[b]]', ''])('keep the odd name %j as it stands', (name) => {
    expect(Object.keys(fromPairs([[name, '1']]))).toEqual([name]);
  });
});

it('a JSON object with a key "bytes" is a hash, bytes and lists are none', () => {
  expect(isHash({ bytes: 'x' })).toBe(true);
  for (const value of [null, [], new Uint8Array(1), 'x', 1, { bytes: new Uint8Array(1), filename: 'a' }]) {
    expect(isHash(value)).toBe(false);
  }
});
