import { hasRefFlag, isRef, isUrl, type RefFlags } from '../../command-line/ref.js';
import { isThread } from './threads.js';

export interface ThreadWords {
  readonly ref?: string;
  readonly threads: readonly string[];
}

/** The first word is the reference if it is one. Pasted URLs of several notes are all threads. */
export const parseThreadWords = (flags: RefFlags, words: readonly (string | undefined)[]): ThreadWords => {
  const [first, ...others] = words.filter((word) => word !== undefined);
  if (first === undefined) return { threads: [] };
  const isReference = isRef(first) || (others.length > 0 && !isThread(first));
  if (hasRefFlag(flags) || !isReference) return { threads: [first, ...others] };
  return { ref: first, threads: [first, ...others].every(isNoteUrl) ? [first, ...others] : others };
};

const isNoteUrl = (word: string): boolean => isUrl(word) && /#note_\d+$/.test(word);
