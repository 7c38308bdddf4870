import { join, normalize, relative, resolve, sep } from 'node:path';
import { type Command, Option } from 'commander';
import type { Position, PositionInput, TextPosition } from '../../../contract/shapes/position.js';
import type { App } from '../../app.js';
import { inGroup, withEmptyValues } from '../../command-line/command.js';
import { usage } from '../../command-line/failure.js';
import type { DiffFlags } from './known-diff.js';

/** `src/a.ts:12`, `src/a.ts:12-15`, `src/a.ts:12 (old)` or `logo.png at 10,20`. */
export const positionText = (position: Position | PositionInput | null | undefined): string => {
  if (!position) return '';
  const path = position.new_path ?? position.old_path ?? '';
  if (position.position_type === 'image') return `${path} at ${position.x ?? '?'},${position.y ?? '?'}`;
  if (position.position_type === 'file') return path;
  const start = rangeStart(position);
  return typeof position.new_line === 'number' ? `${path}:${rangeText(start?.newLine, position.new_line)}`
    : typeof position.old_line === 'number'
      ? `${position.old_path ?? path}:${rangeText(start?.oldLine, position.old_line)} (old)` : path;
};

const rangeText = (start: number | null | undefined, end: number): string =>
  start === null || start === undefined || start < 1 || start >= end ? `${end}` : `${start}-${end}`;

type LineRange = NonNullable<TextPosition['line_range']>;

interface RangeLine { readonly oldLine: number | null; readonly newLine: number | null }

type RangePosition = { readonly [K in 'line_range' | 'old_line' | 'new_line']?: TextPosition[K] | undefined };

/** A push moves the position, but not its range, which keeps its length (behavior: pushes.moved). @param at its line */
export const rangeStart = (
  { line_range, old_line = null, new_line = null }: RangePosition,
  at: RangeLine = { oldLine: old_line, newLine: new_line },
): RangeLine | null => {
  const [start, end] = [rangeLine(line_range?.start), rangeLine(line_range?.end)];
  const moved = (counter: keyof RangeLine): number | null => {
    const [first = null, last = null, now = null] = [start?.[counter], end?.[counter], at[counter]];
    return first !== null && last !== null && now !== null ? first + now - last : first;
  };
  return start && { oldLine: moved('oldLine'), newLine: moved('newLine') };
};

/** A line code ends in both counters of its line (behavior: positions.line-code). @param end the first or last one */
export const rangeLine = (end: LineRange['start'] | undefined): RangeLine | null => {
  if (!end) return null;
  const [, oldLine, newLine] = /_(\d+)_(\d+)$/.exec(end.line_code ?? '') ?? [];
  return oldLine === undefined ? { oldLine: end.old_line ?? null, newLine: end.new_line ?? null }
    : { oldLine: Number(oldLine), newLine: Number(newLine) };
};

export const positionOnFile = (
  { base_sha, start_sha, head_sha, old_path = null, new_path = null }:
  Pick<PositionInput, 'base_sha' | 'start_sha' | 'head_sha' | 'old_path' | 'new_path'>,
): PositionInput => ({ base_sha, start_sha, head_sha, position_type: 'file', old_path, new_path });

const fallbacks = ['error', 'nearest', 'file', 'general', 'unfold'] as const;
export type Fallback = (typeof fallbacks)[number];

export interface PositionFlags extends DiffFlags {
  readonly file?: string;
  readonly line?: string;
  readonly oldPath?: string;
  readonly imageAt?: string;
  readonly imageSize?: string;
  readonly position?: string;
  readonly commitId?: string;
  readonly ifUnanchored?: Fallback;
  readonly suggest?: string;
}

export const withPositionFlags = (command: Command): Command => withEmptyValues(inGroup('Position:', command, (own) =>
  withDiffFlags(own
    .option('--file <path>', 'file of the diff, or one line of it: PATH:N')
    .option('--line <n>', 'line of the file, [old:|new:]N, or lines N-M')
    .option('--old-path <path>', 'path before the file was renamed (default: looked up)')
    .option('--image-at <x,y>', 'position on an image, in pixels')
    .option('--image-size <WxH>', 'width and height of the image; default: those in the work tree')
    .option('--position <path>', 'read the whole position from a JSON file, - for standard input')
    .addOption(new Option('--if-unanchored <action>',
      'for a line outside the diff: fail, or comment on the nearest line, on the file, without a position, or on the '
      + 'unchanged line itself')
      .choices(fallbacks).default(undefined, 'error'))
    .option('--suggest <text>', 'text to suggest for the lines, - to read stdin'))
    .option('--commit-id <sha>', 'commit of the merge request to start the thread on')), '--suggest');

export const withDiffFlags = (command: Command): Command => inGroup('Position:', command, (own) => own
  .option('--base-sha <sha>', 'base commit of the diff (default: looked up)')
  .option('--start-sha <sha>', 'start commit of the diff (default: looked up)')
  .option('--head-sha <sha>', 'head commit of the diff (default: looked up)')
  .option('--diff <path>', 'patch to use if neither the service nor git has the diff'));

export const positionFlagNames =
  ['file', 'line', 'oldPath', 'imageAt', 'imageSize', 'baseSha', 'startSha', 'headSha', 'diff'] as const;

export const hasPosition = (flags: PositionFlags): boolean =>
  [flags.position, flags.suggest, ...positionFlagNames.map((name) => flags[name])].some((value) => value !== undefined);

export type Side = 'old' | 'new';

/** Without a side it is the new one, unless the file is deleted. */
export interface LineSpan { readonly side: Side | null; readonly from: number; readonly to: number }

export const lineSpan = (text: string): LineSpan => {
  const [, side = null, from, to = from] = /^(?:(old|new):)?([1-9]\d{0,8})(?:[-:]([1-9]\d{0,8}))?$/.exec(text) ?? [];
  if (from === undefined) throw usage(`--line takes [old:|new:]N, N-M or N:M, not ${JSON.stringify(text)}`);
  const span = { side: side as Side | null, from: Number(from), to: Number(to) };
  if (span.to < span.from) throw usage(`the range ${text} ends before it starts`);
  return span;
};

/** Splits `src/a.ts:13`, the form of compilers and editors. */
export const splitFileAndLine = (text: string): { readonly file: string; readonly line: string | undefined } => {
  const [, file = text, line] = /^(.+?):((?:(?:old|new):)?[1-9]\d{0,8}(?:-[1-9]\d{0,8})?)$/.exec(text) ?? [];
  return { file, line };
};

export interface TypedFile {
  readonly file: string;
  /** The path can also be from the current folder, and means another file there. */
  readonly fromFolder?: string;
  readonly isInFolder?: boolean;
}

/** A path with `./`, `../` or a root is from the current folder; others may be from the top of the work tree too. */
export const typedFile = async (app: App, text: string): Promise<TypedFile> => {
  const top = await app.git.top();
  const isFromFolder = /^(\.{1,2}?\/|\/|[A-Za-z]:[\\/])/.test(text);
  if (top === null) return { file: isFromFolder ? slashed(normalize(text)) : text };
  const path = resolve(app.files.folder(), text);
  const fromFolder = slashed(relative(top, path));
  const isOutside = fromFolder.startsWith('../');
  // A link outside of the work tree may lead into it.
  if (isFromFolder) return { file: isOutside && await app.files.realPath(path, top) || fromFolder };
  if (fromFolder === text || isOutside) return { file: text };
  return { file: text, fromFolder, isInFolder: await app.files.kindOf(path) === 'file' };
};

const slashed = (path: string): string => sep === '/' ? path : path.replaceAll(sep, '/');

export const findTyped = <F>(typed: TypedFile, find: (path: string) => F | undefined, name: string): F | undefined => {
  const { file, fromFolder, isInFolder = false } = typed;
  const [first, second] = [find(file), fromFolder === undefined ? undefined : find(fromFolder)];
  if (!first || first === second || !(second || isInFolder)) return first ?? second;
  const folders = fromFolder!.slice(0, -file.length).split('/').length - 1;
  throw usage(second ? `${file} and ${fromFolder} are both in the diff of ${name}`
    : `${file} is in the diff of ${name}, and ${fromFolder} is not`,
  `write ${join(...Array<string>(folders).fill('..'), file)} or ./${file}`);
};
