import type { Position, PositionInput } from '../../../contract/shapes/position.js';
import { type DiffLine, isNextLine, lineAt, diffLines, lineNumbers } from '../../../diff/lines.js';
import { isSameLine } from '../../../diff/trace.js';
import { plainText } from '../../../text/plain.js';
import type { App } from '../../app.js';
import { mergeRequestPath, type Target } from '../../service/targets/target.js';
import type { Paint, Tone } from '../../terminal/io/style.js';
import type { PlacedThread } from '../places.js';
import { type DiffFile, gitFiles, isLeftOut } from '../position/known-diff.js';
import { rangeStart } from '../position/position.js';
import { currentFiles, versionAt, versionDiffs, withDiffText } from '../position/version.js';
import type { Coloring, ColoredText } from './syntax.js';

type AnyPosition = Position | PositionInput;

export const fileLinesAt = async (app: App, target: Target, position: AnyPosition): Promise<readonly DiffLine[]> => {
  const onService = await fromService(target, position).catch(() => null);
  app.signal.throwIfAborted();
  return diffLines(onService ?? await fromWorkTree(app, position) ?? '');
};

const fromService = async (target: Target, position: AnyPosition): Promise<string | null> => {
  const version = versionAt(await versionDiffs(target).all(), position);
  const former = version && await versionDiffs(target).filesOf(version);
  if (former) return former.files.find((file) => isFileOf(position, file) && !isLeftOut(file))?.diff ?? null;
  if (!await isCurrent(target, position)) return null;
  for await (const file of currentFiles(target) ?? []) if (isFileOf(position, file)) return withDiffText(file).diff;
  return null;
};

/** Only merge requests have several versions. */
const isCurrent = async (target: Target, { base_sha, head_sha }: AnyPosition): Promise<boolean> => {
  const { client, kind, ref } = target;
  if (kind !== 'merge_request') return head_sha === ref.id.toLowerCase();
  const { diff_refs } = await client.lookups.mergeRequest(mergeRequestPath(target));
  return diff_refs?.head_sha === head_sha && diff_refs?.base_sha === base_sha;
};

const fromWorkTree = async (app: App, position: AnyPosition): Promise<string | null> => {
  const { base_sha, head_sha, old_path, new_path } = position;
  const paths = [...new Set([old_path, new_path])].filter((path) => typeof path === 'string');
  if (paths.length === 0) return null;
  const files = await gitFiles(app, base_sha, head_sha, paths);
  return files?.find((file) => isFileOf(position, file))?.diff ?? null;
};

const isFileOf = ({ old_path, new_path }: AnyPosition, file: Pick<DiffFile, 'old_path' | 'new_path'>): boolean =>
  file.new_path === new_path || (new_path === undefined && file.old_path === old_path);

const linesAbove = 3;

/** A longer range is shown by its first line and its last ones. */
const maxLines = 15;

export interface ShownLine extends DiffLine {
  readonly isCommented: boolean;
}

export const linesAround = (lines: readonly DiffLine[], position: AnyPosition): readonly ShownLine[] => {
  if (position.position_type !== 'text') return [];
  const at = lineAt(lines, position);
  if (!at) return [];
  const end = lines.indexOf(at);
  const start = startOfRange(lines, position, end);
  return linesBetween(lines, start, end, Math.min(linesAbove, maxLines - (end + 1 - start)), 0);
};

const linesBetween = (
  lines: readonly DiffLine[], start: number, end: number, above: number, below: number,
): readonly ShownLine[] => {
  const range = lines.slice(start, end + 1);
  const shown = range.length < maxLines ? range : [range[0]!, ...range.slice(2 - maxLines)];
  return [
    ...linesBefore(lines, start, above).map((line) => ({ ...line, isCommented: false })),
    ...shown.map((line) => ({ ...line, isCommented: true })),
    ...linesAfter(lines, end, below).map((line) => ({ ...line, isCommented: false })),
  ];
};

const startOfRange = (
  lines: readonly DiffLine[], position: Parameters<typeof rangeStart>[0], end: number,
): number => {
  const first = rangeStart(position, lines[end]);
  const start = first === null ? -1
    : lines.findIndex(({ oldLine, newLine }) => oldLine === first.oldLine && newLine === first.newLine);
  return start < 0 || start > end ? end : start;
};

const linesBefore = (lines: readonly DiffLine[], start: number, most: number): readonly DiffLine[] => {
  let first = start;
  while (first > 0 && start - first < most && isNextLine(lines[first - 1]!, lines[first]!)) first--;
  return lines.slice(first, start);
};

const linesAfter = (lines: readonly DiffLine[], end: number, most: number): readonly DiffLine[] => {
  let last = end;
  while (last + 1 < lines.length && last - end < most && isNextLine(lines[last]!, lines[last + 1]!)) last++;
  return lines.slice(end + 1, last + 1);
};

export const lineMarks: Readonly<Record<DiffLine['kind'], string>> = { added: '+', removed: '-', context: ' ' };
export const lineTones: Readonly<Record<DiffLine['kind'], Tone | null>> =
  { added: 'added', removed: 'removed', context: null };

/** Tab stops are every four columns. */
export const codeText = async (hasTabs: boolean): Promise<(text: string) => string> =>
  hasTabs ? (await import('../../terminal/io/width.js')).withoutTabs : plainText;

export const haveTabs = (lines: readonly DiffLine[]): boolean => lines.some(({ text }) => text.includes('\t'));

/**
 * Marks commented lines with `>`, and gaps with `...`.
 * @param show escapes a line, as `codeText`
 * @param color colors escaped lines; then the line numbers have the color of the change
 */
export const hunkText = (
  lines: readonly ShownLine[], paint: Paint, show: (text: string) => string, color: Coloring | null = null,
): string => {
  const texts = lines.map(({ text }) => show(text));
  const partsOf = color ? coloredLines(lines, texts, color) : null;
  const width = Math.max(0, ...lines.map((line) => String(Math.max(line.oldLine, line.newLine)).length));
  return lines.map((line, i) => {
    const { old_line, new_line } = lineNumbers(line);
    const numbers = `${String(old_line ?? '').padStart(width)} ${String(new_line ?? '').padStart(width)}`;
    const gap = i > 0 && !isNextLine(lines[i - 1]!, line) ? `${paint('faint', '  ...')}\n` : '';
    const isCommented = line.isCommented ? paint('strong', '>') : ' ';
    const [tone, mark, parts] = [lineTones[line.kind], lineMarks[line.kind], partsOf?.[i]];
    const colored = parts?.map((part) => paint(part.tone, part.text)).join('');
    const text = colored === undefined ? paint(tone, mark + texts[i]!) : paint(tone, mark) + colored;
    return `${gap}${isCommented} ${paint(parts ? tone ?? 'faint' : 'faint', numbers)} ${text}\n`;
  }).join('');
};

/** A removed line is code of the old file, and every other line code of the new one. */
const coloredLines = (
  lines: readonly ShownLine[], texts: readonly string[], color: Coloring,
): readonly (readonly ColoredText[] | undefined)[] => {
  const found: (readonly ColoredText[])[] = [];
  for (const kept of ['added', 'removed'] as const) {
    if (kept === 'removed' && lines.every(({ kind }) => kind !== kept)) continue;
    const side = lines.map((_, i) => i).filter((i) => [kept, 'context'].includes(lines[i]!.kind));
    color(side.map((i) => texts[i]!))?.forEach((parts, at) => { found[side[at]!] ??= parts; });
  }
  return lines.map((_, i) => found[i]);
};

export interface ThreadCode {
  /** Empty if the thread is on the newest version. */
  readonly former: readonly ShownLine[];
  /** Empty if the newest diff does not show the line. */
  readonly current: readonly ShownLine[];
  /** The version is the one that the thread is on. */
  readonly file: readonly DiffLine[];
}

export const noCode: ThreadCode = { former: [], current: [], file: [] };

/** Finds the first file that has a path, or had it. */
export const fileFinder = (files: readonly DiffFile[]): (path: string) => DiffFile | undefined => {
  const named = files.flatMap((file) => [[file.new_path, file], [file.old_path, file]] as const);
  const byPath = new Map(named.toReversed());
  return (path) => byPath.get(path);
};

/** @param fileAt finds files of the newest version @param context lines above and below the commented ones */
export const threadCode = async (
  app: App, target: Target, thread: PlacedThread, { fileAt, context }: {
    readonly fileAt: ReturnType<typeof fileFinder>; readonly context: number;
  },
): Promise<ThreadCode> => {
  const position = thread.notes[0]?.position;
  if (position?.position_type !== 'text') return noCode;
  const newest = await fileAt(threadPath(thread) ?? '')?.lines() ?? [];
  const current = currentLines(thread, newest, context);
  if (!thread.outdated) return { former: [], current, file: newest };
  const file = await fileLinesAt(app, target, position);
  return { former: linesAround(file, position), current, file };
};

export const threadPath = ({ notes, current_path }: PlacedThread): string | null =>
  current_path ?? notes[0]?.position?.new_path ?? notes[0]?.position?.old_path ?? null;

const currentLines = (
  { notes, current_line, outdated }: PlacedThread, lines: readonly DiffLine[], context: number,
): readonly ShownLine[] => {
  const position = notes[0]?.position;
  if (position?.position_type !== 'text' || typeof current_line !== 'number') return [];
  const isRemoved = typeof position.new_line !== 'number';
  const end = lines.findIndex((line) => isSameLine(line, { line: current_line, isRemoved }));
  if (end < 0) return [];
  const start = outdated ? end : startOfRange(lines, position, end);
  return linesBetween(lines, start, end, context, context);
};
