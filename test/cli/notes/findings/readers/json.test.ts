import { describe, expect, it } from 'vitest';
import {
  at, itemAt, items, member, object, optionalItems, optionalText, parseJson, position, text, type Json,
} from '../../../../../src/cli/notes/findings/readers/json.js';

const rejection = (read: () => unknown) => {
  try {
    return read();
  } catch (error) {
    const { name, place, message } = error as { name: string; place: string | null; message: string };
    return `${name} ${place}: ${message}`;
  }
};

describe('parseJson', () => {
  it('skips a byte order mark', () => {
    expect(parseJson('\uFEFF[1]').value).toEqual([1]);
  });

  it.each([
    ['{"a": 1,\n "b": }', 1, 'line 2, column 7'], ['{"a": 1,\n "b": }', 10, 'line 11, column 7'], ['[\n1,\n2', 1, 'line 3, column 2'],
    ['', 1, 'line 1, column 1'], ['\uFEFF[\r\n  1,\r\n  oops\r\n]\r\n', 1, 'line 3, column 3'], ['\uFEFF[\n"a\n"]', 1, 'line 2, column 3'],
    ['[1,\n2]\n\n}\n', 1, 'line 4, column 1'], ['[\n1,\n2\n\n', 1, 'line 3, column 2'],
  ])('rejects %j from line %i at %s', (source, firstLine, place) => {
    expect(rejection(() => parseJson(source, firstLine))).toMatch(new RegExp(`^ReportError ${place}: invalid JSON: \\S`));
  });

  it('rejects an object that has a name twice, of which only the last value would count', () => {
    expect(rejection(() => parseJson('{"runs": [1],\n "runs": []}'))).toBe('ReportError line 2, column 2: invalid JSON: an object has this name twice');
  });

  it('does not repeat the document in the message', () => {
    expect(rejection(() => parseJson(`{"secret": "${'x'.repeat(5_000)}", }`))).toMatch(/^.{1,90}$/);
  });
});

describe('a value below a name', () => {
  const json = parseJson('{"a": {"b": [{"c": 5}]}, "none": null}');

  it('has the path that leads to it', () => {
    const [first] = items(at(json, 'a', 'b'));
    expect(member(first!, 'c')).toEqual({ value: 5, path: 'a.b[0].c' });
    expect(itemAt(at(json, 'a', 'b'), 0)).toEqual({ value: { c: 5 }, path: 'a.b[0]' });
  });

  it('is undefined where there is none, below anything', () => {
    expect(at(json, 'none', 'x', 'y')).toEqual({ value: undefined, path: 'none.x.y' });
    expect(at(json, 'a', 'b', 'c', 'd').value).toBeUndefined();
    expect(itemAt(at(json, 'a', 'b'), 1)).toBeUndefined();
    expect(itemAt(at(json, 'none'), 0)).toBeUndefined();
  });

  it('is not one that every object inherits', () => {
    expect(['constructor', '__proto__', 'toString'].map((name) => member(json, name).value)).toEqual([undefined, undefined, undefined]);
  });
});

const of = (value: unknown): Json => ({ value, path: 'runs[0].x' });

describe('a value of another type', () => {
  it.each<[string, (json: Json) => unknown, unknown, string]>([
    ['items', items, {}, 'expected a list, got an object'],
    ['items', items, undefined, 'expected a list, got nothing'],
    ['optionalItems', optionalItems, 'x', 'expected a list, got the text "x"'],
    ['itemAt', (json) => itemAt(json, 0), {}, 'expected a list, got an object'],
    ['object', object, [], 'expected an object, got a list'],
    ['object', object, null, 'expected an object, got null'],
    ['text', text, undefined, 'expected a text, got nothing'],
    ['optionalText', optionalText, true, 'expected a text, got the boolean true'],
    ['position', position, '5', 'expected a number, got the text "5"'],
    ['text', text, 5, 'expected a text, got the number 5'],
  ])('is rejected by %s', (_, read, value, message) => {
    expect(rejection(() => read(of(value)))).toBe(`ReportError runs[0].x: ${message}`);
  });

  it('is shown shortened', () => {
    expect(rejection(() => position(of('x'.repeat(100))))).toBe(`ReportError runs[0].x: expected a number, got the text "${'x'.repeat(38)}…`);
  });

  it('at the top of the document has no place', () => {
    expect(rejection(() => items(parseJson('5')))).toBe('ReportError null: expected a list, got the number 5');
  });
});

describe('a missing value', () => {
  it.each([undefined, null])('that is %s is an empty list, no text and no position', (value) => {
    expect([optionalItems(of(value)), optionalText(of(value)), position(of(value))]).toEqual([[], null, null]);
  });
});

it('a position is a whole number from 1', () => {
  expect([1, 2.9, 0, -1, 0.5].map((value) => position(of(value)))).toEqual([1, 2, null, null, null]);
});
