/** Siblings stand so far apart that others fit between them. */
export const gap = 2 ** 20;

/** Something that has a place among its siblings. */
export interface Placed { readonly id: number; readonly position: number }

/**
 * A position between two neighbours, each null where there is none; null where no whole number is left between them,
 * or none that is exact.
 */
export const positionBetween = (left: number | null, right: number | null): number | null => {
  const position = left !== null && right !== null ? Math.floor(left / 2 + right / 2)
    : left !== null ? left + gap : right !== null ? right - gap : 0;
  const fits = (left === null || left < position) && (right === null || position < right);
  return fits && Number.isSafeInteger(position) ? position : null;
};

/** Where siblings stand when their places are given anew, in the order they have. */
export const spread = <P extends Placed>(siblings: readonly P[]): P[] =>
  siblings.map((sibling, i) => ({ ...sibling, position: (i + 1) * gap }));

/** Which siblings a moved one is to stand between: `before` in front of it, `after` behind it; null where not said. */
export interface Wanted { readonly before: Placed | null; readonly after: Placed | null }

/**
 * Where among the others a moved sibling is to be put: the index it then has. Null where it stays: nothing is said, it
 * stands there already, or it is to stand next to itself (wire-facts 6.5.2). Between two that are not adjacent it comes
 * to stand around the middle of their positions; the two may be given in either order.
 */
export const newIndex = (siblings: readonly Placed[], moved: Placed, { before, after }: Wanted): number | null => {
  if (before?.id === moved.id || after?.id === moved.id) return null;
  const now = indexOf(siblings, moved);
  const others = siblings.filter(({ id }) => id !== moved.id);
  const [first, last] = [before, after].flatMap((sibling) => sibling ? [indexOf(others, sibling)] : []).sort(ascending);
  if (first === undefined) return null;
  if (last === undefined) {
    const index = before ? first + 1 : first;
    return index === now ? null : index;
  }
  return first < now && now <= last ? null : middle(others, first, last);
};

const ascending = (a: number, b: number): number => a - b;

const indexOf = (siblings: readonly Placed[], { id }: Placed): number =>
  siblings.findIndex((sibling) => sibling.id === id);

const middle = (others: readonly Placed[], first: number, last: number): number => {
  const position = positionBetween(others[first]!.position, others[last]!.position);
  const index = position === null ? -1 : others.findIndex((other, i) => i > first && other.position >= position);
  return index < 0 ? first + 1 : index;
};
