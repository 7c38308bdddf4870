interface Instant {
  /** The year has four digits, so the text sorts by time. */
  readonly iso: string;
  readonly isDay: boolean;
}

export const lastInstant = '9999-12-31T23:59:59.999Z';

/** The basic form has no separators (behavior: notes.created-at-zone). */
const form = (dash: string, colon: string): RegExp => new RegExp(
  `^(?<year>\\d{4})${dash}(?<month>\\d\\d)${dash}(?<day>\\d\\d)`
  + `(?:[T ](?<hour>\\d\\d)(?:${colon}(?<minute>\\d\\d)(?:${colon}(?<second>\\d\\d)(?:[.,](?<fraction>\\d+))?)?)?`
  + '(?: ?(?:Z|UTC|GMT|(?<sign>[+-])(?<offsetHours>\\d\\d)(?::?(?<offsetMinutes>\\d\\d))?))?)?$', 'i');

const [extended, basic] = [form('-', ':'), form('', '')];

/** Undefined outside of the years 0000 to 9999 in UTC. A day is its start, a time without an offset is UTC. */
export const readInstant = (text: string): Instant | undefined => {
  const parts = (extended.exec(text) ?? basic.exec(text))?.groups;
  if (!parts) return undefined;
  const { year, month, day, hour, fraction = '' } = parts;
  const start = startOfDay(`${year}-${month}-${day}`);
  const time = timeOfDay(parts);
  const offset = offsetOf(parts);
  if (start === undefined || time === undefined || offset === undefined) return undefined;
  const instant = start + time - offset + Number(fraction.padEnd(3, '0').slice(0, 3));
  const iso = new Date(instant).toISOString();
  return iso.length === lastInstant.length ? { iso, isDay: hour === undefined } : undefined;
};

export const isDay = (text: string): boolean => text.length === 10 && readInstant(text)?.isDay === true;

type Parts = Readonly<Record<string, string | undefined>>;

/** Date.parse turns a day that the month does not have into one of the next month. */
const startOfDay = (day: string): number | undefined => {
  const start = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(start) && new Date(start).toISOString().startsWith(day) ? start : undefined;
};

/** The day ends at 24:00:00. */
const timeOfDay = ({ hour = '0', minute = '0', second = '0', fraction = '0' }: Parts): number | undefined => {
  const time = ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1_000;
  if (Number(minute) > 59 || Number(second) > 59) return undefined;
  return time + (Number(fraction) > 0 ? 1 : 0) <= 86_400_000 ? time : undefined;
};

const offsetOf = ({ sign, offsetHours = '0', offsetMinutes = '0' }: Parts): number | undefined => {
  if (Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return undefined;
  return (sign === '-' ? -1 : 1) * (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000;
};

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** A regular expression that repeats a group fails with an error on a long text. */
const longest = 100;

/** Reads `90s` or `1h30m` in milliseconds. */
export const readDuration = (text: string): number | undefined => {
  if (text.length > longest || !/^(\d{1,9}(ms|[smhdw]))+$/.test(text)) return undefined;
  return [...text.matchAll(/(\d+)(ms|[smhdw])/g)]
    .reduce((sum, [, count, unit]) => sum + Number(count) * units[unit as keyof typeof units], 0);
};
