import { types } from 'node:util';
import { HintedError } from '../text/messages.js';
import { lastInstant, readDuration, readInstant } from '../wire/time-text.js';
import { isObject } from '../wire/json.js';

/** A time in ISO 8601, or a duration such as `90s`, `2h` or `1d`; a text may be either. */
export type ClockChange =
  | {
    /** The new time, as a Date or in ISO 8601. */
    readonly now: string | Date;
  }
  | {
    /** How far the clock moves forward, such as `2h`. */
    readonly advance: string;
  }
  | string;

/** The clock of a server. */
export interface ClockState {
  /** The time of the server, in ISO 8601. */
  readonly now: string;
  /** Whether the time stands still until it is advanced. */
  readonly frozen: boolean;
}

export type Clock = ReturnType<typeof createClock>;

/** The clock cannot be set to this time or duration. */
export class ClockError extends HintedError { override readonly name = 'ClockError'; }

/**
 * Drives timestamps, the expiry of tokens, rate limits and the Date header. Once set or advanced, it is frozen.
 * @param start a function, which runs, or the time of a frozen clock in ISO 8601 @throws ClockError
 */
export const createClock = (start: string | (() => Date | number)) => {
  const running = typeof start === 'string' ? null : start;
  const first = typeof start === 'string' ? instantFrom(start) : null;
  let frozen = first;
  const now = (): Date => new Date(frozen ?? running!());
  return {
    now,
    isFrozen: () => frozen !== null,
    state: (): ClockState => ({ now: now().toISOString(), frozen: frozen !== null }),
    change: (to: unknown) => { frozen = changed(now(), to); },
    reset: () => { frozen = first; },
  };
};

const changed = (now: Date, to: unknown): number => {
  if (typeof to === 'string') return readDuration(to) === undefined ? instantFrom(to) : advanced(now, to);
  const { now: instant, advance, ...others } = isObject(to) ? to : {};
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    throw new ClockError(`unknown change of the clock ${JSON.stringify(unknown.slice(0, 100))}`, forms);
  }
  const isNone = (instant === undefined) === (advance === undefined);
  if (isNone) throw new ClockError('no valid change of the clock given', forms);
  return instant === undefined ? advanced(now, advance) : instantFrom(instant);
};

const forms = 'use {"now":"2024-05-01T12:00:00Z"} or {"advance":"2h"}';

const instantFrom = (given: unknown): number => {
  const value = types.isDate(given) ? given.toJSON() : given;
  const instant = typeof value === 'string' ? readInstant(value) : undefined;
  if (!instant) {
    throw new ClockError(`invalid time ${JSON.stringify(value)}`, 'use ISO 8601, such as 2024-05-01T12:00:00Z');
  }
  return Date.parse(instant.iso);
};

const advanced = (now: Date, value: unknown): number => {
  const duration = typeof value === 'string' ? readDuration(value) : undefined;
  if (duration === undefined) {
    throw new ClockError(`invalid duration ${JSON.stringify(value)}`, 'use a duration such as 90s, 15m, 2h or 1d');
  }
  const later = now.getTime() + duration;
  if (later > Date.parse(lastInstant)) throw new ClockError('the clock ends with the year 9999', 'advance it by less');
  return later;
};
