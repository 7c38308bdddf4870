import { describe, expect, it } from 'vitest';
import { checkEnd, endTimeOf } from '../../../../src/cli/appearance/banner.js';

const now = new Date('2024-05-01T12:00:00Z');
const end = (until?: string, duration?: string) => endTimeOf(until, duration, now)?.at ?? null;
const minutes = 60_000;

describe('the end of a banner', () => {
  it('is not set without a time', () => { expect(end()).toBeNull(); });

  it.each([['90s', 1.5], ['30m', 30], ['2h', 120], ['1h30m', 90], ['1d', 1440]])('comes after %s', (duration, length) => {
    expect(end(undefined, duration)).toBe(now.getTime() + length * minutes);
  });

  it.each([['2024-05-01T14:00Z', 120], ['2024-05-01T14:00:00+01:00', 60], ['2024-05-02T12:00:00.000Z', 1440]])('is at %s', (time, length) => {
    expect(end(time)).toBe(now.getTime() + length * minutes);
  });

  it('is the next time that local clocks show a time', () => {
    for (const [hours, minute] of [[22, 0], [0, 5], [9, 30]] as const) {
      const at = new Date(end(`${hours}:${String(minute).padStart(2, '0')}`)!);
      expect([at.getHours(), at.getMinutes(), at.getSeconds()]).toEqual([hours, minute, 0]);
      expect(at.getTime() - now.getTime()).toBeGreaterThan(0);
      expect(at.getTime() - now.getTime()).toBeLessThanOrEqual(25 * 60 * minutes);
    }
    const [hour, minute] = [now.getHours(), now.getMinutes()].map((part) => String(part).padStart(2, '0'));
    expect(end(`${hour}:${minute}`)).toBeGreaterThan(now.getTime());
  });

  it.each([
    ['24:00', 'invalid value'], ['12:60', 'invalid value'], ['tomorrow', 'invalid value'], ['', 'invalid value'],
    ['2024-05-01T14:00', 'invalid value'], ['2024-06-01', 'invalid value'],
    ['2030-01-01T00:00Z', 'more than 366 days'],
  ])('is not %j', (time, message) => expect(() => end(time)).toThrow(message));

  it('is the same time of the next day if its time has passed', () => {
    for (const [until, at] of [['2024-05-01T11:59Z', '2024-05-02T11:59Z'], ['2020-02-29T13:00:00+01:00', '2024-05-02T12:00Z'],
      ['2023-12-31T12:30Z', '2024-05-01T12:30Z']] as const) {
      expect(endTimeOf(until, undefined, now)).toEqual({ at: Date.parse(at), isMoved: true });
    }
    expect(endTimeOf('2024-05-01T12:01Z', undefined, now)!.isMoved).toBe(false);
  });

  it('is checked where nobody can be asked: a time that names its day must be in the future', () => {
    const moved = { at: 1, isMoved: true };
    expect(() => checkEnd('2024-05-01T11:59Z', moved)).toThrow('--until 2024-05-01T11:59Z is in the past');
    const future = { at: 1, isMoved: false };
    for (const [until, end] of [['11:59', moved], ['2024-05-01T14:00Z', future], [undefined, null]] as const) {
      expect(() => checkEnd(until, end)).not.toThrow();
    }
  });

  it.each(['', '0s', '2', 'h', '-2h', '2 h'])('does not come after %j', (duration) => {
    expect(() => end(undefined, duration)).toThrow('invalid value');
  });

  it('does not come after more than a year', () => {
    expect(() => end(undefined, '999999999w')).toThrow('more than 366 days');
  });

  it('is given once', () => { expect(() => end('22:00', '2h')).toThrow('--until and --for cannot be combined'); });
});
