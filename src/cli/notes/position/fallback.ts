import type { PositionInput } from '../../../contract/shapes/position.js';
import { numbersOf } from '../../../diff/lines.js';
import type { App } from '../../app.js';
import type { GlobalFlags } from '../../command-line/flags/global.js';
import { say } from '../../terminal/io/messages.js';
import type { Outside } from './anchor.js';

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
