const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** Longer than a count of each unit. A regular expression that repeats a group ends with an error on a long text. */
const longest = 100;

/** `90s`, `2h` or `1h30m`, in milliseconds; undefined if it is invalid. */
export const readDuration = (text: string): number | undefined => {
  if (text.length > longest || !/^(\d{1,9}(ms|[smhdw]))+$/.test(text)) return undefined;
  return [...text.matchAll(/(\d+)(ms|[smhdw])/g)]
    .reduce((sum, [, count, unit]) => sum + Number(count) * units[unit as keyof typeof units], 0);
};
