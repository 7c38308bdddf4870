import fc from 'fast-check';
import { expect, it } from 'vitest';
import { changeJsonTexts } from '../../src/wire/json.js';

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
