import { expect, test } from 'vitest';
import { createPauses } from '../../../src/server/hooks/rules.js';

let time = 0;
const pauses = createPauses(() => new Date(time));
const fail = (times: number) => { for (let i = 0; i < times; i++) pauses.count(1, false); };

test('the fourth failure in a row pauses a webhook for a minute, and each further one for twice as long', () => {
  fail(3);
  expect(pauses.until(1)).toBeNull();
  fail(1);
  expect(pauses.until(1)).toBe('1970-01-01T00:01:00.000Z');
  expect(pauses.until(2)).toBeNull();
  time = 60_000;
  expect(pauses.until(1)).toBeNull();
  fail(1);
  expect(pauses.until(1)).toBe('1970-01-01T00:03:00.000Z');
  fail(100);
  expect(pauses.until(1)).toBe('1970-01-02T00:01:00.000Z');
  pauses.count(1, true);
  expect(pauses.until(1)).toBeNull();
  fail(3);
  expect(pauses.until(1)).toBeNull();
});
