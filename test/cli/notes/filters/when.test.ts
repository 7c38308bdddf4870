import { expect, it } from 'vitest';
import { instantOf } from '../../../../src/cli/notes/filters/filter.js';

const now = new Date('2024-05-10T12:00:00Z');
const instant = (text: string, isEnd = false) => new Date(instantOf(text, '--since', now, isEnd)).toISOString();

it.each([
  ['30m', '2024-05-10T11:30:00.000Z'], ['6h', '2024-05-10T06:00:00.000Z'], ['3d', '2024-05-07T12:00:00.000Z'], ['2w', '2024-04-26T12:00:00.000Z'],
  ['2024-05-01', '2024-05-01T00:00:00.000Z'], ['2024-05-01T09:30', '2024-05-01T09:30:00.000Z'], ['2024-05-01 09:30:15', '2024-05-01T09:30:15.000Z'],
  ['2024-05-01T09:30:15.250Z', '2024-05-01T09:30:15.250Z'], ['2024-05-01T09:30+02:00', '2024-05-01T07:30:00.000Z'], ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['20240229T101112Z', '2024-02-29T10:11:12.000Z'], ['2024-05-01T09:30+02', '2024-05-01T07:30:00.000Z'],
  ['2024-05-01T09:30:15,25Z', '2024-05-01T09:30:15.250Z'],
])('%s is %s', (text, at) => {
  expect(instant(text)).toBe(at);
});

it('a day ends with its last millisecond', () => {
  expect(instant('2024-05-01', true)).toBe('2024-05-01T23:59:59.999Z');
  expect(instant('20240501', true)).toBe('2024-05-01T23:59:59.999Z');
  expect(instant('2024-05-01T09:30', true)).toBe('2024-05-01T09:30:00.000Z');
});

it.each(['', 'yesterday', '3', '3y', '-3d', '2023-02-29', '2024-04-31', '2024-13-01', '2024-05-01T25:00', '2024-05-01T12:00+99:00', '01.05.2024',
  '9999-12-31T23:00-02:00'])(
  'rejects %j as a time', (text) => {
    expect(() => instant(text)).toThrow(`--since takes a time, not ${JSON.stringify(text)}`);
  });
