/** The known word that is closest to a mistyped one; null if none is close. */
export const nearest = (word: string, known: readonly string[]): string | null => {
  const most = Math.max(1, Math.floor(word.length * 0.4));
  const near = known.map((name) => ({ name, far: distance(word.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, far }) => far <= most && far < Math.max(word.length, name.length))
    .toSorted((a, b) => a.far - b.far);
  return near[0]?.name ?? null;
};

/** Damerau-Levenshtein distance: letters added, removed, changed or swapped. */
const distance = (from: string, to: string): number => {
  if (Math.abs(from.length - to.length) > 3) return Infinity;
  let [before, row]: [number[], number[]] = [[], Array.from({ length: to.length + 1 }, (_, i) => i)];
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1];
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const change = row[j - 1]! + (isSame ? 0 : 1);
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, change, isSwapped ? before[j - 2]! + 1 : Infinity));
    }
    [before, row] = [row, next];
  }
  return row[to.length]!;
};
