import { diffArrays } from 'diff';
import type { Trace, TracedFile } from './trace.js';

/** Texts of files by path. */
export type Texts = ReadonlyMap<string, string>;

/** A missing line feed at the end makes no difference. */
export const splitLines = (text: string): string[] => text === '' ? [] : text.replace(/\n$/, '').split('\n');

/** Texts that differ by more lines count as different texts: comparing them would take too long. */
export const mostEdits = 4_000;

/** The number of each line in the other text; lines that are not in it are missing. */
export const matchedLines = (from: readonly string[], to: readonly string[]): ReadonlyMap<number, number> => {
  const matched = new Map<number, number>();
  let [a, b] = [1, 1];
  for (const part of diffArrays([...from], [...to], { maxEditLength: mostEdits }) ?? []) {
    if (!part.added && !part.removed) for (let i = 0; i < part.count; i++) matched.set(a + i, b + i);
    if (!part.added) a += part.count;
    if (!part.removed) b += part.count;
  }
  return matched;
};

/** Finds files that were renamed, unless they changed by more than half. */
export const traceTexts = (from: Texts, to: Texts): Trace => {
  const known = new Map<string, TracedFile | null>();
  const trace = (path: string): TracedFile | null => {
    const text = from.get(path);
    if (text === undefined) return null;
    const target = to.has(path) ? path : renamedTo(text, [...to].filter(([other]) => !from.has(other)));
    return target === null ? null : { path: target, line: lineIn(text, to.get(target)!) };
  };
  return (path) => {
    if (!known.has(path)) known.set(path, trace(path));
    return known.get(path)!;
  };
};

const lineIn = (text: string, other: string): TracedFile['line'] => {
  const count = splitLines(text).length;
  if (text === other) return (line) => line <= count ? line : null;
  const lines = matchedLines(splitLines(text), splitLines(other));
  return (line) => lines.get(line) ?? null;
};

/** As git does by default: the most similar one, if at least half is the same. */
export const renamedTo = (text: string, candidates: Iterable<readonly [path: string, text: string]>): string | null => {
  let best: { readonly path: string; readonly share: number } | null = null;
  for (const [path, other] of candidates) {
    const share = similarity(splitLines(text), splitLines(other));
    if (share >= 0.5 && (best === null || share > best.share)) best = { path, share };
  }
  return best?.path ?? null;
};

const similarity = (one: readonly string[], other: readonly string[]): number => {
  const longest = Math.max(one.length, other.length);
  return longest === 0 ? 0 : matchedLines(one, other).size / longest;
};
