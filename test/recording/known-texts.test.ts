import { expect, it } from 'vitest';
import { createKnownTexts } from '../../src/recording/known-texts.js';

it('a text is made once, until something is learned', () => {
  let learned = 0;
  let made = 0;
  const { of } = createKnownTexts(() => learned);
  const ask = (key: string) => of(key, () => `${key}${++made}`);
  expect([ask('a'), ask('a'), ask('b')]).toEqual(['a1', 'a1', 'b2']);
  learned++;
  expect([ask('a'), ask('a'), ask('b')]).toEqual(['a3', 'a3', 'b4']);
});

it('a text that teaches something is known at once, and the others are not any more', () => {
  let learned = 0;
  const { of } = createKnownTexts(() => learned);
  of('a', () => 'before');
  of('b', () => { learned++; return 'teaches'; });
  expect([of('a', () => 'after'), of('b', () => 'not again')]).toEqual(['after', 'teaches']);
});

it('forgets all when texts take much memory', () => {
  const { of } = createKnownTexts(() => 0);
  const long = 'x'.repeat(3_000_000);
  for (const name of ['a', 'b', 'c']) of(name + long, () => name);
  expect([of(`c${long}`, () => 'again'), of(`a${long}`, () => 'again')]).toEqual(['c', 'again']);
});
