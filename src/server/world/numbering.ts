/** Gives numbers in order: a given one as it is, else the next after the one before that nobody was given. */
export type Numbering = (given?: number) => number;

/** A numbering that knows beforehand which numbers are `taken` by those who name theirs. */
export const numbering = (taken: Iterable<number | undefined>): Numbering => {
  const named = new Set(taken);
  let last = 0;
  return (given) => {
    if (given !== undefined) return last = given;
    do last += 1; while (named.has(last));
    named.add(last);
    return last;
  };
};

/** A numbering over these things' own ids. */
export const numberingOf = (things: readonly { readonly id?: number }[]): Numbering =>
  numbering(things.map(({ id }) => id));

/** A numbering over these things' own iids. */
export const countingOf = (things: readonly { readonly iid?: number }[]): Numbering =>
  numbering(things.map(({ iid }) => iid));
