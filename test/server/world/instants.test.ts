import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instant, isDay } from '../../../src/server/world/instants.js';

test.each([
  ['2024-05-06T07:08:09Z', '2024-05-06T07:08:09.000Z'],
  ['2024-05-06T07:08:09.5Z', '2024-05-06T07:08:09.500Z'],
  ['2024-05-06T07:08:09.123456Z', '2024-05-06T07:08:09.123Z'],
  ['2024-05-06T07:08Z', '2024-05-06T07:08:00.000Z'],
  ['2024-05-06 07:08:09', '2024-05-06T07:08:09.000Z'],
  ['2024-05-06T00:08:09+02:00', '2024-05-05T22:08:09.000Z'],
  ['2024-05-06T23:30:00-0130', '2024-05-07T01:00:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
])('%s is %s', (text, expected) => {
  expect(instant(text)).toBe(expected);
});

test.each([
  '', 'now', '2024', '2024-2-3', '2023-02-29', '2024-04-31T00:00:00Z', '2024-13-01', '2024-05-06T24:00:00Z',
  '2024-05-06T07:60:00Z', '2024-05-06T07:08:60Z', '2024-05-06T07:08:09+24:00', '2024-05-06T07:08:09Z later', '1715000000',
])('%j is no instant', (text) => {
  expect(instant(text)).toBeUndefined();
});

test('every instant reads back as itself, and so does its day', () => {
  fc.assert(fc.property(fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }), (date) => {
    const text = date.toISOString();
    expect(instant(text)).toBe(text);
    expect(isDay(text.slice(0, 10))).toBe(true);
  }));
});
