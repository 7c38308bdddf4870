import { readDuration, readInstant } from '../../wire/time-text.js';
import { usage } from '../command-line/failure.js';

/** In milliseconds: 366 days. */
const longest = 31_622_400_000;

interface EndTime {
  /** In milliseconds since 1970. */
  readonly at: number;
  /** Whether the given time has passed: then it is the same time of a later day. */
  readonly isMoved: boolean;
}

/** `2h`, a time in ISO 8601 with zone, or `22:00`. @throws Problem, even beyond a year */
export const endTimeOf = (until: string | undefined, duration: string | undefined, now: Date): EndTime | null => {
  if (until !== undefined && duration !== undefined) {
    throw usage('--until and --for cannot be combined', 'use only one of them');
  }
  if (until === undefined && duration === undefined) return null;
  const given = duration === undefined ? timeOf(until!, now) : now.getTime() + lengthOf(duration);
  if (given - now.getTime() > longest) throw usage('the banner would be shown for more than 366 days');
  return given > now.getTime() ? { at: given, isMoved: false } : { at: nextDay(given, now), isMoved: true };
};

/** @throws Problem for a time that names a day that has passed */
export const checkEnd = (until: string | undefined, end: EndTime | null): void => {
  if (end === null || !end.isMoved || clockTime.test(until ?? '')) return;
  throw usage(`--until ${until} is in the past`, 'give a time in the future, or a duration with --for');
};

/** The next day on which the clock shows the same time. */
const nextDay = (given: number, now: Date): number => {
  const time = new Date(given);
  time.setFullYear(now.getFullYear(), now.getMonth(), now.getDate());
  if (time.getTime() <= now.getTime()) time.setDate(time.getDate() + 1);
  return time.getTime();
};

const lengthOf = (text: string): number => {
  const length = readDuration(text) ?? 0;
  if (length > 0) return length;
  throw usage(`invalid value ${JSON.stringify(text)} for --for`, 'use a duration such as 90s, 30m, 2h, 1h30m or 1d');
};

const timeOf = (text: string, now: Date): number => {
  const clock = clockTime.exec(text);
  if (clock && Number(clock[1]) < 24 && Number(clock[2]) < 60) {
    return new Date(now).setHours(Number(clock[1]), Number(clock[2]), 0, 0);
  }
  const instant = readInstant(text);
  if (instant && /(?:Z|[+-]\d\d(?::?\d\d)?)$/i.test(text) && !instant.isDay) return Date.parse(instant.iso);
  throw usage(`invalid value ${JSON.stringify(text)} for --until`, instant
    ? 'add the time and its zone: 2026-05-01T22:00Z, 2026-05-01T22:00+02:00'
    : 'use a local time such as 22:00, or a time in ISO 8601 such as 2026-05-01T22:00+02:00');
};

const clockTime = /^(\d{1,2}):(\d{2})$/;
