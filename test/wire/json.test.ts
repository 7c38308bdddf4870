import fc from 'fast-check';
import { expect, it } from 'vitest';
import { changeJsonTexts, jsonMistake, repeatedName } from '../../src/wire/json.js';

const upper = (json: string) => changeJsonTexts(json, (key, text) => key === 'kept' ? text : text.toUpperCase());

it('changes the texts by their keys, which those in lists have from the list', () => {
  expect(upper('{"a":"x","kept":["y",["z"],{"b":"x","kept":"y"}],"n":1,"c":null}')).toBe('{"a":"X","kept":["y",["z"],{"b":"X","kept":"y"}],"n":1,"c":null}');
  expect(['"a"', '[]', 'true'].map(upper)).toEqual(['"A"', '[]', 'true']);
});

it.each([
  ['{ "a" : "x" }', '{ "a" : "X" }'], ['{"id":12345678901234567890,"a":"x"}', '{"id":12345678901234567890,"a":"X"}'], ['[1e3,"x"]', '[1e3,"X"]'],
  [String.raw`{"b":"\u003ci\/","a":"x"}`, String.raw`{"b":"<I/","a":"X"}`], ['{"a":"x","a":"y"}', '{"a":"X","a":"Y"}'],
  ['{"__proto__":"x"}', '{"__proto__":"X"}'],
])('keeps what is between the texts of %s', (json, changed) => {
  expect(upper(json)).toBe(changed);
});

it('changes what is nested too deeply for JSON.stringify', () => {
  const [open, end] = ['[{"a":'.repeat(50_000), '}]'.repeat(50_000)];
  expect(upper(`${open}"x"${end}`)).toBe(`${open}"X"${end}`);
});

it('changes any JSON, whatever its spaces, as if it had been parsed', () => {
  const changed = (key: string, value: unknown): unknown => {
    if (typeof value === 'string') return `${key}:${value}"`;
    if (Array.isArray(value)) return value.map((item) => changed(key, item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, changed(name, inner)]));
  };
  fc.assert(fc.property(fc.jsonValue({ stringUnit: 'binary' }), fc.constantFrom('', ' ', '\n\t'), (value, space) => {
    const json = JSON.stringify(value, null, space);
    expect(changeJsonTexts(json, (key, text) => `${key}:${text}"`)).toBe(JSON.stringify(changed('', JSON.parse(json)), null, space));
  }));
});

it.each(['nonsense', 'nonsense "x', '{"a', '"\\', '"\\x"', ']}"'])('leaves %s as it is, which is not JSON', (text) => {
  expect(upper(text)).toBe(text);
});

it.each<[string, number]>([
  ['[1, x]', 4], ['{"a": nul}', 6], ['{"a" 1}', 5], ['{a: 1}', 1], ['[1,]', 3], ['{"a":1,}', 7], ['[01]', 1], ['[1}', 2], ['{} x', 3], ['[1] ,', 4],
  ['["a\\x"]', 3], ['["a', 3], ['["a\n"]', 3],
  ['["\\u12"]', 2], ['', 0], [' ', 1], ['[', 1], ['tru', 0], ['[1 2]', 3], ['{"a":1 "b"', 7], ["['a']", 1], ['[1.]', 1],
])('the mistake of %j is at %i', (json, at) => {
  expect(jsonMistake(json)).toBe(at);
});

it('finds no mistake in JSON, and one wherever a character makes it invalid', () => {
  fc.assert(fc.property(fc.jsonValue(), fc.nat(), fc.constantFrom(...'{}[],:"x1. '), (value, at, character) => {
    const json = JSON.stringify(value, null, 1);
    expect(jsonMistake(json)).toBe(json.length);
    const changed = json.slice(0, at % (json.length + 1)) + character + json.slice(at % (json.length + 1));
    const isValid = (() => { try { JSON.parse(changed); return true; } catch { return false; } })();
    expect(jsonMistake(changed) === changed.length || !isValid).toBe(true);
    if (!isValid) expect(jsonMistake(changed)).toBeLessThanOrEqual(changed.length);
  }));
});

it('finds a name that an object has twice, and no other', () => {
  const twice = ['{"a":1,"a":2}', '[{"b":{}},{"a":{"a":1},"b":[],"a":"a"}]', String.raw`{"a":1,"\u0061":2}`, '{"__proto__":1,"__proto__":2}', '{"":1, "" :2}'];
  expect(twice.map(repeatedName)).toEqual([7, 30, 7, 15, 7]);
  fc.assert(fc.property(fc.jsonValue(), (value) => repeatedName(JSON.stringify(value, null, 1)) === null));
  const [open, end] = ['[{"a":'.repeat(50_000), '}]'.repeat(50_000)];
  expect([repeatedName(`${open}"a"${end}`), repeatedName('["a","a",{"a":"a","b":"a"},{"a":":"}]')]).toEqual([null, null]);
});

it('finds mistakes in linear time and at any depth', () => {
  expect(jsonMistake(`${'['.repeat(500_000)}x`)).toBe(500_000);
  expect(jsonMistake(`["${'\\\\'.repeat(10_000_000)}", x]`)).toBe(20_000_005);
  expect(jsonMistake(`["${'a'.repeat(9_000_000)}`)).toBe(9_000_002);
  expect(jsonMistake(`[${' '.repeat(9_000_000)}x`)).toBe(9_000_001);
  expect(jsonMistake(`[${'1'.repeat(9_000_000)}x`)).toBe(1);
});
