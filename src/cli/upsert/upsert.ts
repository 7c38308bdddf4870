import { createHash } from 'node:crypto';
import { ApiError, NoResultError } from '../../client/errors.js';
import { isAnswered } from '../../client/once/job.js';
import { findMarkedNotes, type MarkedNote } from '../../client/once/own-notes.js';
import { isOutcomeUnknown } from '../../client/once/outcome.js';
import type { Note } from '../../contract/shapes/note.js';
import { isUnknownRoute } from '../../wire/error-body.js';
import { readMarker, withMarker } from '../../wire/marker.js';
import { isQuickActionsOnly, isStoredAs } from '../../wire/note-text.js';
import type { App } from '../app.js';
import { repeated } from '../connection/repeat.js';
import { Problem, usage } from '../errors/failure.js';
import type { GlobalFlags } from '../flags/global.js';
import { say } from '../io/messages.js';
import type { Target } from '../targets/target.js';
import { addComment, firstNoteOf, startThread } from '../writing/new-notes.js';
import { nextStep, type Content, type Step, type UpsertMode, type Wanted } from './plan.js';
import type { Overflow } from './text.js';
import { isHigher, versionIn, versionOf } from './version.js';

/** The options of an upsert. */
export interface UpsertOptions extends GlobalFlags {
  readonly key: string;
  readonly mode: UpsertMode;
  readonly newerThan?: string;
  /** Whether to start a thread instead of a comment. */
  readonly resolvable?: boolean;
  /** The usernames whose notes count besides those of the token's user. */
  readonly author?: readonly string[];
  readonly overflow: Overflow;
}

/** What an upsert did. */
export type UpsertAction = 'created' | 'updated' | 'unchanged' | 'stale' | 'healed' | 'deleted';

/** The result of an upsert. The note is null if there is none any more. */
export interface UpsertResult {
  readonly action: UpsertAction;
  readonly note: Note | null;
}

interface Context {
  readonly app: App;
  readonly options: UpsertOptions;
  readonly target: Target;
  readonly wanted: Wanted;
}

/** What the run has done so far. */
interface Progress {
  action: 'created' | 'updated' | 'deleted' | null;
  /** Whether the text of this run was stored. */
  isStored: boolean;
  /** How many copies of the comment were deleted. */
  healed: number;
}

/** Runs at the same time can change the comment in between; then its state is read and compared again. */
const mostRounds = 6;

/**
 * Creates or changes the one comment with a key, so that it has the text of the newest run. A blank text deletes it.
 * Copies that runs at the same time created are deleted.
 * @throws Problem also if the service does not report the user of the token
 */
export const upsert = async (
  app: App, options: UpsertOptions, target: Target, text: string,
): Promise<UpsertResult> => {
  const wanted: Wanted = { ...options, text, version: versionOf(app, options.newerThan), run: runOf(app, text) };
  if (target.kind !== 'snippet' && isQuickActionsOnly(text)) {
    throw usage('the text has only quick actions, which the service does not store', 'send it with `notes add`');
  }
  const context: Context = { app, options, target, wanted };
  const progress: Progress = { action: null, isStored: false, healed: 0 };
  const failures = { count: 0 };
  for (let round = 1; round <= mostRounds; round++) {
    const result = await repeated(app, () => runRound(context, progress), failures);
    if (result !== null) return result;
  }
  throw new Problem('failure', `the comment with key ${wanted.key} on ${target.name} changes all the time`,
    'check which other programs use the key, then run the command again');
};

/** Identifies a run: by its CI job, else by its text. */
const runOf = ({ env }: App, text: string): string => {
  const job = env['CI_JOB_ID'] ?? '';
  return /^\w{1,40}$/.test(job) ? job : createHash('sha256').update(text.trimEnd()).digest('hex').slice(0, 16);
};

/** Reads the notes with the key and does one step. Null if their state has to be read again. */
const runRound = async (context: Context, progress: Progress): Promise<UpsertResult | null> => {
  const copies = await copiesOf(context);
  const step = nextStep(context.wanted, copies, progress.isStored);
  const [kept, ...others] = copies;
  if (step.do === 'create') return create(context, progress, step.content);
  if (!kept) return resultOf(progress, 'unchanged', null);
  if (step.do === 'nothing' && step.reason === 'stale') return resultOf(progress, 'stale', kept.note);
  if (step.do === 'delete') return removeAll(context, progress, copies);
  await heal(context, progress, others);
  if (step.do === 'recreate' && !isAnswered(kept)) return recreate(context, progress, kept, step.content);
  if (step.do === 'nothing') return resultOf(progress, 'unchanged', kept.note);
  if (step.do === 'recreate') {
    await say(context.app, context.options, `note ${kept.note.id} has answers: updating it instead of recreating it`);
  }
  return update(context, progress, kept, step);
};

/** @throws Problem if the service does not report the user of the token: then any note could be somebody else's */
const copiesOf = async ({ options, target: { client, kind, path, name }, wanted }: Context): Promise<MarkedNote[]> => {
  const authors = options.author?.map((author) => author.replace(/^@/, '')) ?? [];
  try {
    const notes = await findMarkedNotes(client, kind, path, { key: wanted.key, authors });
    // With a fingerprint or an id the marker is that of another note: a finding, or a note sent once.
    return notes.filter(({ marker }) => marker['fp'] === undefined && marker['id'] === undefined);
  } catch (error) {
    if (!(error instanceof ApiError && isUnknownRoute(error.status, error.body) && / \S+\/user$/.test(error.request))) {
      throw error;
    }
    throw usage(`cannot find the earlier comment on ${name}: the service does not report the user of the token`,
      'use a service with GET /user');
  }
};

const resultOf = (
  { action, healed, isStored }: Progress, otherwise: 'unchanged' | 'stale', note: Note | null,
): UpsertResult => {
  if (otherwise === 'stale' && !isStored) return { action: 'stale', note };
  if (healed > 0) return { action: 'healed', note };
  return { action: action ?? otherwise, note };
};

/** Deletes the copies of the comment that nobody answered. */
const heal = async (context: Context, progress: Progress, copies: readonly MarkedNote[]): Promise<void> => {
  for (const copy of copies.filter((one) => !isAnswered(one))) {
    await remove(context, copy);
    progress.healed++;
  }
};

const removeAll = async (
  context: Context, progress: Progress, copies: readonly MarkedNote[],
): Promise<UpsertResult> => {
  progress.action = 'deleted';
  for (const copy of copies) await remove(context, copy);
  return { action: 'deleted', note: null };
};

/** The note may be deleted already. */
const remove = async ({ target: { client, kind, path } }: Context, { note, discussion }: MarkedNote): Promise<void> => {
  try {
    await client.discussions[kind].deleteNote({ ...path, discussion_id: discussion.id, note_id: note.id });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
};

const isMissing = (error: unknown): boolean =>
  error instanceof NoResultError || (error instanceof ApiError && error.status === 404);

/** A run at the same time may have created the comment first; then it still has to get this text. */
const create = async (
  { app, options, target, wanted }: Context, progress: Progress, { text, marker }: Content,
): Promise<UpsertResult | null> => {
  const input = { ...options, marker };
  const ask = async () => ({ body: text });
  const note = options.resolvable ? firstNoteOf(await startThread(app, input, target, ask))
    : await addComment(app, input, target, ask);
  const found = readMarker(note.body);
  progress.isStored = isStoredAs(text, found.text)
    && !isHigher(wanted.version, found.marker && versionIn(found.marker));
  if (!progress.isStored) return null;
  return resultOf(Object.assign(progress, { action: progress.action ?? 'created' }), 'unchanged', note);
};

const recreate = async (
  context: Context, progress: Progress, kept: MarkedNote, content: Content,
): Promise<UpsertResult | null> => {
  progress.action = 'updated';
  await remove(context, kept);
  return create(context, progress, content);
};

/** Sends the text. If runs are ordered, the comment is read before and after: the higher version writes again. */
const update = async (
  context: Context, progress: Progress, kept: MarkedNote,
  { content, isSameText }: Extract<Step, { readonly isSameText: boolean }>,
): Promise<UpsertResult | null> => {
  const { target: { client, kind, path }, wanted } = context;
  const isOrdered = wanted.version !== null || wanted.mode === 'append';
  if (isOrdered && (await reread(context, kept))?.note.body !== kept.note.body) return null;
  const body = withMarker(content.text, content.marker);
  const sent = await client.discussions[kind]
    .modifyNote({ ...path, discussion_id: kept.discussion.id, note_id: kept.note.id, body })
    .catch((error: unknown) => {
      if (isMissing(error)) return null;
      // The next round finds the text if it was stored.
      if (isOutcomeUnknown(error)) noteUpdate(progress, isSameText);
      throw error;
    });
  if (sent === null) return null;
  noteUpdate(progress, isSameText);
  progress.isStored = true;
  const after = isOrdered ? await reread(context, kept) : null;
  if (after === null) return isOrdered ? null : resultOf(progress, 'unchanged', sent);
  const step = nextStep(wanted, [after], true);
  if (step.do !== 'nothing') return null;
  return step.reason === 'stale' ? { action: 'stale', note: after.note } : resultOf(progress, 'unchanged', after.note);
};

const noteUpdate = (progress: Progress, isSameText: boolean): void => {
  if (!isSameText) progress.action ??= 'updated';
};

/** Reads one comment again; null if it is gone. */
const reread = async (
  { target: { client, kind, path } }: Context, { note: { id }, discussion: { id: discussion_id } }: MarkedNote,
): Promise<MarkedNote | null> => {
  try {
    const discussion = await client.discussions[kind].get({ ...path, discussion_id });
    const note = discussion.notes.find((one) => one.id === id);
    const { text, marker } = readMarker(note?.body ?? '');
    return note && marker ? { note, discussion, text, marker } : null;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
};
