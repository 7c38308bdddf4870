import { join } from 'node:path';
import { noteables, suggestionReach } from '../../../contract/conventions.js';
import type { PartialPosition, PositionInput } from '../../../contract/shapes/position.js';
import { codeBlock } from '../../../markdown/code.js';
import { isObject, parsedJson } from '../../../wire/json.js';
import type { App } from '../../app.js';
import { usage } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import type { Target } from '../../service/targets/target.js';
import { say } from '../../terminal/io/messages.js';
import { readProblem, readText } from '../../terminal/io/streams.js';
import { anchorPlaces, fileIn, outsideDiff } from './anchor.js';
import {
  splitFileAndLine, lineSpan, positionFlagNames, type PositionFlags, positionOnFile, rangeStart, typedFile,
} from './position.js';
import { knownDiff } from './known-diff.js';
import { orFallback } from './unanchored.js';
import { DiffNotPrepared } from './version.js';

type Input = PositionFlags & GlobalFlags;
type Placing = (app: App, flags: Input, path: string, target: Target) => Promise<PositionInput | undefined>;

/** Where the flags put a note, and what it suggests there. @throws Problem if the place is unknown */
export const placeFrom = async (app: App, flags: Input, target: Target) => {
  checkSuggestion(flags);
  const position = await positionFrom(app, flags, target);
  const { suggest } = flags;
  return { position, ...suggest !== undefined && { suggestion: suggestionBlock(suggest, linesAbove(position)) } };
};

const positionFrom = async (app: App, flags: Input, target: Target): Promise<PositionInput | undefined> => {
  if (!noteables[target.kind].hasDiff) {
    throw usage(`${target.name} has no diff`, 'use a position on merge requests and commits only');
  }
  if (flags.position !== undefined) return readPosition(app, flags);
  if (flags.file === undefined) throw usage('no file of the diff given', 'name it with --file');
  const isOnImage = flags.imageAt !== undefined || flags.imageSize !== undefined;
  try {
    return await (isOnImage ? imagePosition : textPosition)(app, flags, flags.file, target);
  } catch (error) {
    if (!(error instanceof DiffNotPrepared) || flags.ifUnanchored !== 'general') throw error;
    await say(app, flags, `${error.message}; commenting without a position`);
    return undefined;
  }
};

const imagePosition: Placing = async (app, flags, path, target) => {
  if (flags.line !== undefined) throw usage('--line and --image-at cannot be combined', 'use only one of them');
  const point = imagePoint(flags.imageAt, flags.imageSize);
  const file = await fileInDiff(app, flags, path, target);
  if (file.state === 'outside') return orFallback(app, flags, file);
  const size = point.size ?? await imageSizeOf(app, file.paths.new_path);
  return { ...file.shas, position_type: 'image', ...file.paths, ...point.at, ...size };
};

/** With `--line`, the value of `--file` is a path as it is, because a path can end in `:13`. */
const textPosition: Placing = async (app, flags, given, target) => {
  const { file, line } = flags.line === undefined ? splitFileAndLine(given) : { file: given, line: flags.line };
  if (line === undefined) return filePosition(app, flags, file, target);
  const place = { ...await typedFile(app, file), span: lineSpan(line), oldPath: await oldPath(app, flags) };
  const [anchored] = await anchorPlaces(app, flags, target, [place]);
  return anchored!.state === 'outside' ? orFallback(app, flags, anchored!) : anchored!.position;
};

const filePosition: Placing = async (app, flags, path, target) => {
  const file = await fileInDiff(app, flags, path, target);
  return file.state === 'outside' ? orFallback(app, flags, file) : positionOnFile({ ...file.shas, ...file.paths });
};

const fileInDiff = async (app: App, flags: Input, path: string, target: Target) => {
  const { shas, files } = await knownDiff(app, flags, target);
  const typed = await typedFile(app, path);
  const file = files && fileIn(files, typed, 'new', target.name);
  if (files && !file) return outsideDiff(files, typed.file, target.name);
  const old_path = await oldPath(app, flags) ?? file?.old_path ?? typed.file;
  return { state: 'inside' as const, shas, paths: { old_path, new_path: file?.new_path ?? typed.file } };
};

const oldPath = async (app: App, { oldPath: text }: PositionFlags): Promise<string | undefined> =>
  text === undefined ? undefined : (await typedFile(app, text)).file;

const readPosition = async (app: App, flags: PositionFlags): Promise<PositionInput> => {
  const conflict = positionFlagNames.find((name) => flags[name] !== undefined);
  if (conflict) {
    const flag = conflict.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`);
    throw usage(`--position and --${flag} cannot be combined`, 'use only one of them');
  }
  const text = await readText(app, flags.position!);
  const name = flags.position === '-' ? 'standard input' : flags.position;
  const value = parsedJson(text);
  if (isObject(value)) return value as unknown as PositionInput;
  throw usage(`${name} is not ${value === undefined ? 'JSON' : 'a JSON object'}`,
    'give a position such as {"base_sha": …, "new_path": …, "new_line": 12, …}');
};

const imagePoint = (at: string | undefined, size: string | undefined) => {
  if (at === undefined) throw usage('--image-size requires --image-at', 'use, for example, --image-at 10,20');
  const point = /^(\d{1,6}),(\d{1,6})$/.exec(at);
  if (!point) throw usage(`--image-at takes x,y, not ${JSON.stringify(at)}`);
  const extent = /^(\d{1,6})x(\d{1,6})$/i.exec(size ?? '');
  if (size !== undefined && !extent) throw usage(`--image-size takes WIDTHxHEIGHT, not ${JSON.stringify(size)}`);
  return {
    at: { x: Number(point[1]), y: Number(point[2]) },
    size: extent && { width: Number(extent[1]), height: Number(extent[2]) },
  };
};

const largestImage = 67_108_864;

/** The size that a browser shows. @throws Problem if the work tree has no such image */
const imageSizeOf = async (app: App, path: string) => {
  const unknown = (reason: string) =>
    usage(`cannot determine the size of the image: ${reason}`, 'pass --image-size WIDTHxHEIGHT');
  const top = await app.git.top();
  if (top === null) throw unknown('the current folder is not in a git work tree');
  const bytes = await app.files.readLimited(join(top, path), largestImage, top).catch((error: unknown) => {
    throw unknown(`${path}: ${readProblem(error, largestImage)}`);
  });
  const { width, height, orientation = 1 } = await pixelSize(bytes) ?? {};
  if (!width || !height) throw unknown(`${path} is not an image of a known type`);
  // Cameras store images on their side, and say so.
  return orientation >= 5 ? { width: height, height: width } : { width, height };
};

const pixelSize = async (bytes: Uint8Array) => {
  const { imageSize } = await import('image-size');
  try {
    return imageSize(bytes);
  } catch {
    return null;
  }
};

/** @throws Problem for a suggestion that would change other lines than the ones it was written for */
const checkSuggestion = ({ suggest, ifUnanchored = 'error', ...flags }: PositionFlags): void => {
  if (suggest === undefined) return;
  if (flags.imageAt !== undefined || (flags.file === undefined && flags.position === undefined)) {
    throw usage('--suggest requires a line of the diff', 'name it with --file PATH:N');
  }
  if (suggest !== '' && suggest.trim() === '') {
    throw usage('a suggestion of blank lines alone deletes the lines',
      "pass --suggest '' to delete them, or name a line next to them too");
  }
  if (ifUnanchored !== 'error') {
    throw usage(`--suggest and --if-unanchored ${ifUnanchored} cannot be combined`,
      'remove one of them: a suggestion replaces exactly the lines that are named');
  }
};

/** @param above lines to replace above that of the note @param below lines to replace below it */
export const suggestionBlock = (text: string, above: number, below = 0): string =>
  codeBlock(text === '' ? null : text.replace(/\r?\n$/, ''), `suggestion:-${above}+${below}`);

/** The note of a range is on its last line. */
const linesAbove = (position: PositionInput | undefined): number => {
  const { new_line, line_range }: PartialPosition = position ?? {};
  if (typeof new_line !== 'number') {
    throw usage('a suggestion requires a line of the new version', 'choose a line that the change does not remove');
  }
  const above = Math.max(0, new_line - (rangeStart({ line_range, new_line })?.newLine ?? new_line));
  if (above <= suggestionReach) return above;
  const most = suggestionReach + 1;
  throw usage(`the suggestion is for ${above + 1} lines, of which the service replaces only the last ${most}`,
    `name at most ${most} lines, or split the suggestion`);
};
