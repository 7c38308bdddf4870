import { expect, it } from 'vitest';
import { readDuration } from '../../../src/wire/time-text.js';

it.each([
  ['500ms', 500], ['90s', 90_000], ['15m', 900_000], ['2h', 7_200_000], ['1d', 86_400_000], ['1w', 604_800_000],
  ['1h30m', 5_400_000], ['0s', 0],
])('%s is a duration', (text, milliseconds) => {
  expect(readDuration(text)).toBe(milliseconds);
});

it.each(['', '2', 'h', '2 h', '-2h', '2H', '1.5h', '2y', 'PT2H', '2h!'])('%j is not a duration', (text) => {
  expect(readDuration(text)).toBeUndefined();
});
