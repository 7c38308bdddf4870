import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createKnownTexts } from '../../../src/recording/redact.js';

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
  const long = 'x'.repeat(6_000_000);
  for (const name of ['a', 'b', 'c', 'a', 'b', 'c']) of('text', name + long, () => name);
  expect([of('text', `c${long}`, () => 'again'), of('text', `a${long}`, () => 'again')]).toEqual(['c', 'again']);
});

it('a body that comes again for a key is made once, until another one comes or something is learned', () => {
  let [learned, made] = [0, 0];
  const { of } = createKnownTexts(() => learned);
  const ask = (key: string, body: string) => of('body', key, () => `${body}${++made}`, Buffer.from(body));
  expect([ask('/a', 'x'), ask('/a', 'x'), ask('/b', 'x'), ask('/a', 'y'), ask('/a', 'x')]).toEqual(['x1', 'x1', 'x2', 'y3', 'x4']);
  learned++;
  expect([ask('/a', 'x'), ask('/a', 'x')]).toEqual(['x5', 'x5']);
});

it('bodies that differ anywhere are others, and text is not bytes', () => {
  const body = fc.uint8Array({ maxLength: 40 });
  fc.assert(fc.property(body, body, (one, other) => {
    const { of } = createKnownTexts(() => 0);
    of('body', '/', () => 'one', one);
    expect(of('body', '/', () => 'other', other)).toBe(Buffer.compare(one, other) === 0 ? 'one' : 'other');
    of('body', '/', () => 'text', 'text');
    expect(of('body', '/', () => 'bytes', Buffer.from('text'))).toBe('bytes');
  }));
});

it('forgets all when bodies take much memory', () => {
  const { of } = createKnownTexts(() => 0);
  const long = 'x'.repeat(9_000_000);
  for (const key of ['/a', '/b']) of('body', key, () => key, long);
  expect(of('body', '/a', () => 'again', long)).toBe('again');
});
