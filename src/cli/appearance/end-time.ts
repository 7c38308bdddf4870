import { readDuration } from '../../wire/durations.js';
import { readInstant } from '../../wire/instants.js';
import { usage } from '../command-line/errors/failure.js';

/** In milliseconds: 366 days. */
const longest = 31_622_400_000;

/** `2h`, a time in ISO 8601 with zone, or `22:00`, as milliseconds since 1970. @throws Problem, also beyond a year */
export const endTimeOf = (until: string | undefined, duration: string | undefined, now: Date): number | null => {
  if (until !== undefined && duration !== undefined) {
    throw usage('--until and --for cannot be combined', 'use only one of them');
  }
  if (until === undefined && duration === undefined) return null;
  const end = duration === undefined ? timeOf(until!, now) : now.getTime() + lengthOf(duration);
  if (end - now.getTime() > longest) throw usage('the banner would be shown for more than 366 days');
  if (end > now.getTime()) return end;
  throw usage(`--until ${until} is in the past`, 'give a time in the future, or a duration with --for');
};

const lengthOf = (text: string): number => {
  const length = readDuration(text) ?? 0;
  if (length > 0) return length;
  throw usage(`invalid value ${JSON.stringify(text)} for --for`, 'use a duration such as 90s, 30m, 2h, 1h30m or 1d');
};

const timeOf = (text: string, now: Date): number => {
  const clock = clockTime.exec(text);
  if (clock && Number(clock[1]) < 24 && Number(clock[2]) < 60) return nextTime(Number(clock[1]), Number(clock[2]), now);
  const instant = readInstant(text);
  if (instant && /(?:Z|[+-]\d\d(?::?\d\d)?)$/i.test(text) && !instant.isDay) return Date.parse(instant.iso);
  throw usage(`invalid value ${JSON.stringify(text)} for --until`, instant
    ? 'add the time and its zone: 2026-05-01T22:00Z, 2026-05-01T22:00+02:00'
    : 'use a local time such as 22:00, or a time in ISO 8601 such as 2026-05-01T22:00+02:00');
};

/** Whether the clock showed the time of `--until` today already. */
export const isTomorrow = (until: string | undefined, end: number, now: Date): boolean =>
  until !== undefined && clockTime.test(until) && new Date(end).getDate() !== now.getDate();

const clockTime = /^(\d{1,2}):(\d{2})$/;

const nextTime = (hours: number, minutes: number, now: Date): number => {
  const time = new Date(now.getTime());
  time.setHours(hours, minutes, 0, 0);
  if (time.getTime() <= now.getTime()) time.setDate(time.getDate() + 1);
  return time.getTime();
};
