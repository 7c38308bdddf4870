import { expect, it } from 'vitest';
import { ago, timeText } from '../../../../src/cli/notes/views/cells.js';

const now = new Date('2024-05-01T12:00:00Z');

it.each([
  ['2024-05-01T11:59:31.000Z', 'just now'], ['2024-05-01T11:59:00.000Z', '1 minute ago'], ['2024-05-01T10:00:00.000Z', '2 hours ago'],
  ['2024-05-01T13:00:00.000+02:00', '1 hour ago'], ['2024-04-30T12:00:00.000Z', '1 day ago'], ['2024-04-20T12:00:00.000Z', '1 week ago'],
  ['2024-03-01T12:00:00.000Z', '2 months ago'], ['2021-05-01T12:00:00.000Z', '3 years ago'], ['2024-05-02T12:00:00.000Z', 'in 1 day'],
  ['soon', 'soon'],
])('%s was %s', (instant, text) => {
  expect(ago(instant, now)).toBe(text);
});

it('programs get the timestamp unchanged', () => {
  expect(timeText('2024-05-01T11:59:00.000Z', { isTerminal: false, now })).toBe('2024-05-01T11:59:00.000Z');
});
