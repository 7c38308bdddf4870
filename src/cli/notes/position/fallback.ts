import { ApiError } from '../../../client/errors.js';
import type { PositionInput } from '../../../contract/shapes/position.js';
import { numbersOf } from '../../../diff/lines.js';
import type { App } from '../../app.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { say } from '../../terminal/io/messages.js';
import { positionOnFile, type Outside } from './anchor.js';
import { positionText } from './text.js';

/** For a note whose line is not in the diff. */
export const fallbacks = ['error', 'nearest', 'file', 'general', 'unfold'] as const;
export type Fallback = (typeof fallbacks)[number];

type Flags = GlobalFlags & { readonly ifUnanchored?: Fallback };

/** Reported on stderr; undefined for none. @throws Problem if it is an error, or the file has no such position */
export const orFallback = async (app: App, flags: Flags, outside: Outside): Promise<PositionInput | undefined> => {
  const { problem, nearest, onFile, unfolded } = outside;
  const { ifUnanchored = 'error' } = flags;
  const position = { error: null, nearest, file: onFile, general: undefined, unfold: unfolded }[ifUnanchored];
  if (position === null) throw problem;
  await say(app, flags, `${problem.message}; commenting ${{
    error: '', nearest: `on ${nearestText(outside)}`, file: 'on the file', general: 'without a position',
    unfold: `on unchanged line ${unfolded?.new_line}`,
  }[ifUnanchored]}`);
  return position;
};

const nearestText = ({ nearestLines }: Outside): string => {
  const [first, last] = nearestLines.map((line) => {
    const { old_line, new_line } = numbersOf(line);
    return new_line === undefined ? `old:${old_line}` : String(new_line);
  });
  return first === last ? `line ${first}` : `lines ${first} to ${last}`;
};

/** Whether the service says that the position is not on its diff (behavior: positions.line-code). */
export const rejectsPosition = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status === 400 && /\b(?:line_code|position)\b/.test(error.serverMessage);

/**
 * Sends a note, and if the service rejects its position what `--if-unanchored` says: the diff was not at hand, or the
 * service has another one. Lines are not known then, so `nearest` and `unfold` comment on the file.
 * @param send is called at most twice
 * @returns the position that was sent last
 */
export const sendOrFallback = async <T>(
  app: App, flags: Flags, position: PositionInput | undefined,
  send: (position: PositionInput | undefined) => Promise<T>,
): Promise<readonly [sent: T, position: PositionInput | undefined]> => {
  try {
    return [await send(position), position];
  } catch (error) {
    const { ifUnanchored = 'error' } = flags;
    if (position === undefined || ifUnanchored === 'error' || !rejectsPosition(error)) throw error;
    const message = `the service does not have ${positionText(position)} in the diff`;
    const next = ifUnanchored === 'general' ? undefined : positionOnFile(position);
    const why = ifUnanchored === 'nearest' || ifUnanchored === 'unfold' ? ', and no other source has its lines' : '';
    await say(app, flags, `${message}${why}; commenting ${next ? 'on the file' : 'without a position'}`);
    return [await send(next), next];
  }
};
