import { noteables } from '../../../contract/noteables.js';
import type { PositionInput } from '../../../contract/shapes/position.js';
import type { App } from '../../app.js';
import { usage } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { say } from '../../terminal/io/messages.js';
import { readText } from '../../terminal/io/streams.js';
import type { Target } from '../../service/targets/target.js';
import { anchorPlaces, fileIn, outsideDiff, positionOnFile } from './anchor.js';
import { orFallback } from './fallback.js';
import { positionFlagNames, type PositionFlags } from './flags.js';
import { imagePoint, imageSizeOf } from './image.js';
import { knownDiff } from './known-diff.js';
import { fileAndLine, lineSpan } from './line.js';
import { typedFile } from './typed-file.js';
import { DiffNotPrepared } from './version.js';

type Input = PositionFlags & GlobalFlags;

/** Undefined without a position; `--if-unanchored` decides outside the diff. @throws Problem if it is unknown */
export const positionFrom = async (
  app: App, flags: Input, target: Target,
): Promise<PositionInput | undefined> => {
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

const imagePosition = async (
  app: App, flags: Input, path: string, target: Target,
): Promise<PositionInput | undefined> => {
  if (flags.line !== undefined) throw usage('--line and --image-at cannot be combined', 'use only one of them');
  const point = imagePoint(flags.imageAt, flags.imageSize);
  const { shas, files } = await knownDiff(app, flags, target);
  const typed = await typedFile(app, path);
  const file = files && fileIn(files, typed, 'new', target.name);
  if (files && !file) return orFallback(app, flags, outsideDiff(files, typed.file, target.name));
  const { old_path, new_path } = file ?? { old_path: typed.file, new_path: typed.file };
  const size = point.size ?? await imageSizeOf(app, new_path);
  const former = await oldPath(app, flags) ?? old_path;
  return { ...shas, position_type: 'image', old_path: former, new_path, ...point.at, ...size };
};

/** With `--line`, the value of `--file` is a path as it is, because a path can end in `:13`. */
const textPosition = async (
  app: App, flags: Input, given: string, target: Target,
): Promise<PositionInput | undefined> => {
  const { file, line } = flags.line === undefined ? fileAndLine(given) : { file: given, line: flags.line };
  if (line === undefined) return filePosition(app, flags, file, target);
  const place = { ...await typedFile(app, file), span: lineSpan(line), oldPath: await oldPath(app, flags) };
  const [anchored] = await anchorPlaces(app, flags, target, [place]);
  return anchored!.state === 'outside' ? orFallback(app, flags, anchored!) : anchored!.position;
};

/** On the whole file. */
const filePosition = async (
  app: App, flags: Input, path: string, target: Target,
): Promise<PositionInput | undefined> => {
  const { shas, files } = await knownDiff(app, flags, target);
  const typed = await typedFile(app, path);
  const file = files && fileIn(files, typed, 'new', target.name);
  if (files && !file) return orFallback(app, flags, outsideDiff(files, typed.file, target.name));
  const { old_path, new_path } = file ?? { old_path: typed.file, new_path: typed.file };
  return positionOnFile({ ...shas, old_path: await oldPath(app, flags) ?? old_path, new_path });
};

const oldPath = async (app: App, { oldPath: text }: PositionFlags): Promise<string | undefined> =>
  text === undefined ? undefined : (await typedFile(app, text)).file;

const positionHint = 'give a position such as {"base_sha": …, "new_path": …, "new_line": 12, …}';

const readPosition = async (app: App, flags: PositionFlags): Promise<PositionInput> => {
  const conflict = positionFlagNames.find((name) => flags[name] !== undefined);
  if (conflict) {
    const flag = conflict.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`);
    throw usage(`--position and --${flag} cannot be combined`, 'use only one of them');
  }
  const text = await readText(app, flags.position!);
  const name = flags.position === '-' ? 'standard input' : flags.position;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as PositionInput;
  } catch {
    throw usage(`${name} is not JSON`, positionHint);
  }
  throw usage(`${name} is not a JSON object`, positionHint);
};
