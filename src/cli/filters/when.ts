import { readInstant } from '../../wire/instants.js';
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
  const instant = readInstant(text);
  if (instant) return Date.parse(instant.iso) + (isEnd && instant.isDay ? lengths['d']! - 1 : 0);
  throw usage(`${flag} takes a time, not ${JSON.stringify(text)}`,
    'forms: 2024-05-01, 2024-05-01T12:00Z, 30m, 6h, 3d, 2w');
};
