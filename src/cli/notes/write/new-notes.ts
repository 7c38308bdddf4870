import { InvalidArgumentError, Option, type Command } from 'commander';
import { ApiError } from '../../../client/errors.js';
import type { CallOptions } from '../../../client/options.js';
import { contract } from '../../../contract/contract.js';
import { noteables } from '../../../contract/noteables.js';
import type { Discussion, Note } from '../../../contract/shapes/note.js';
import type { PositionInput } from '../../../contract/shapes/position.js';
import { readInstant } from '../../../wire/instants.js';
import type { Marker } from '../../../wire/marker.js';
import type { App } from '../../app.js';
import { knownPaths } from '../../service/connection/session.js';
import { nullIfUnsupported } from '../../service/connection/unsupported.js';
import { usage } from '../../command-line/errors/failure.js';
import type { GlobalFlags } from '../../command-line/flags/global.js';
import { say } from '../../terminal/io/messages.js';
import { hasPosition, type PositionFlags } from '../position/flags.js';
import { checkAnchored } from '../position/read-back.js';
import { checkSuggestion, withSuggestion } from '../position/suggestion.js';
import type { Target } from '../../service/targets/target.js';
import { newCommentContext, newThreadContext } from './editor-context.js';
import type { AskText, GivenText } from './with-text.js';

/** The creation time of a note. */
export interface CreatedAtFlag { readonly createdAt?: string }

/** The option behind `CreatedAtFlag`. For what is no time the service takes the present one (wire-facts 4.5.9). */
export const withCreatedAt = (command: Command): Command => command.addOption(
  new Option('--created-at <time>', contract.discussions.issue.create.params.created_at.text).argParser(time));

/** The text itself is sent: the service reads the same forms. */
const time = (text: string): string => {
  if (readInstant(text)) return text;
  throw new InvalidArgumentError('use one of these forms: 2024-05-01, 2024-05-01T12:00:00Z, 2024-05-01T14:00+02:00');
};

/** The key of a note. */
export interface KeyFlag { readonly key?: string }

/** The option behind `KeyFlag`. */
export const withKey = (command: Command): Command => command.addOption(
  new Option('--key <key>', 'post only one note with this key, however often the command runs').argParser(keyFrom));

/** The value of an option that takes a key. */
export const keyFrom = (text: string): string => {
  if (text !== '') return text;
  throw new InvalidArgumentError('the key is empty');
};

/** The options of the command that decide about a note besides its text. */
export interface NoteOptions extends CreatedAtFlag, KeyFlag {
  /** Further values for the marker. */
  readonly marker?: Marker;
  /** Whether the marker is a visible line. */
  readonly isMarkerVisible?: boolean;
}

const callOptions = (
  { key, marker, isMarkerVisible: visibleMarker }: NoteOptions, { lookBack }: GivenText,
): CallOptions => ({ key, marker, visibleMarker, lookBack });

/**
 * One line about a created note, or about the existing note that was found instead.
 * @param added the line about a created note: `added note 5 to mr/1`
 * @param place as messages name it: `mr/1`
 */
export const outcomeMessage = ({ journal: { existing } }: App, added: string, place: string): string => {
  if (existing === null || !existing.hasKey) return added;
  const text = existing.same ? '' : '; its text is different and was not changed';
  return `note ${existing.note} of ${place} already has this key${text}`;
};

type Input = GlobalFlags & PositionFlags & NoteOptions;

/**
 * Starts a thread, on the diff where the flags say so. The text is asked for when it is known where it goes.
 * @throws LostPosition if the service stored the thread elsewhere
 */
export const startThread = async (app: App, input: Input, target: Target, text: AskText): Promise<Discussion> => {
  if (input.commitId !== undefined && target.kind !== 'merge_request') {
    throw usage('--commit-id requires a merge request');
  }
  checkSuggestion(input);
  const position = hasPosition(input)
    ? await (await import('../position/from-flags.js')).positionFrom(app, input, target) : undefined;
  const given = await text(() => newThreadContext(app, target, position));
  const body = withSuggestion(given.body, input, position);
  const thread = await createThread(input, target, { ...given, body }, position);
  // A thread that already has the key may be on another line.
  if (!app.journal.existing?.hasKey) await checkAnchored(app, input, target, thread, position);
  return thread;
};

const createThread = async (
  input: Input, { client, kind, path }: Target, given: GivenText, position: PositionInput | undefined,
): Promise<Discussion> => {
  const params = { ...path, body: given.body, created_at: input.createdAt };
  const options = callOptions(input, given);
  if (kind === 'merge_request') {
    return client.discussions[kind].create({ ...params, position, commit_id: input.commitId }, options);
  }
  if (kind === 'commit') return client.discussions[kind].create({ ...params, position }, options);
  return client.discussions[kind].create(params, options);
};

/**
 * Adds a plain comment, which cannot be resolved. On commits, and on services without plain comments, it starts a
 * thread and prints a message. The cache remembers these services.
 */
export const addComment = async (app: App, input: Input, target: Target, text: AskText): Promise<Note> => {
  const { client, kind, path, base } = target;
  const given = await text(async () => newCommentContext(target));
  if (kind === 'commit') return commentAsThread(app, input, target, given, 'commits have no plain comments');
  const routes = knownPaths(app.cache);
  const [key, reason] = [`${base} comments`, 'the service does not support plain comments'];
  if (routes.get(key) === asThreads) return commentAsThread(app, input, target, given, reason);
  const comment = await nullIfUnsupported(client.notes[kind].create(
    { ...path, body: given.body, created_at: input.createdAt }, callOptions(input, given)));
  if (comment !== null) return comment;
  const note = await commentAsThread(app, input, target, given, reason);
  if (base !== '') routes.set(key, asThreads);
  return note;
};

const asThreads = 'discussions';

const commentAsThread = async (
  app: App, input: Input, target: Target, given: GivenText, reason: string,
): Promise<Note> => {
  const note = firstNoteOf(await startThread(app, input, target, async () => given));
  const effect = noteables[target.kind].resolvable ? 'started a thread, which can be resolved' : 'started a thread';
  await say(app, input, `${reason}: ${effect}`);
  return note;
};

/** The note that starts a thread. */
export const firstNoteOf = ({ notes: [first], id }: Discussion): Note => {
  if (!first) throw new Error(`the service returned thread ${id} without a note`);
  return first;
};

/**
 * Adds a note to a thread. interface.md requires `note_id`, the id of a note of the thread; the service ignores it
 * (wire-facts 4.8.6), so it is looked up and sent only where a service asks for it.
 */
export const reply = async (
  { client, kind, path }: Target, discussion_id: string, given: GivenText, input: NoteOptions,
): Promise<Note> => {
  const discussions = client.discussions[kind];
  const params = { ...path, discussion_id, body: given.body, created_at: input.createdAt };
  const options = callOptions(input, given);
  try {
    return await discussions.addNote(params, options);
  } catch (error) {
    if (!wantsNoteId(error)) throw error;
    const { notes: [first] } = await discussions.get({ ...path, discussion_id });
    if (!first) throw error;
    return discussions.addNote({ ...params, note_id: first.id }, options);
  }
};

const wantsNoteId = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 400 && /\bnote_id is missing\b/.test(error.words);
