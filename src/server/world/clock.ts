import { lastInstant, readInstant } from '../../wire/instants.js';

/** Gives each thing of a world its time: its own where it has one, else the next of a row that ends before `now`. */
export type Clock = (given: string | undefined, after?: string) => string;

const minute = 60_000;
const last = Date.parse(lastInstant);

/**
 * A clock for `count` things, a minute apart. Nothing without a time of its own comes before `after`, so that what
 * follows in the file follows in a list.
 */
export const worldClock = (now: Date, count: number): Clock => {
  let next = now.getTime() - count * minute;
  return (given, after) => {
    const turn = next;
    next += minute;
    if (given !== undefined) return readInstant(given)!.iso;
    const earliest = after === undefined ? turn : Date.parse(after) + 1000;
    return new Date(Math.min(last, Math.max(turn, earliest))).toISOString();
  };
};
