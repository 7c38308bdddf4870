import type { Place } from './view.js';

const units: readonly (readonly [seconds: number, name: string])[] = [
  [31_536_000, 'year'], [2_592_000, 'month'], [604_800, 'week'], [86_400, 'day'], [3_600, 'hour'], [60, 'minute'],
];

/** How long ago an instant was, in the largest unit that fits: `3 hours ago`. What is no instant stays as it is. */
export const ago = (instant: string, now: Date): string => {
  const seconds = Math.round((now.getTime() - Date.parse(instant)) / 1000);
  if (Number.isNaN(seconds)) return instant;
  const unit = units.find(([length]) => Math.abs(seconds) >= length);
  if (!unit) return 'just now';
  const count = Math.floor(Math.abs(seconds) / unit[0]);
  const span = `${count} ${unit[1]}${count === 1 ? '' : 's'}`;
  return seconds < 0 ? `in ${span}` : `${span} ago`;
};

/** An instant as a table shows it: its age to people, itself to programs. */
export const when = (instant: string, { isTerminal, now }: Pick<Place, 'isTerminal' | 'now'>): string =>
  isTerminal ? ago(instant, now) : instant;
