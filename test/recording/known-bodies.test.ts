import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createKnownBodies } from '../../src/recording/known-bodies.js';

it('a body that comes again at a place is made once, until another one comes or something is learned', () => {
  let [learned, made] = [0, 0];
  const { of } = createKnownBodies(() => learned);
  const ask = (place: string, body: string) => of(place, Buffer.from(body), () => `${body}${++made}`);
  expect([ask('/a', 'x'), ask('/a', 'x'), ask('/b', 'x'), ask('/a', 'y'), ask('/a', 'x')]).toEqual(['x1', 'x1', 'x2', 'y3', 'x4']);
  learned++;
  expect([ask('/a', 'x'), ask('/a', 'x')]).toEqual(['x5', 'x5']);
});

it('a body that teaches something is known at once, and the others are not any more', () => {
  let learned = 0;
  const { of } = createKnownBodies(() => learned);
  of('/a', 'a', () => 'before');
  of('/b', 'b', () => { learned++; return 'teaches'; });
  expect([of('/b', 'b', () => 'not again'), of('/a', 'a', () => 'after')]).toEqual(['teaches', 'after']);
});

it('texts and bytes that differ anywhere are others', () => {
  const body = fc.uint8Array({ maxLength: 40 });
  fc.assert(fc.property(body, body, (one, other) => {
    const { of } = createKnownBodies(() => 0);
    of('/', one, () => 'one');
    expect(of('/', other, () => 'other')).toBe(Buffer.compare(one, other) === 0 ? 'one' : 'other');
    of('/', 'text', () => 'text');
    expect(of('/', Buffer.from('text'), () => 'bytes')).toBe('bytes');
  }));
});

it('forgets all when bodies take much memory', () => {
  const { of } = createKnownBodies(() => 0);
  const long = 'x'.repeat(9_000_000);
  for (const place of ['/a', '/b']) of(place, long, () => place);
  expect(of('/a', long, () => 'again')).toBe('again');
});
