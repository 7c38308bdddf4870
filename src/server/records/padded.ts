/** Repeats the last key until there are 1, 2, 4, 8 … of them: a few statements serve lists of any length. */
export const padded = (keys: readonly number[]): number[] => {
  const size = keys.length === 0 ? 0 : 2 ** Math.ceil(Math.log2(keys.length));
  return Array.from({ length: size }, (_, i) => keys[Math.min(i, keys.length - 1)]!);
};
