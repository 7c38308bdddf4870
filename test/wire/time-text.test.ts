import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isDay, readDuration, readInstant } from '../../src/wire/time-text.js';

test.each([
  ['2024-05-06T07:08:09Z', '2024-05-06T07:08:09.000Z'],
  ['2024-05-06T07:08:09.5Z', '2024-05-06T07:08:09.500Z'],
  ['2024-05-06T07:08:09.123456Z', '2024-05-06T07:08:09.123Z'],
  ['2024-05-06T07:08:09,25Z', '2024-05-06T07:08:09.250Z'],
  ['2024-05-06T07:08Z', '2024-05-06T07:08:00.000Z'],
  ['2024-05-06T07Z', '2024-05-06T07:00:00.000Z'],
  ['2024-05-06 07:08:09', '2024-05-06T07:08:09.000Z'],
  ['2024-05-06 07:08:09 +0200', '2024-05-06T05:08:09.000Z'],
  ['2024-05-06t07:08:09z', '2024-05-06T07:08:09.000Z'],
  ['2024-05-06T00:08:09+02:00', '2024-05-05T22:08:09.000Z'],
  ['2024-05-06T00:08:09+02', '2024-05-05T22:08:09.000Z'],
  ['2024-05-06T23:30:00-0130', '2024-05-07T01:00:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['2024-02-29T24:00:00Z', '2024-03-01T00:00:00.000Z'],
  ['20240229', '2024-02-29T00:00:00.000Z'],
  ['20240229T101112Z', '2024-02-29T10:11:12.000Z'],
  ['20240229T101112.5+05', '2024-02-29T05:11:12.500Z'],
  ['20240229T1011-0530', '2024-02-29T15:41:00.000Z'],
  ['0000-01-01', '0000-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59.9999Z', '9999-12-31T23:59:59.999Z'],
])('%s is %s', (text, expected) => {
  expect(readInstant(text)?.iso).toBe(expected);
});

test.each([
  '', 'now', '2024', '2024-05', '2024-2-3', '2023-02-29', '2024-02-30', '2024-04-31T00:00:00Z', '2024-13-01', '20240230',
  '2024-05-06T24:00:01Z', '2024-05-06T24:30Z', '2024-05-06T25:00Z', '2024-05-06T07:60:00Z', '2024-05-06T07:08:60Z',
  '2024-05-06T07:08:09+24:00', '2024-05-06T07:08:09+02:60', '2024-05-06T07:08:09+2', '2024-05-06T07:08:09Z later',
  '2024-05-06T070809Z', '20240506T07:08:09Z', '202405-06', '2024-0506', '2024-05-06T', '2024-05-06T07:08:09.Z', '1715000000',
  '+010000-01-01T00:00:00.000Z', '-000001-01-01T00:00:00.000Z', '10000-01-01', ' 2024-05-06', '2024-05-06\n',
])('%j is invalid', (text) => {
  expect(readInstant(text)).toBeUndefined();
});

test.each(['9999-12-31T23:59:59-00:01', '9999-12-31T24:00:00Z', '0000-01-01T00:00:00+00:01'])(
  '%s is outside the years of four digits in UTC, so it is invalid', (text) => {
    expect(readInstant(text)).toBeUndefined();
  });

test('a day is distinguished from a time', () => {
  expect(['2024-05-06', '20240506', '2024-05-06T00:00Z', '20240506T00'].map((text) => readInstant(text)?.isDay))
    .toEqual([true, true, false, false]);
});

test('a calendar day has dashes', () => {
  expect(['2024-02-29', '20240229', '2023-02-29', '2024-02-29T00:00', '0000-01-01'].map(isDay)).toEqual([true, false, false, false, true]);
});

const two = (number: number) => String(number).padStart(2, '0');

/** An offset in minutes in all its forms. */
const offsets = fc.tuple(fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 }), fc.constantFrom(':', '')).map(([minutes, colon]) => {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const tail = rest === 0 && colon === '' ? '' : `${colon}${two(rest)}`;
  return { minutes, text: `${minutes < 0 ? '-' : '+'}${two(hours)}${tail}` };
});
const zones = fc.oneof(offsets, fc.constantFrom({ minutes: 0, text: 'Z' }, { minutes: 0, text: 'z' }, { minutes: 0, text: '' }));
const dates = fc.date({ min: new Date('0000-01-02'), max: new Date('9999-12-30'), noInvalidDate: true });

/** A time and a text for it: extended or basic, with any separators and time zones. */
const spelled = fc.tuple(dates, zones, fc.boolean(), fc.constantFrom('T', 't', ' '), fc.constantFrom('.', ','), fc.constantFrom('', ' '))
  .map(([moment, { minutes, text }, isBasic, t, mark, blank]) => {
    const local = new Date(moment.getTime() + minutes * 60_000).toISOString();
    const [day, time] = [local.slice(0, 10), local.slice(11, 23).replace('.', mark)];
    const plain = isBasic ? [day.replaceAll('-', ''), time.replaceAll(':', '')] : [day, time];
    return { moment, text: `${plain[0]}${t}${plain[1]}${blank}${text}`.trimEnd() };
  });

test('every accepted form is parsed to the right instant, and the result to itself', () => {
  fc.assert(fc.property(spelled, ({ moment, text }) => {
    const iso = moment.toISOString();
    expect(readInstant(text)).toEqual({ iso, isDay: false });
    expect(readInstant(iso)!.iso).toBe(iso);
    expect(isDay(iso.slice(0, 10))).toBe(true);
  }), { numRuns: 1_000 });
});

/** Texts similar to a time, valid and invalid. */
const nearly = fc.oneof(
  spelled.map(({ text }) => text),
  fc.stringMatching(/^\d{4}-?[0-3]\d-?[0-3]\d([T ][0-2]\d(:?[0-6]\d(:?[0-6]\d([.,]\d{1,12})?)?)?)?(Z|[+-]\d\d(:?\d\d)?)?$/),
  fc.constantFrom('9999-12-31T23:59:59-23:59', '0000-01-01T00:00+23:59', '9999-12-31T24:00', '0000-01-01'),
);

test('parsed times sort by time as text', () => {
  fc.assert(fc.property(nearly, nearly, (...texts) => {
    const parsed = texts.flatMap((text) => readInstant(text)?.iso ?? []);
    expect(parsed.filter((iso) => !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(iso))).toEqual([]);
    expect(parsed.toSorted((a, b) => Date.parse(a) - Date.parse(b))).toEqual(parsed.toSorted());
  }), { numRuns: 2_000 });
});

test.each([
  ['500ms', 500], ['90s', 90_000], ['15m', 900_000], ['2h', 7_200_000], ['1d', 86_400_000], ['1w', 604_800_000],
  ['1h30m', 5_400_000], ['0s', 0],
])('%s is a duration', (text, milliseconds) => {
  expect(readDuration(text)).toBe(milliseconds);
});

test.each(['', '2', 'h', '2 h', '-2h', '2H', '1.5h', '2y', 'PT2H', '2h!'])('%j is not a duration', (text) => {
  expect(readDuration(text)).toBeUndefined();
});
