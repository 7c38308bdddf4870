import { usage } from '../failures.js';

const lengths: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/**
 * The instant that a text names, in milliseconds: a day, an instant in ISO 8601, or how long ago in minutes, hours,
 * days or weeks. Times without a zone are in UTC, as the service's own are.
 * @param isEnd whether a day means its last moment, not its first
 * @throws Problem
 */
export const instantOf = (text: string, flag: string, now: Date, isEnd: boolean): number => {
  const [, count, unit] = /^(\d{1,5})([mhdw])$/.exec(text) ?? [];
  if (unit !== undefined) return now.getTime() - Number(count) * lengths[unit]!;
  const [, day, time, zone] = written.exec(text) ?? [];
  const instant = Date.parse(`${day}T${time ?? (isEnd ? '23:59:59.999' : '00:00')}${zone ?? 'Z'}`);
  if (day !== undefined && isDay(day) && !Number.isNaN(instant)) return instant;
  throw usage(`${flag} takes a time, not ${JSON.stringify(text)}`,
    'forms: 2024-05-01, 2024-05-01T12:00Z, 30m, 6h, 3d, 2w');
};

/** A day, a time of the day where it is given, and its zone. */
const written = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:\d\d)?)?$/;

/** Whether the calendar has such a day: the 31st of April is read as a day of May. */
export const isDay = (day: string): boolean => {
  const date = new Date(`${day}T00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
};
