import { Option, type Command } from 'commander';
import { inGroup } from '../../command-line/command.js';
import { fallbacks, type Fallback } from './fallback.js';
import type { DiffFlags } from './known-diff.js';

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

export const withPositionFlags = (command: Command): Command => inGroup('Position:', command, (own) => withDiffFlags(own
  .option('--file <path>', 'file of the diff to comment on, or one line of it: PATH:N')
  .option('--line <n>', 'line of the file, [old:|new:]N, or lines N-M')
  .option('--old-path <path>', 'path before the file was renamed (default: looked up)')
  .option('--image-at <x,y>', 'position on an image, in pixels')
  .option('--image-size <WxH>', 'width and height of the image; default: those in the work tree')
  .option('--position <path>', 'read the whole position from a JSON file, - for standard input')
  .addOption(new Option('--if-unanchored <action>',
    'for a line outside the diff: fail, or comment on the nearest line, on the file, without a position, or on the '
    + 'unchanged line itself')
    .choices(fallbacks).default(undefined, 'error'))
  .option('--suggest <text>', 'suggest this text for the lines, - for standard input'))
  .option('--commit-id <sha>', 'commit of the merge request to start the thread on'));

export const withDiffFlags = (command: Command): Command => inGroup('Position:', command, (own) => own
  .option('--base-sha <sha>', 'base commit of the diff (default: looked up)')
  .option('--start-sha <sha>', 'start commit of the diff (default: looked up)')
  .option('--head-sha <sha>', 'head commit of the diff (default: looked up)')
  .option('--diff <path>', 'patch to use if neither the service nor git has the diff'));

export const positionFlagNames =
  ['file', 'line', 'oldPath', 'imageAt', 'imageSize', 'baseSha', 'startSha', 'headSha', 'diff'] as const;

export const hasPosition = (flags: PositionFlags): boolean =>
  [flags.position, flags.suggest, ...positionFlagNames.map((name) => flags[name])].some((value) => value !== undefined);
