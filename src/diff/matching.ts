import { diffArrays } from 'diff';
import { type DiffLine, newLineNumber, oldLineNumber } from './lines.js';
import type { DiffChanges, ReadChange } from './patch.js';
import { cachedTrace, type Trace, type TracedFile } from './trace.js';

export type FileTexts = ReadonlyMap<string, string>;

export const splitLines = (text: string): string[] => text === '' ? [] : text.replace(/\n$/, '').split('\n');

/** Texts that differ by more lines count as different texts: comparing them would take too long. */
export const mostEdits = 4_000;

const matchedLines = (from: readonly string[], to: readonly string[]): ReadonlyMap<number, number> => {
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
export const traceTexts = (from: FileTexts, to: FileTexts): Trace => cachedTrace((path) => {
  const text = from.get(path);
  if (text === undefined) return null;
  const target = to.has(path) ? path : renamedTo(text, [...to].filter(([other]) => !from.has(other)));
  return target === null ? null : { path: target, line: lineIn(text, to.get(target)!) };
});

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

/** Needs no texts, if both diffs have the same base. */
export const traceOnSameBase = (former: DiffChanges, next: DiffChanges): Trace =>
  cachedTrace((path) => traceFile(former, next, path));

const traceFile = (former: DiffChanges, next: DiffChanges, path: string): TracedFile | null => {
  const before = former.to(path);
  if (before?.new_file) return traceNewFile(former, next, before);
  const inBase = before?.old_path ?? path;
  const after = next.of(inBase);
  if (after?.deleted_file) return null;
  return { path: after?.new_path ?? inBase, line: lineBetween(before?.lines ?? [], after?.lines ?? []) };
};

const traceNewFile = (former: DiffChanges, next: DiffChanges, before: ReadChange): TracedFile | null => {
  const others = next.all.flatMap(({ new_path }) => next.to(new_path) ?? []).filter(({ new_file }) => new_file);
  const target = others.some(({ new_path }) => new_path === before.new_path) ? before.new_path
    : renamedTo(changedText(before), others.filter(({ new_path }) => !former.to(new_path))
      .map((file) => [file.new_path, changedText(file)] as const));
  return target === null ? null : { path: target, line: lineBetween(before.lines, next.to(target)!.lines) };
};

const changedText = ({ lines }: ReadChange): string => lines.map(({ text }) => `${text}\n`).join('');

/** Compares what both diffs show; a line that neither shows is unchanged. */
const lineBetween = (former: readonly DiffLine[], next: readonly DiffLine[]): TracedFile['line'] => {
  const base = basePieces(former, next);
  const others = sideOf(base, next);
  const lines = new Map(sideOf(base, former).flatMap((run, i) => [...matchedBetween(run, others[i]!)]));
  return (line) => {
    if (lines.has(line)) return lines.get(line)!;
    const inBase = oldLineNumber(former, line);
    return inBase === null ? null : newLineNumber(next, inBase);
  };
};

const matchedBetween = (from: readonly ShownLine[], to: readonly ShownLine[]): Map<number, number | null> => {
  const matched = matchedLines(from.map(({ text }) => text), to.map(({ text }) => text));
  return new Map(from.map(({ line }, i) => [line, to[(matched.get(i + 1) ?? 0) - 1]?.line ?? null]));
};

/** Where a line or a run of hidden lines of the base begins. The text of hidden lines is null. */
interface Piece { readonly start: number; readonly text: string | null }

const basePieces = (former: readonly DiffLine[], next: readonly DiffLine[]): Piece[] => {
  const shown = new Map<number, string>();
  const starts = new Set([1]);
  for (const { kind, oldLine, text } of [...former, ...next]) {
    starts.add(oldLine);
    if (kind === 'added') continue;
    starts.add(oldLine + 1);
    shown.set(oldLine, text);
  }
  return [...starts].sort((a, b) => a - b).map((start) => ({ start, text: shown.get(start) ?? null }));
};

interface ShownLine { readonly text: string; readonly line: number }

/** The lines of one head, in runs between the hidden lines that both heads have. */
const sideOf = (pieces: readonly Piece[], lines: readonly DiffLine[]): ShownLine[][] => {
  const added = new Map<number, ShownLine[]>();
  const removed = new Set<number>();
  for (const { kind, oldLine, newLine, text } of lines) {
    if (kind === 'removed') removed.add(oldLine);
    if (kind !== 'added') continue;
    const others = added.get(oldLine);
    if (others) others.push({ text, line: newLine });
    else added.set(oldLine, [{ text, line: newLine }]);
  }
  const runs: ShownLine[][] = [[]];
  for (const { start, text } of pieces) {
    runs.at(-1)!.push(...added.get(start) ?? []);
    if (text === null) runs.push([]);
    else if (!removed.has(start)) runs.at(-1)!.push({ text, line: newLineNumber(lines, start)! });
  }
  return runs;
};
