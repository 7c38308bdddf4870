import { parsePatch, type FileChange } from '../../diff/patch.js';

/** In characters, of all kept diffs together. */
const mostKept = 8_000_000;

const kept = new Map<string, readonly FileChange[]>();
let characters = 0;

/**
 * The files of a stored diff. Those read last are kept, because clients ask for a merge request, its versions and its
 * diffs one after the other, and each comment on a line needs the diff too.
 */
export const filesOfDiff = (diff: string): readonly FileChange[] => {
  const files = kept.get(diff) ?? parsePatch(diff);
  if (kept.delete(diff)) characters -= diff.length;
  kept.set(diff, files);
  characters += diff.length;
  for (const oldest of kept.keys()) {
    if (characters <= mostKept) break;
    kept.delete(oldest);
    characters -= oldest.length;
  }
  return files;
};
