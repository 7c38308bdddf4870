import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseJsonObject } from '../../src/yaml/limits.js';

test('an object in JSON is read whole, however it is laid out', () => {
  const values = fc.dictionary(fc.string().filter((key) => key !== '__proto__' && key !== '<<'), fc.jsonValue({ noUnicodeString: false }));
  fc.assert(fc.property(values, fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
    const text = JSON.stringify(value, null, indent);
    expect(parseJsonObject(text)).toEqual(JSON.parse(text));
  }));
  const text = '{"a\\\\": ":", "b\\"": {"c": ["{", 1e3, null]}, "": "\\\\\\":"}';
  expect(parseJsonObject(text)).toEqual(parse(text));
});

test.each(['{"a": 1, "a": 2}', '{"a": {"b": 1, "b": 1}}', '{"a:": 1, "a:": ":"}', '{"__proto__": 1, "__proto__": 2}'])(
  'a key that is there twice is none of its business: %s', (text) => { expect(parseJsonObject(text)).toBeUndefined(); });

test.each(['', '[]', 'a: 1', '{a: 1}', '{"a": 1', '{"a": 1}}', '"a"', '{"a": 01}'])('text that is not a JSON object is left to YAML: %s', (text) => {
  expect(parseJsonObject(text)).toBeUndefined();
});
