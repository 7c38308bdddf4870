import type { Pages } from '../../client/pagination/pages.js';
import type { FileDiff } from '../../contract/lookups/shapes.js';
import type { PositionInput } from '../../contract/shapes/position.js';
import { lineCode } from '../../diff/line-code.js';
import { linesOf, numbersOf, type DiffLine } from '../../diff/lines.js';
import type { FileChange } from '../../diff/patch.js';
import { usage } from '../errors/failure.js';
import { nullIfUnsupported } from '../targets/epic.js';
import type { Target } from '../targets/target.js';

/** What the user says of the line. */
interface Wanted { readonly file: string; readonly line: string; readonly oldPath: string | undefined }

type Lines = Pick<PositionInput, 'old_path' | 'new_path' | 'old_line' | 'new_line' | 'line_range'>;
type File = Pick<FileChange, 'old_path' | 'new_path' | 'diff'>;

/**
 * The lines of a position. Where the service shows its diff, the line is looked for there: an unchanged one gets both
 * numbers, a renamed file its old path, several lines their codes (wire-facts 4.10.5-4.10.7).
 * @param isPresent whether the service's diff is the one that the position is about
 * @throws Problem when the line is not in the diff
 */
export const diffLine = async (target: Target, { file, line, oldPath }: Wanted, isPresent: boolean): Promise<Lines> => {
  const span = lineSpan(line);
  if (span.to !== span.from && target.kind === 'commit') {
    throw usage('only notes on merge requests can span several lines', 'comment on one line, or pass --position');
  }
  const files = isPresent ? await changedFiles(target) : null;
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

/** The changed files, or null where the service does not show them, or shows none. */
const changedFiles = async (target: Target): Promise<readonly File[] | null> => {
  const files = await nullIfUnsupported(shownFiles(target)?.all() ?? Promise.resolve(null));
  return files && files.length > 0 ? files : null;
};

const fileIn = (files: readonly File[], path: string, side: Side, name: string): File => {
  const first = files.find((file) => (side === 'old' ? file.old_path : file.new_path) === path);
  const file = first ?? files.find(({ old_path, new_path }) => old_path === path || new_path === path);
  if (file) return file;
  const some = files.slice(0, 10).map(({ new_path }) => `  ${new_path}`);
  throw usage(`${path} is not in the diff of ${name}`, `choose a changed file:\n${some.join('\n')}`);
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
  const onSide = lines.filter(({ kind }) => kind !== (side === 'old' ? 'added' : 'removed'));
  const line = onSide.find((one) => numberOf(one, side) === number);
  if (line) return line;
  throw usage(`line ${side === 'old' ? 'old:' : ''}${number} of ${path} is not in the diff`,
    `choose one of the nearest lines: ${nearest(onSide.map((one) => numberOf(one, side)), number)}`);
};

const numberOf = ({ oldLine, newLine }: DiffLine, side: Side): number => side === 'old' ? oldLine : newLine;

/** The runs of numbers around a number, the nearest three: `3-7, 12`. */
const nearest = (numbers: readonly number[], wanted: number): string => {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else runs.push([number, number]);
  }
  const distance = ([from, to]: [number, number]) => wanted < from ? from - wanted : wanted - to;
  const near = runs.toSorted((a, b) => distance(a) - distance(b)).slice(0, 3).toSorted((a, b) => a[0] - b[0]);
  return near.map(([from, to]) => from === to ? `${from}` : `${from}-${to}`).join(', ') || 'none on this side';
};

/** The side of a diff that a line number counts on. */
export type Side = 'old' | 'new';

/** One line, or several, on one side of a diff. */
export interface LineSpan { readonly side: Side; readonly from: number; readonly to: number }

/** Reads `[old:|new:]N[:M]`. @throws Problem */
export const lineSpan = (text: string): LineSpan => {
  const [, side = 'new', from, to = from] = /^(?:(old|new):)?([1-9]\d{0,8})(?::([1-9]\d{0,8}))?$/.exec(text) ?? [];
  if (from === undefined) throw usage(`--line takes [old:|new:]N or N:M, not ${JSON.stringify(text)}`);
  const span = { side: side as Side, from: Number(from), to: Number(to) };
  if (span.to < span.from) throw usage(`--line ${text} ends before it starts`);
  return span;
};

/** The changed files of a noteable as the service shows them at present; null for one without a diff. */
export const shownFiles = ({ client, kind, path: { id }, ref }: Target): Pages<FileDiff> | null => {
  if (kind === 'merge_request') return client.lookups.diffs({ id, iid: Number(ref.id) });
  return kind === 'commit' ? client.lookups.commitDiff({ id, sha: ref.id }) : null;
};
