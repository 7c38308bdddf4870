/** Headers that say who asks, whom, and for what: a second one would leave open which counts. */
const single = new Set([
  'private-token', 'authorization', 'job-token', 'sudo', 'host', 'origin', 'content-type', 'content-length',
]);
const lengths = new Set([...single].map((name) => name.length));

/**
 * The first of these headers that stands in a request twice, or null. Node keeps the first of some and joins others.
 * @param raw names and values in turn, as they arrived
 */
export const repeatedHeader = (raw: readonly string[]): string | null => {
  const seen: string[] = [];
  for (let i = 0; i < raw.length; i += 2) {
    if (!lengths.has(raw[i]!.length)) continue;
    const name = raw[i]!.toLowerCase();
    if (!single.has(name)) continue;
    if (seen.includes(name)) return name;
    seen.push(name);
  }
  return null;
};
