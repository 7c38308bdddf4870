import { describe, expect, it } from 'vitest';
import { differing, isEquivalent, isSame, isSameText, shown, shownInSentence, type ImageSummary, type Value } from '../../../src/cli/appearance/values.js';

const image = (name: string, sha256: string | null): ImageSummary => ({ name, size: sha256 === null ? null : 12, sha256 });
const [one, other] = ['a'.repeat(64), 'b'.repeat(64)];

describe('two texts', () => {
  it.each([['a\r\nb  \n', 'a\nb'], ['', null], ['', undefined], ['\n\n', '']])('are the same: %j and %j', (a, b) => {
    expect(isSameText(a, b)).toBe(true);
  });

  it.each([['a b', 'ab'], [' a', 'a'], ['a\n\nb', 'a\nb'], [false, ''], ['#FFF', '#fff']])('differ: %j and %j', (a, b) => {
    expect(isSameText(a, b)).toBe(false);
  });
});

describe('two values', () => {
  it.each<[Value, Value]>([
    ['a', 'a'], [false, false], [null, null], [image('a.png', one), image('/uploads/b.png', one)], [image('/a.png', null), image('/a.png', null)],
  ])('are the same: %j and %j', (a, b) => {
    expect(isSame(a, b)).toBe(true);
  });

  it.each<[Value, Value]>([
    ['a\n', 'a'], [false, ''], [null, ''], [null, image('a.png', one)], [image('a.png', one), image('a.png', other)],
    [image('/a.png', null), image('/b.png', null)],
  ])('differ: %j and %j', (a, b) => {
    expect(isSame(a, b)).toBe(false);
  });
});

it('values that differ are listed with what they are now, texts as services store them', () => {
  const expected = [{ field: 'title', value: 'a' }, { field: 'description', value: 'b\n' }, { field: 'header_message', value: 'c' }] as const;
  const now = (field: string) => ({ title: 'a', description: 'b' } as Record<string, string>)[field];
  const [text, missing] = [{ ...expected[1], now: 'b' }, { ...expected[2], now: undefined }];
  expect(differing(expected, now)).toEqual([text, missing]);
  expect(differing(expected, now, isEquivalent)).toEqual([missing]);
});

it('a value is shown in one line, in a table and in a sentence', () => {
  expect(['', null, true, 'a\n\u001b', image('a.png', one), { ...image('a.png', one), size: null },
    image('a.png', null)].map(shown)).toEqual([
    '(empty)', '(empty)', 'true', '"a \\u001b"', 'a.png (12 bytes, sha256 aaaaaaaa)',
    'a.png (sha256 aaaaaaaa)', 'a.png (not read)',
  ]);
  expect(['', null, undefined, 'a'.repeat(61)].map((value) => shownInSentence(value)))
    .toEqual(['empty', 'not set', 'missing in the response', `"${'a'.repeat(60)}…"`]);
});

it.each([[7, '7'], [{ url: '/a.png' }, '{"url":"/a.png"}']])('a value of another type than the service has is shown as JSON: %j', (value, text) => {
  expect(shown(value as unknown as Value)).toBe(text);
});
