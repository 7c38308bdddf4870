import type { Command } from 'commander';
import { noteables } from '../../contract/noteables.js';
import type { PositionInput } from '../../contract/shapes/position.js';
import type { App } from '../app.js';
import { usage } from '../errors/failure.js';
import { readText } from '../io/streams.js';
import type { Target } from '../targets/target.js';
import { imagePoint } from './image.js';
import { diffLine, fileAndLine } from './line.js';
import { shasOf } from './shas.js';

/** The flags for the position of a note on a diff. */
export interface PositionFlags {
  readonly file?: string;
  readonly line?: string;
  readonly oldPath?: string;
  readonly baseSha?: string;
  readonly startSha?: string;
  readonly headSha?: string;
  readonly imageAt?: string;
  readonly imageSize?: string;
  readonly position?: string;
  readonly commitId?: string;
}

/** Adds the options of `PositionFlags`. */
export const withPositionFlags = (command: Command): Command => command
  .option('--file <path>', 'file of the diff to comment on, or file and line: PATH:N')
  .option('--line <n>', 'line of the file, [old:|new:]N, or lines N-M')
  .option('--old-path <path>', 'path before the file was renamed (default: looked up)')
  .option('--image-at <x,y>', 'position on an image, in pixels')
  .option('--image-size <WxH>', 'width and height of the image')
  .option('--position <path>', 'read the whole position from a JSON file, - for standard input')
  .option('--base-sha <sha>', 'base commit of the diff (default: looked up)')
  .option('--start-sha <sha>', 'start commit of the diff (default: looked up)')
  .option('--head-sha <sha>', 'head commit of the diff (default: looked up)')
  .option('--commit-id <sha>', 'commit of the merge request to start the thread on');

const positionFlagNames =
  ['file', 'line', 'oldPath', 'imageAt', 'imageSize', 'baseSha', 'startSha', 'headSha'] as const;

/** Whether any flag gives a position. */
export const hasPosition = (flags: PositionFlags): boolean =>
  flags.position !== undefined || positionFlagNames.some((name) => flags[name] !== undefined);

/** The position given by the flags, or undefined. @throws Problem when it cannot be determined */
export const positionFrom = async (
  app: App, flags: PositionFlags, target: Target,
): Promise<PositionInput | undefined> => {
  if (!hasPosition(flags)) return undefined;
  if (!noteables[target.kind].hasDiff) {
    throw usage(`${target.name} has no diff`, 'use a position on merge requests and commits only');
  }
  if (flags.position !== undefined) return readPosition(app, flags);
  if (flags.file === undefined) throw usage('no file of the diff given', 'name it with --file');
  return flags.imageAt !== undefined || flags.imageSize !== undefined
    ? imagePosition(app, flags, flags.file, target) : textPosition(app, flags, flags.file, target);
};

const imagePosition = async (
  app: App, flags: PositionFlags, file: string, target: Target,
): Promise<PositionInput> => {
  if (flags.line !== undefined) throw usage('--line and --image-at cannot be combined', 'use only one of them');
  const { shas } = await shasOf(app, flags, target);
  const paths = { old_path: flags.oldPath ?? file, new_path: file };
  return { ...shas, position_type: 'image', ...paths, ...imagePoint(flags.imageAt, flags.imageSize) };
};

/** With `--line`, the value of `--file` is a path as it is, because a path can end in `:13`. */
const textPosition = async (
  app: App, flags: PositionFlags, given: string, target: Target,
): Promise<PositionInput> => {
  const { file, line } = flags.line === undefined ? fileAndLine(given) : { file: given, line: flags.line };
  if (line === undefined) {
    throw usage(`no line of ${file} given`,
      'name it with --line or as --file PATH:N, or a position on an image with --image-at');
  }
  const { shas, isCurrent } = await shasOf(app, flags, target);
  const lines = await diffLine(target, { file, line, oldPath: flags.oldPath }, isCurrent);
  return { ...shas, position_type: 'text', ...lines };
};

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
