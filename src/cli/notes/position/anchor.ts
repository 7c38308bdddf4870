import { posix } from 'node:path';
import type { PositionInput } from '../../../contract/shapes/position.js';
import { changeOn } from '../../../diff/patch.js';
import {
  type DiffLine, isNextLine, lineCode, lineNumbers, unfoldedLine,
} from '../../../diff/lines.js';
import { nearestName } from '../../../text/messages.js';
import { shellWord } from '../../../text/quoting.js';
import type { App } from '../../app.js';
import { type Problem, usage } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import type { Target } from '../../service/targets/target.js';
import { findTyped, type LineSpan, positionOnFile, type Side, type TypedFile } from './position.js';
import { type JobLines, jobLines, type LineInHead, type Numbers, sameNumbers } from './job-lines.js';
import { type DiffFile, type DiffFlags, knownDiff, type KnownDiff } from './known-diff.js';
import type { Shas } from './version.js';

interface DiffPlace extends TypedFile {
  readonly span: LineSpan;
  readonly oldPath?: string | undefined;
  /** Where a tool has read it. A person may remember the old path of a file instead. */
  readonly readAs?: string;
}

interface OnDiff {
  readonly state: 'verified';
  readonly position: PositionInput;
  readonly line: DiffLine;
  readonly lines: readonly DiffLine[];
  /** The service does not show the lines, and may reject the position. */
  readonly isLeftOut: boolean;
}

/** No source has the diff: only the service can tell whether the place is in it. */
interface Unverified {
  readonly state: 'unverified';
  readonly position: PositionInput;
  /** The file may be in the diff, without a way to say so. */
  readonly isHidden: boolean;
  /** The service says that the file is in the diff, and does not show its lines. */
  readonly isLeftOut: boolean;
  readonly mayBeNew: boolean;
}

export interface Outside {
  readonly state: 'outside';
  readonly problem: Problem;
  /** The whole file if its lines are not known. */
  readonly nearest: PositionInput | null;
  /** As the command line names them. */
  readonly nearestLines: readonly string[];
  readonly onFile: PositionInput | null;
  /** The file is in the diff as a binary one, a link or a submodule, so that nobody can tell. */
  readonly isHidden: boolean;
  readonly mayBeNew: boolean;
  readonly mayBeAdded: LineInHead['mayBeAdded'];
  readonly unfolded: PositionInput | null;
  readonly unfoldedLine: number | null;
}

export type Anchored = OnDiff | Unverified | Outside;

/**
 * Reads the diff once. An unchanged line gets both numbers, a renamed file its old path, and several lines their line
 * codes (behavior: positions.line-code, positions.both-paths). @returns in the order of the places
 * @throws Problem when the commits of the diff are not known
 */
export const anchorPlaces = async (
  app: App, flags: DiffFlags & GlobalFlags, target: Target, places: readonly DiffPlace[], known?: KnownDiff,
  job?: JobLines,
): Promise<readonly Anchored[]> => {
  const diff = known ?? await knownDiff(app, flags, target);
  const { numbersOf } = job ?? jobLines(app, flags, target, diff.shas);
  const anchored: Anchored[] = [];
  for (const place of places) anchored.push(await anchorPlace(target, diff, place, numbersOf));
  return anchored;
};

const anchorPlace = async (
  { kind, name }: Target, diff: KnownDiff, place: DiffPlace, numbersOf: JobLines['numbersOf'],
): Promise<Anchored> => {
  const { shas, files } = diff;
  const { span: { side: givenSide, from, to } } = place;
  if (kind === 'commit' && from !== to) {
    return outside(usage('only notes on merge requests can span several lines',
      'comment on one line, or pass --position'));
  }
  const file = files && fileIn(files, place, givenSide ?? 'new', name);
  const side = givenSide ?? (file?.deleted_file === true ? 'old' : 'new');
  const lines = await file?.lines() ?? null;
  if (!file || lines === null) return withoutLines(diff, place, side, file ?? null, name);
  const { inHead, inFiles } = side === 'old' ? sameNumbers : await numbersOf(file, place.readAs);
  const paths = { old_path: place.oldPath ?? file.old_path, new_path: file.new_path };
  return anchorLines({ shas, paths, lines, side, file, inFiles }, [from, to], [inHead(from), inHead(to)]);
};

const withoutLines = (
  { shas, files, isCut }: KnownDiff, place: DiffPlace, side: Side, file: DiffFile | null, name: string,
): Anchored => {
  const isBelow = ({ isOpaque, new_path }: DiffFile) => isOpaque && place.file.startsWith(`${new_path}/`);
  const isHidden = file === null && (isCut || (files ?? []).some(isBelow));
  if (files && !file && !isHidden) return outsideDiff(files, place.file, name);
  const { from, to } = place.span;
  if (from === to) return unverified(shas, place, side, file, isHidden);
  const paths = file ?? { old_path: place.oldPath ?? place.file, new_path: place.file };
  const onFile = positionOnFile({ ...shas, ...paths });
  const problem = usage('a note on several lines requires the diff, which the service does not show',
    'comment on one line, or pass the patch with --diff, or the position with --position');
  return { ...outside(problem), onFile, nearest: onFile };
};

interface FileSide {
  readonly shas: Shas;
  readonly paths: Pick<DiffFile, 'old_path' | 'new_path'>;
  readonly lines: readonly DiffLine[];
  readonly side: Side;
  readonly file: Pick<DiffFile, 'isOpaque' | 'isLeftOut' | 'new_file' | 'deleted_file'>;
  readonly inFiles: Numbers['inFiles'];
}
type Ends<T> = readonly [first: T, last: T];

const anchorLines = (file: FileSide, given: Ends<number>, mapped: Ends<LineInHead>): Anchored => {
  const { side, lines } = file;
  const numbers = [mapped[0].number, mapped[1].number] as const;
  const onSide = lines.filter(({ kind }) => kind !== (side === 'old' ? 'added' : 'removed'));
  const at = (number: number | null) => onSide.find((line) => numberOn(line, side) === number);
  const [first, last] = [at(numbers[0]), at(numbers[1])];
  if (first && last) {
    const start = startOfHunk(lines, last);
    if (start <= lines.indexOf(first)) {
      const { isLeftOut } = file.file;
      return { state: 'verified', position: positionOn(file, first, last), line: last, lines, isLeftOut };
    }
    const near = onSide.find((line) => lines.indexOf(line) >= start)!;
    return outsideLines(file, severalHunks(numbersIn(file, onSide), side, given, file.paths.new_path), [near, last]);
  }
  const [nearFirst, nearLast] = [nearestLine(file, onSide, given[0]), nearestLine(file, onSide, given[1])];
  const problem = lineMissing(numbersIn(file, onSide), side, first ? given[1] : given[0], file.paths.new_path);
  const isOne = given[0] === given[1];
  return {
    ...outsideLines(file, problem, nearFirst && nearLast ? [nearFirst, nearLast] : null),
    mayBeAdded: mapped.some(({ mayBeAdded }) => mayBeAdded),
    ...isOne && numbers[0] !== null && unfoldedOn(file, numbers[0]),
  };
};

const nearestLine = (file: FileSide, lines: readonly DiffLine[], wanted: number): DiffLine | undefined => {
  const distance = (line: DiffLine) => Math.abs(numberIn(file, line)! - wanted);
  return lines.filter((line) => numberIn(file, line) !== null).sort((a, b) => distance(a) - distance(b))[0];
};

/** As the service accepts it (behavior: positions.unfolded). */
const unfoldedOn = ({ shas, paths, lines, side, file, inFiles }: FileSide, number: number): Partial<Outside> => {
  const line = file.new_file || file.deleted_file ? undefined : unfoldedLine(lines, side, number);
  return line === undefined ? {} : {
    unfolded: { ...shas, position_type: 'text', ...paths, old_line: line.oldLine, new_line: line.newLine },
    unfoldedLine: inFiles(line.newLine),
  };
};

const outsideLines = (file: FileSide, problem: Problem, nearest: Ends<DiffLine> | null): Outside => ({
  ...outside(problem),
  onFile: positionOnFile({ ...file.shas, ...file.paths }), isHidden: file.file.isOpaque, mayBeNew: file.file.new_file,
  ...(nearest && {
    nearest: positionOn(file, ...nearest),
    nearestLines: nearest.map((line) => `${file.side === 'old' ? 'old:' : ''}${numberIn(file, line)}`),
  }),
});

const startOfHunk = (lines: readonly DiffLine[], last: DiffLine): number =>
  lines.slice(0, lines.indexOf(last) + 1).findLastIndex((line, i) => i === 0 || !isNextLine(lines[i - 1]!, line));

export const positionOn = (
  { shas, paths }: Pick<FileSide, 'shas' | 'paths'>, first: DiffLine, last: DiffLine,
): PositionInput => {
  const position = { ...shas, position_type: 'text' as const, ...paths, ...lineNumbers(last) };
  if (first === last) return position;
  const [start, end] = [first, last].map((line) =>
    ({ line_code: lineCode(paths.new_path, line), type: line.kind === 'added' ? 'new' : 'old' }));
  return { ...position, line_range: { start: start!, end: end! } };
};

const numberOn = ({ oldLine, newLine }: DiffLine, side: Side): number => side === 'old' ? oldLine : newLine;

const numberIn = ({ side, inFiles }: FileSide, line: DiffLine): number | null => inFiles(numberOn(line, side));

const numbersIn = (file: FileSide, lines: readonly DiffLine[]): readonly number[] =>
  lines.map((line) => numberIn(file, line)).filter((number) => number !== null);

const unverified = (
  shas: Shas, { file, oldPath, span }: DiffPlace, side: Side, known: DiffFile | null, isHidden: boolean,
): Unverified => ({
  state: 'unverified', isHidden, isLeftOut: known !== null, mayBeNew: known?.new_file ?? isHidden,
  position: {
    ...shas, position_type: 'text', old_path: oldPath ?? known?.old_path ?? file, new_path: known?.new_path ?? file,
    ...(side === 'old' ? { old_line: span.from } : { new_line: span.from }),
  },
});

const outside = (problem: Problem): Outside => ({
  state: 'outside', problem, nearest: null, nearestLines: [], onFile: null,
  isHidden: false, mayBeNew: false, mayBeAdded: false, unfolded: null, unfoldedLine: null,
});

/** Prefers the path on the given side. @throws Problem if the path fits two files */
export const fileIn = (
  files: readonly DiffFile[], typed: TypedFile & Pick<DiffPlace, 'readAs'>, side: Side, name: string,
): DiffFile | undefined => findTyped(typed, (path) => changeOn(files, side, path) ?? files.find((file) =>
  file.new_path === path || (typed.readAs === undefined && file.old_path === path)), name);

export const outsideDiff = (files: readonly DiffFile[], path: string, name: string): Outside => {
  const near = nearestPath(path, files.map(({ new_path }) => new_path));
  const choices = files.slice(0, 10).map(({ new_path }) => `  ${new_path}`);
  return outside(usage(`${path} is not in the diff of ${name}`,
    near === null ? `choose a changed file:\n${choices.join('\n')}` : `did you mean ${near}?`));
};

/** The same name in another folder, if there is only one, is more likely than a similar name. */
const nearestPath = (path: string, known: readonly string[]): string | null => {
  const name = posix.basename(path);
  const sameNames = known.filter((one) => posix.basename(one) === name);
  if (sameNames.length === 1) return sameNames[0]!;
  return nearestName(path, known.filter((one) => nearestName(name, [posix.basename(one)]) !== null));
};

const lineMissing = (numbers: readonly number[], side: Side, number: number, path: string): Problem =>
  usage(`line ${side === 'old' ? 'old:' : ''}${number} of ${path} is not in the diff`, numbers.length === 0
    ? `comment on the whole file with --file ${shellWord(path)}, or pass --if-unanchored general`
    : `choose one of the nearest lines: ${nearestRanges(numbers, number)}`);

const severalHunks = (numbers: readonly number[], side: Side, [from, to]: Ends<number>, path: string): Problem =>
  usage(`lines ${side === 'old' ? 'old:' : ''}${from}-${to} of ${path} are not in one hunk of the diff`,
    `choose lines of one of the nearest hunks: ${nearestRanges(numbers, from)}`);

const nearestRanges = (numbers: readonly number[], wanted: number): string => {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  const distance = ([from, to]: [number, number]) => wanted < from ? from - wanted : wanted - to;
  const near = ranges.toSorted((a, b) => distance(a) - distance(b)).slice(0, 3).toSorted((a, b) => a[0] - b[0]);
  return near.map(([from, to]) => from === to ? `${from}` : `${from}-${to}`).join(', ');
};
