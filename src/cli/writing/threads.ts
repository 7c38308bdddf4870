import { ApiError } from '../../client/errors.js';
import type { Discussion, Note } from '../../contract/shapes/note.js';
import type { App } from '../app.js';
import { usage } from '../errors/failure.js';
import type { GlobalFlags } from '../flags/global.js';
import type { CreatedAtFlag } from '../flags/created-at.js';
import { positionFrom, type PositionFlags } from '../position/flags.js';
import type { Target } from '../targets/target.js';
import { aboutPlace } from './about.js';
import type { WantedText } from './with-text.js';

type Input = GlobalFlags & PositionFlags & CreatedAtFlag;

/** Starts a thread, on the diff where the flags say so. The text is asked for when it is known where it goes. */
export const startThread = async (app: App, input: Input, target: Target, text: WantedText): Promise<Discussion> => {
  const { client, kind, path } = target;
  if (input.commitId !== undefined && kind !== 'merge_request') {
    throw usage('--commit-id is for threads on merge requests');
  }
  const position = await positionFrom(app, input, target);
  const body = await text(() => aboutPlace(target, position));
  const params = { ...path, body, created_at: input.createdAt };
  if (kind === 'merge_request') {
    return client.discussions[kind].create({ ...params, position, commit_id: input.commitId });
  }
  if (kind === 'commit') return client.discussions[kind].create({ ...params, position });
  return client.discussions[kind].create(params);
};

/**
 * Adds a note to a thread. interface.md requires `note_id`, the id of a note of the thread; the service ignores it
 * (wire-facts 4.8.6), so it is looked up and sent only where a service asks for it.
 */
export const reply = async (
  { client, kind, path }: Target, discussion_id: string, body: string, { createdAt }: CreatedAtFlag,
): Promise<Note> => {
  const discussions = client.discussions[kind];
  const params = { ...path, discussion_id, body, created_at: createdAt };
  try {
    return await discussions.addNote(params);
  } catch (error) {
    if (!wantsNoteId(error)) throw error;
    const { notes: [first] } = await discussions.get({ ...path, discussion_id });
    if (!first) throw error;
    return discussions.addNote({ ...params, note_id: first.id });
  }
};

const wantsNoteId = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 400 && /\bnote_id is missing\b/.test(error.words);
