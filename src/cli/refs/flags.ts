import type { NoteableKind } from '../../contract/noteables.js';
import { parseRef } from './ref.js';
import { isUrl } from './url.js';

/** The flags that name a noteable, as an alternative to a reference. */
export interface RefFlags {
  readonly mr?: string;
  readonly issue?: string;
  readonly snippet?: string;
  readonly epic?: string;
  readonly commit?: string;
}

/** The kind that each of these flags names. */
export const kindOfFlag: Readonly<Record<keyof RefFlags, NoteableKind>> = {
  mr: 'merge_request', issue: 'issue', snippet: 'snippet', epic: 'epic', commit: 'commit',
};

/** Whether a flag names the noteable. */
export const isFlagged = (flags: RefFlags): boolean => givenFlags(flags).length > 0;

/** Whether a word is meant as a reference and not as the name of a thread or note. */
export const isRef = (word: string): boolean => isUrl(word) || parseRef(word) !== null;

/** The flags that name a noteable, those that are given. */
export const givenFlags = (flags: RefFlags): (keyof RefFlags)[] =>
  (Object.keys(kindOfFlag) as (keyof RefFlags)[]).filter((name) => flags[name] !== undefined);

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
