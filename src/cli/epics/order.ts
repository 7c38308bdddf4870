/**
 * A call of `epics.reorder`: places a child directly after a sibling, or directly before one (behavior:
 * epics.reorder-before, epics.reorder-after).
 */
export type Move =
  | { readonly child: number; readonly after: number }
  | { readonly child: number; readonly before: number };

/** The fewest moves, to be made in this order. Siblings that `wanted` does not name follow in their present order. */
export const movesTo = (current: readonly number[], wanted: readonly number[]): readonly Move[] => {
  const named = new Set(wanted);
  const target = [...wanted, ...current.filter((id) => !named.has(id))];
  const places = new Map(target.map((id, place) => [id, place]));
  const staying = new Set(longestIncreasing(current.map((id) => places.get(id)!)).map((place) => target[place]!));
  return target.flatMap((child, place): Move[] => {
    if (staying.has(child)) return [];
    // The present first child can stay in every case, so it is never the one to move to the front.
    return [place === 0 ? { child, before: current[0]! } : { child, after: target[place - 1]! }];
  });
};

/**
 * The parameters of `epics.reorder` for a move: they name the side of the sibling (behavior: epics.reorder-before,
 * epics.reorder-after).
 */
export const reorderParams = (move: Move) => ({
  child_epic_id: move.child,
  ...('after' in move ? { move_before_id: move.after } : { move_after_id: move.before }),
});

/** A longest increasing subsequence of distinct numbers, in O(n log n). */
const longestIncreasing = (values: readonly number[]): number[] => {
  /** The index of the least last value of an increasing subsequence of each length. */
  const ends: number[] = [];
  const previous = values.map((value, index) => {
    const length = firstWhere(ends.length, (at) => values[ends[at]!]! > value);
    ends[length] = index;
    return ends[length - 1];
  });
  const found: number[] = [];
  for (let index = ends.at(-1); index !== undefined; index = previous[index]) found.push(values[index]!);
  return found.reverse();
};

/** The first number below `count` that a test accepts, or `count`; the test accepts all numbers from there on. */
const firstWhere = (count: number, accepts: (at: number) => boolean): number => {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (accepts(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
};
