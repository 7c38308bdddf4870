import { expect, it } from 'vitest';
import { createKnownTexts } from '../../src/recording/known-texts.js';

it('a text is made once, until something is learned', () => {
  let learned = 0;
  let made = 0;
  const { of } = createKnownTexts(() => learned);
  const ask = (key: string) => of('text', key, () => `${key}${++made}`);
  expect([ask('a'), ask('a'), ask('b')]).toEqual(['a1', 'a1', 'b2']);
  learned++;
  expect([ask('a'), ask('a'), ask('b')]).toEqual(['a3', 'a3', 'b4']);
});

it('the same text is another one as another kind', () => {
  const { of } = createKnownTexts(() => 0);
  expect([of('path', 'a', () => 'b'), of('header', 'a', () => 'c'), of('path', 'a', () => 'd')]).toEqual(['b', 'c', 'b']);
});

it('a text that teaches something is known at once, and the others are not any more', () => {
  let learned = 0;
  const { of } = createKnownTexts(() => learned);
  of('text', 'a', () => 'before');
  of('text', 'b', () => { learned++; return 'teaches'; });
  expect([of('text', 'a', () => 'after'), of('text', 'b', () => 'not again')]).toEqual(['after', 'teaches']);
});

it('forgets all when texts take much memory', () => {
  const { of } = createKnownTexts(() => 0);
  const long = 'x'.repeat(3_000_000);
  for (const name of ['a', 'b', 'c', 'a', 'b', 'c']) of('text', name + long, () => name);
  expect([of('text', `c${long}`, () => 'again'), of('text', `a${long}`, () => 'again')]).toEqual(['c', 'again']);
});
