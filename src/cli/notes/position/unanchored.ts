import { ApiError } from '../../../client/errors.js';
import type { Discussion, Note } from '../../../contract/shapes/note.js';
import type { PartialPosition, PositionInput } from '../../../contract/shapes/position.js';
import type { App } from '../../app.js';
import { Problem } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import type { Target } from '../../service/targets/target.js';
import { say } from '../../terminal/io/messages.js';
import type { Outside } from './anchor.js';
import { type Fallback, positionOnFile, positionText } from './position.js';

type FallbackFlags = GlobalFlags & { readonly ifUnanchored?: Fallback };

/** Does what `--if-unanchored` says, with a message on stderr. @throws Problem if the file has no such position */
export const orFallback = async (
  app: App, flags: FallbackFlags, outside: Outside,
): Promise<PositionInput | undefined> => {
  const { problem, nearest, onFile, unfolded, unfoldedLine } = outside;
  const { ifUnanchored = 'error' } = flags;
  const places: Readonly<Record<Fallback, readonly [PositionInput | null | undefined, text: string]>> = {
    error: [null, ''], nearest: [nearest, `on ${nearestText(outside)}`], file: [onFile, 'on the file'],
    general: [undefined, 'without a position'], unfold: [unfolded, `on unchanged line ${unfoldedLine}`],
  };
  const [position, text] = places[ifUnanchored];
  if (position === null) throw problem;
  await say(app, flags, `${problem.message}; commenting ${text}`);
  return position;
};

const nearestText = ({ nearestLines: [first, last] }: Outside): string => {
  if (first === undefined) return 'the file';
  return first === last ? `line ${first}` : `lines ${first} to ${last}`;
};

/** A position that lacks a part is a mistake of the caller (behavior: positions.incomplete). */
export const rejectsPosition = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status === 400 && /\b(?:line_code|position)\b/.test(error.serverMessage)
  && !/\bis (?:missing|incomplete)\b/.test(error.serverMessage);

/**
 * Sends a note, and if the service rejects its position, sends it where `--if-unanchored` says: the service has
 * another diff than we know. It shows no lines then, so `nearest` and `unfold` comment on the file.
 * @returns the position that was sent last
 */
export const sendOrFallback = async <T>(
  app: App, flags: FallbackFlags, position: PositionInput | undefined,
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

export class LostPosition extends Problem {}

/** Looks in the response, then in the stored thread, for the position. @throws LostPosition */
export const checkAnchored = async (
  app: App, flags: FallbackFlags, target: Target, thread: Discussion, sent: PositionInput | undefined,
): Promise<void> => {
  if (sent === undefined || isOn(thread.notes[0], sent)) return;
  const stored = await target.client.discussions[target.kind].get({ ...target.path, discussion_id: thread.id })
    .catch(() => thread);
  app.signal.throwIfAborted();
  const [note] = stored.notes;
  if (isOn(note, sent)) return;
  const id = note?.id ?? thread.notes[0]?.id;
  const remove = `remove it with \`colloquy notes delete ${target.name} ${id}\``;
  if (hasPosition(note)) {
    throw new LostPosition('failure', `the service stored note ${id} of ${target.name} at `
      + `${positionText(note.position)}, not at ${positionText(sent)}`, remove);
  }
  const message = `the service stored note ${id} of ${target.name} without its position at ${positionText(sent)}`;
  if (flags.ifUnanchored === 'general') return say(app, flags, message);
  throw new LostPosition('failure', message, `${remove}, or accept such notes with --if-unanchored general`);
};

const hasPosition = (note: Note | undefined): note is Note => note?.type === 'DiffNote' && Boolean(note.position);

const comparedParts = ['old_path', 'new_path', 'old_line', 'new_line', 'x', 'y', 'width', 'height'] as const;

/** Some services store no path for a side that a position does not use. A position on a whole file uses neither. */
const mayLack = ({ old_line, new_line }: PartialPosition, part: string): boolean => {
  const [isOld, isNew] = [typeof old_line === 'number', typeof new_line === 'number'];
  return (part === 'old_path' && !isOld) || (part === 'new_path' && !isNew);
};

/** A service may move a position on an older version to the lines of the newest one. */
const isOn = (note: Note | undefined, sent: PartialPosition): boolean => {
  if (!hasPosition(note)) return false;
  const stored: PartialPosition = note.position!;
  const isLacking = (part: keyof PartialPosition) => (stored[part] ?? null) === null;
  return stored.head_sha !== sent.head_sha || ((!isLacking('old_path') || !isLacking('new_path'))
    && comparedParts.every((part) => (sent[part] ?? null) === null || stored[part] === sent[part]
      || (isLacking(part) && mayLack(sent, part))));
};
