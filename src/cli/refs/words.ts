import { isFlagged, isRef, type RefFlags } from './target.js';

/** What a command line says it is about, and the thread or note it names below that. */
export interface Named {
  readonly ref?: string;
  readonly below?: string;
}

/**
 * Tells `REF THREAD`, `REF` and `THREAD` apart. A single word is the thread when a flag names the noteable or the word
 * is no reference; then the reference comes from the surroundings.
 */
export const named = (flags: RefFlags, first: string | undefined, second: string | undefined): Named => {
  if (first === undefined) return {};
  if (second !== undefined) return { ref: first, below: second };
  return isFlagged(flags) || !isRef(first) ? { below: first } : { ref: first };
};
