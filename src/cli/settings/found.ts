/** A setting with where it was found, in the words of messages: `--url`, `COLLOQUY_URL`, `profile work`. */
export interface Found {
  readonly value: string;
  readonly from: string;
}

/** A place that a setting may stand in: what stands there, and what the place is called. */
export type Place = readonly [value: string | undefined, from: string];

/** The first of some places that holds something; empty text is nothing. */
export const firstFound = (...places: readonly Place[]): Found | null => {
  const found = places.find(([value]) => value !== undefined && value !== '');
  return found ? { value: found[0]!, from: found[1] } : null;
};
