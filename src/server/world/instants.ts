const form = /^\d{4}-\d{2}-\d{2}(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d{2}):?(\d{2}))?)?$/;

/**
 * The instant that a text names, as ISO 8601 in UTC with milliseconds; undefined where it names none. A day is its
 * first instant, a time without offset is UTC.
 */
export const instant = (text: string): string | undefined => {
  const parts = form.exec(text);
  if (parts === null || !isDay(text.slice(0, 10))) return undefined;
  const [hour, minute, second, away, awayMinutes] = [1, 2, 3, 6, 7].map((at) => Number(parts[at] ?? 0)) as Five;
  if (hour > 23 || minute > 59 || second > 59 || away > 23 || awayMinutes > 59) return undefined;
  const milliseconds = Number((parts[4] ?? '').padEnd(3, '0').slice(0, 3));
  const offset = (parts[5] === '-' ? -1 : 1) * (away * 60 + awayMinutes);
  const day = Date.parse(`${text.slice(0, 10)}T00:00:00Z`);
  return new Date(day + ((hour * 60 + minute - offset) * 60 + second) * 1000 + milliseconds).toISOString();
};

type Five = [number, number, number, number, number];

/** Whether a text is a day that exists, as `YYYY-MM-DD`. */
export const isDay = (text: string): boolean => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
};
