import { expect, it } from 'vitest';
import { otherLines } from '../../../../../src/cli/notes/findings/find-files.js';

const others = (text: string, line: number | null) => otherLines('a.js', line, text.split('\n')).map((one) => one.line);

it('a line has no other number in a file whose ends of lines all tools count', () => {
  for (const text of ['one\ntwo\nthree\n', 'one\r\ntwo\r\nthree\r\n', 'one\ntwo\nthree']) {
    expect([null, 1, 2, 3].map((line) => others(text, line))).toEqual([[], [], [], []]);
  }
  expect(otherLines('a.js', 3, null)).toEqual([]);
});

it('each odd end above a line can have moved it down by one', () => {
  const text = 'one\nt\u2028w\ro\nthree\nfour\n';
  expect([1, 2, 3, 4, 5, 6].map((line) => others(text, line))).toEqual([[], [], [2], [2, 3], [3, 4], [4, 5]]);
});

it('the line after the last one is the last one, and a line further down is anywhere in its file', () => {
  expect([4, 5, 99].map((line) => others('one\ntwo\nthree\n', line))).toEqual([[3], [null], [null]]);
  expect([4, 99].map((line) => others('one\ntwo\nthree', line))).toEqual([[null], [null]]);
  expect([1, 2].map((line) => others('', line))).toEqual([[], [null]]);
});

it('a line that can be one of many is anywhere in its file', () => {
  expect(others(`${'a\r'.repeat(60)}a\n${'one\n'.repeat(60)}`, 61)).toEqual([null]);
});
