import type { Discussion, Note } from '../../../contract/shapes/note.js';
import type { PartialPosition, PositionInput } from '../../../contract/shapes/position.js';
import type { App } from '../../app.js';
import { Problem } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { say } from '../../terminal/io/messages.js';
import type { Target } from '../../service/targets/target.js';
import type { Fallback } from './fallback.js';
import { positionText } from './text.js';

/** The service stored the note without its position, or on other lines. */
export class LostPosition extends Problem {}

type Flags = GlobalFlags & { readonly ifUnanchored?: Fallback };

/** In the response, else in the stored thread. @throws LostPosition; `--if-unanchored general` accepts a lost one */
export const checkAnchored = async (
  app: App, flags: Flags, target: Target, thread: Discussion, sent: PositionInput | undefined,
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

/** Of the side that a position does not use; some services store none. */
const unusedPath = ({ old_line, new_line }: PartialPosition): 'old_path' | 'new_path' | null => {
  const [isOld, isNew] = [typeof old_line === 'number', typeof new_line === 'number'];
  return isOld === isNew ? null : isNew ? 'old_path' : 'new_path';
};

/** A service may move a position on an older version to the lines of the newest one. */
const isOn = (note: Note | undefined, sent: PartialPosition): boolean => {
  if (!hasPosition(note)) return false;
  const stored: PartialPosition = note.position!;
  return stored.head_sha !== sent.head_sha
    || comparedParts.every((part) => (sent[part] ?? null) === null || stored[part] === sent[part]
      || (part === unusedPath(sent) && (stored[part] ?? null) === null));
};
