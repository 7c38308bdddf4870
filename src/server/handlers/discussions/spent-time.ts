/** In seconds: a day has 8 hours, a week 5 days, a month 4 weeks (behavior: notes.spend). */
const units = { mo: 576_000, w: 144_000, d: 28_800, h: 3_600, m: 60, s: 1 } as const;

type Unit = keyof typeof units;

interface SpentTime {
  /** In seconds; negative if time is taken off. */
  readonly duration: number;
  /** Without the sign: `1d 2h`. */
  readonly text: string;
  /** `YYYY-MM-DD`; null for now. */
  readonly day: string | null;
}

/** The argument of `/spend`: `1d 2h`, `-30m`, `1h 2026-01-31`. Null if it has no time. */
export const readSpentTime = (argument: string): SpentTime | null => {
  const [, sign, times, day] = /^(-?)((?:\d{1,6}(?:mo|[wdhms])\s*)+)(?:\s(\d{4}-\d{2}-\d{2}))?$/.exec(argument) ?? [];
  if (times === undefined) return null;
  const seconds = [...times.matchAll(/(\d+)(mo|[wdhms])/g)]
    .reduce((sum, [, count, unit]) => sum + Number(count) * units[unit as Unit], 0);
  if (seconds === 0) return null;
  return { duration: sign === '-' ? -seconds : seconds, text: timeText(seconds), day: day ?? null };
};

const timeText = (seconds: number): string => {
  let left = seconds;
  return Object.entries(units).flatMap(([unit, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count === 0 ? [] : [`${count}${unit}`];
  }).join(' ');
};
