import type { Pages } from '../../client/pagination/pages.js';
import type { FileDiff } from '../../contract/lookups/shapes.js';
import type { PositionInput } from '../../contract/shapes/position.js';
import { lineCode } from '../../diff/line-code.js';
import { linesOf, numbersOf, type DiffLine } from '../../diff/lines.js';
import type { FileChange } from '../../diff/patch.js';
import { usage } from '../errors/failure.js';
import { nullIfUnsupported } from '../targets/epic.js';
import type { Target } from '../targets/target.js';

/** The values of `--file`, `--line` and `--old-path`. */
interface LineFlags { readonly file: string; readonly line: string; readonly oldPath: string | undefined }

type Lines = Pick<PositionInput, 'old_path' | 'new_path' | 'old_line' | 'new_line' | 'line_range'>;
type File = Pick<FileChange, 'old_path' | 'new_path' | 'diff'>;

/**
 * The paths and lines of a position. If the service returns the diff, an unchanged line gets both numbers, a renamed
 * file its old path, and several lines their line codes (wire-facts 4.10.5-4.10.7).
 * @param isCurrent whether the position refers to the diff that the service returns
 * @throws Problem when the line is not in the diff
 */
export const diffLine = async (
  target: Target, { file, line, oldPath }: LineFlags, isCurrent: boolean,
): Promise<Lines> => {
  const span = lineSpan(line);
  if (span.to !== span.from && target.kind === 'commit') {
    throw usage('only notes on merge requests can span several lines', 'comment on one line, or pass --position');
  }
  const files = isCurrent ? await changedFiles(target) : null;
  const change = files && fileIn(files, file, span.side, target.name);
  const lines = change ? linesOf(change.diff) : [];
  const paths = { old_path: oldPath ?? change?.old_path ?? file, new_path: change?.new_path ?? file };
  if (change && lines.length > 0) return { ...paths, ...inDiff(lines, span, paths.new_path) };
  if (span.to !== span.from) {
    throw usage('a note on several lines requires the diff, which the service does not show',
      'comment on one line, or pass --position');
  }
  return { ...paths, ...(span.side === 'old' ? { old_line: span.from } : { new_line: span.from }) };
};

/** The changed files, or null if the service returns none. */
const changedFiles = async (target: Target): Promise<readonly File[] | null> => {
  const files = await nullIfUnsupported(currentFiles(target)?.all() ?? Promise.resolve(null));
  return files && files.length > 0 ? files : null;
};

const fileIn = (files: readonly File[], path: string, side: Side, name: string): File => {
  const onSide = files.find((file) => (side === 'old' ? file.old_path : file.new_path) === path);
  const file = onSide ?? files.find(({ old_path, new_path }) => old_path === path || new_path === path);
  if (file) return file;
  const choices = files.slice(0, 10).map(({ new_path }) => `  ${new_path}`);
  throw usage(`${path} is not in the diff of ${name}`, `choose a changed file:\n${choices.join('\n')}`);
};

const inDiff = (
  lines: readonly DiffLine[], { side, from, to }: LineSpan, path: string,
): Omit<Lines, 'old_path' | 'new_path'> => {
  const last = lineOn(lines, side, to, path);
  if (from === to) return numbersOf(last);
  const ends = [lineOn(lines, side, from, path), last].map((line) =>
    ({ line_code: lineCode(path, line), type: line.kind === 'added' ? 'new' : 'old' }));
  return { ...numbersOf(last), line_range: { start: ends[0]!, end: ends[1]! } };
};

const lineOn = (lines: readonly DiffLine[], side: Side, number: number, path: string): DiffLine => {
  const linesOnSide = lines.filter(({ kind }) => kind !== (side === 'old' ? 'added' : 'removed'));
  const line = linesOnSide.find((one) => numberOf(one, side) === number);
  if (line) return line;
  throw usage(`line ${side === 'old' ? 'old:' : ''}${number} of ${path} is not in the diff`,
    `choose one of the nearest lines: ${nearest(linesOnSide.map((one) => numberOf(one, side)), number)}`);
};

const numberOf = ({ oldLine, newLine }: DiffLine, side: Side): number => side === 'old' ? oldLine : newLine;

/** The three ranges of numbers that are nearest to a number: `3-7, 12`. */
const nearest = (numbers: readonly number[], wanted: number): string => {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  const distance = ([from, to]: [number, number]) => wanted < from ? from - wanted : wanted - to;
  const near = ranges.toSorted((a, b) => distance(a) - distance(b)).slice(0, 3).toSorted((a, b) => a[0] - b[0]);
  return near.map(([from, to]) => from === to ? `${from}` : `${from}-${to}`).join(', ') || 'none on this side';
};

/** The side of a diff that a line number refers to. */
export type Side = 'old' | 'new';

/** A range of lines on one side of a diff. */
export interface LineSpan { readonly side: Side; readonly from: number; readonly to: number }

/** Parses `[old:|new:]N`, `N-M` and `N:M`. @throws Problem */
export const lineSpan = (text: string): LineSpan => {
  const [, side = 'new', from, to = from] = /^(?:(old|new):)?([1-9]\d{0,8})(?:[-:]([1-9]\d{0,8}))?$/.exec(text) ?? [];
  if (from === undefined) throw usage(`--line takes [old:|new:]N, N-M or N:M, not ${JSON.stringify(text)}`);
  const span = { side: side as Side, from: Number(from), to: Number(to) };
  if (span.to < span.from) throw usage(`the range ${text} ends before it starts`);
  return span;
};

/** Splits `src/a.ts:13`, the form of compilers and editors; the line is undefined if there is none. */
export const fileAndLine = (text: string): { readonly file: string; readonly line: string | undefined } => {
  const [, file = text, line] = /^(.+?):((?:(?:old|new):)?[1-9]\d{0,8}(?:-[1-9]\d{0,8})?)$/.exec(text) ?? [];
  return { file, line };
};

/** The files in the current diff of a noteable; null for one without a diff. */
export const currentFiles = ({ client, kind, path: { id }, ref }: Target): Pages<FileDiff> | null => {
  if (kind === 'merge_request') return client.lookups.diffs({ id, iid: Number(ref.id) });
  return kind === 'commit' ? client.lookups.commitDiff({ id, sha: ref.id }) : null;
};
