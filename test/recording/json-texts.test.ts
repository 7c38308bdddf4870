import { expect, it } from 'vitest';
import { readJson } from '../../src/recording/json-texts.js';

const upper = (json: string) => readJson(json).change((key, text) => key === 'kept' ? text : text.toUpperCase());

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

it('leaves text that is not JSON as it is', () => {
  expect([readJson('nonsense').value, upper('nonsense "x')]).toEqual([undefined, 'nonsense "x']);
});
