import { createHash } from 'node:crypto';
import { markedNote, type MarkedNote } from '../../../client/exactly-once/marked-notes.js';
import { isMissing, isOutcomeUnknown } from '../../../client/outcome.js';
import type { Note } from '../../../contract/shapes/note.js';
import { isAsWritten, readMarker, withMarker } from '../../../wire/marker.js';
import { digestOfText, isQuickActionsOnly, isStoredAs } from '../../../wire/note-text.js';
import type { App } from '../../app.js';
import { repeated } from '../../service/connection/repeat.js';
import { Problem, usage } from '../../command-line/errors/failure.js';
import { markerLostHint } from '../../command-line/errors/hints.js';
import type { GlobalFlags } from '../../command-line/flags/global.js';
import { say } from '../../terminal/io/messages.js';
import type { Target } from '../../service/targets/target.js';
import { supersededCommit } from '../position/job.js';
import { earlierNotes } from '../write/earlier-notes.js';
import { addComment, startThread } from '../write/new-notes.js';
import {
  keyNotesOf, nextStep, type Content, type KeyNotes, type UpsertMode, type UpsertStep, type WantedComment,
} from './plan.js';
import type { Overflow } from './text.js';
import { isHigher, versionIn, versionOf } from './version.js';

export interface UpsertOptions extends GlobalFlags {
  readonly key: string;
  readonly mode: UpsertMode;
  readonly newerThan?: string;
  /** Whether to start a thread instead of a comment. */
  readonly resolvable?: boolean;
  /** The usernames whose notes count besides those of the token's user. */
  readonly author?: readonly string[];
  readonly overflow: Overflow;
  readonly visibleKey?: boolean;
}

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
  readonly wanted: WantedComment;
}

interface Progress {
  action: 'created' | 'updated' | 'deleted' | null;
  /** Whether the text of this run was stored. */
  isStored: boolean;
  /** How many copies of the comment were deleted. */
  healed: number;
  /** The ids of the notes that this run wrote. */
  readonly written: Set<number>;
  /** The notes that are left as they are, with the reason. */
  readonly left: Map<number, string>;
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
  const wanted: WantedComment = {
    ...options, text, version: versionOf(app, options.newerThan), run: runOf(app, text),
    isVisible: options.visibleKey ?? false,
  };
  if (target.kind !== 'snippet' && isQuickActionsOnly(text)) {
    throw usage('the text has only quick actions, which the service does not store', 'send it with `notes add`');
  }
  const context: Context = { app, options, target, wanted };
  const progress: Progress = { action: null, isStored: false, healed: 0, written: new Set(), left: new Map() };
  const superseded = await supersededCommit(app, target);
  if (superseded !== null) return leaveAll(context, superseded);
  try {
    return await runRounds(context, progress);
  } finally {
    for (const [id, reason] of progress.left) {
      await say(app, options, `left note ${id} of ${target.name}: it has the key ${wanted.key}, but ${reason}`);
    }
  }
};

/** For a job that is not for the newest commit. */
const leaveAll = async (context: Context, reason: string): Promise<UpsertResult> => {
  await say(context.app, context.options, `nothing changed: ${reason}`);
  const { copies: [kept] } = keyNotesOf(await notesOf(context), new Set());
  return { action: 'stale', note: kept?.note ?? null };
};

const runRounds = async (context: Context, progress: Progress): Promise<UpsertResult> => {
  const { app, target, wanted } = context;
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

/**
 * Reads the notes with the key and does one step. Copies are deleted only after the comment that is kept has its text.
 * Null if the state of the notes has to be read again.
 */
const runRound = async (context: Context, progress: Progress): Promise<UpsertResult | null> => {
  const notes = keyNotesOf(await notesOf(context), progress.written);
  for (const { note } of notes.changed) progress.left.set(note.id, 'its text was changed by hand');
  const step = nextStep(context.wanted, notes, progress.isStored);
  if (step.do === 'create') return create(context, progress, step.content);
  const [kept] = notes.copies;
  if (!kept) return resultOf(progress, 'unchanged', notes.changed[0]?.note ?? null);
  if (step.do === 'nothing' && step.reason === 'stale') return resultOf(progress, 'stale', kept.note);
  if (step.do === 'delete') return removeAll(context, progress, notes.copies);
  if (step.do === 'recreate') return recreate(context, progress, notes, step.content);
  if (step.do === 'update') return updateAndHeal(context, progress, notes, step);
  if (kept.isAsWritten === false) return seal(context, kept);
  await heal(context, progress, notes);
  return resultOf(progress, 'unchanged', kept.note);
};

/** Reads the comment back before it deletes the copies. */
const updateAndHeal = async (
  context: Context, progress: Progress, notes: KeyNotes, step: Update,
): Promise<UpsertResult | null> => {
  const { copies } = notes;
  const kept = copies[0]!;
  const result = await update(context, progress, kept, step);
  if (result === null || copies.length === 1 || result.action === 'stale') return result;
  const stored = await reread(context, kept);
  if (stored === null || stored.note.body !== result.note?.body) return null;
  await heal(context, progress, notes);
  return resultOf(progress, 'unchanged', stored.note);
};

type Update = Extract<UpsertStep, { readonly do: 'update' }>;

/** The notes with the key. With a fingerprint the marker is that of a finding. */
const notesOf = async ({ options, target, wanted: { key } }: Context): Promise<MarkedNote[]> => {
  const authors = options.author?.map((author) => author.replace(/^@/, ''));
  const { notes } = await earlierNotes(target, 'comment', authors);
  return notes.filter(({ marker }) => marker['key'] === key && marker['fp'] === undefined);
};

const resultOf = (
  { action, healed, isStored }: Progress, otherwise: 'unchanged' | 'stale', note: Note | null,
): UpsertResult => {
  if (otherwise === 'stale' && !isStored) return { action: 'stale', note };
  if (healed > 0) return { action: 'healed', note };
  return { action: action ?? otherwise, note };
};

const heal = async ({ target }: Context, progress: Progress, { copies, surplus }: KeyNotes): Promise<void> => {
  await target.client.removeNotes(target, surplus);
  progress.healed += surplus.length;
  leave(progress, copies.slice(1).filter((copy) => copy.isAsWritten === null && !surplus.includes(copy)));
};

const leave = ({ left }: Progress, notes: readonly MarkedNote[]): void => {
  for (const { note } of notes) left.set(note.id, 'its marker does not show whether its text was changed by hand');
};

/** A note without a hash in its marker may be one that a person wrote, unless it is the only one. */
const removeAll = async (
  { target }: Context, progress: Progress, copies: readonly MarkedNote[],
): Promise<UpsertResult> => {
  const removed = copies.filter((copy) => copies.length === 1 || copy.isAsWritten !== null);
  leave(progress, copies.filter((copy) => !removed.includes(copy)));
  if (removed.length === 0) return { action: 'unchanged', note: copies[0]!.note };
  progress.action = 'deleted';
  await target.client.removeNotes(target, removed);
  return { action: 'deleted', note: null };
};

/** A run at the same time may have created the comment first; then it still has to get this text. */
const create = async (
  context: Context, progress: Progress, content: Content,
): Promise<UpsertResult | null> => {
  const note = await created(context, progress, content);
  if (!progress.isStored) return null;
  progress.written.add(note.id);
  progress.action ??= 'created';
  return isAsWritten(note.body) === false ? null : resultOf(progress, 'unchanged', note);
};

const created = async (
  { app, options, target, wanted }: Context, progress: Progress, { text, marker, isVisible }: Content,
): Promise<Note> => {
  const input = { ...options, marker, isMarkerVisible: isVisible };
  const add = options.resolvable ? startThread : addComment;
  const { note } = await add(app, input, target, { text: async () => ({ body: text }) });
  const found = readMarker(note.body);
  progress.isStored = (isStoredAs(text, found.text) || found.hash === digestOfText(text))
    && !isHigher(wanted.version, found.marker && versionIn(found.marker));
  return note;
};

/** Adds the comment again, and only then deletes the earlier one, so that there always is one. */
const recreate = async (
  context: Context, progress: Progress, notes: KeyNotes, content: Content,
): Promise<null> => {
  const note = await created(context, progress, content);
  if (!progress.isStored) return null;
  progress.written.add(note.id);
  progress.action = 'updated';
  await context.target.client.removeNotes(context.target, notes.copies.slice(0, 1));
  await heal(context, progress, notes);
  return null;
};

/** Stores the hash of the text that the service made of the text of this run, as it does with `/shrug`. */
const seal = async (context: Context, { note, discussion, text, marker, isVisible }: MarkedNote): Promise<null> => {
  const sealed = await modify(context, { note, discussion }, withMarker(text, marker, { isVisible }));
  if (isAsWritten(sealed.body) !== false) return null;
  throw new Problem('failure', `the service changes the text of note ${note.id} of ${context.target.name} each time: `
    + 'later runs cannot tell it from one that was changed by hand', 'use a simpler text');
};

/** Sends the text. If runs are ordered, the comment is read before and after: the higher version writes again. */
const update = async (
  context: Context, progress: Progress, kept: MarkedNote,
  { content, isSameText, isAnswered = false }: Update,
): Promise<UpsertResult | null> => {
  const { app, options, wanted } = context;
  if (isAnswered) {
    await say(app, options, `note ${kept.note.id} has answers: updating it instead of recreating it`);
  }
  const isOrdered = wanted.version !== null || wanted.mode === 'append';
  if (isOrdered && (await reread(context, kept))?.note.body !== kept.note.body) return null;
  const body = withMarker(content.text, content.marker, { isVisible: content.isVisible });
  const sent = await modify(context, kept, body).catch((error: unknown) => {
    if (isMissing(error)) return null;
    // The next round finds the text if it was stored.
    if (isOutcomeUnknown(error)) noteUpdate(progress, isSameText);
    throw error;
  });
  if (sent === null) return null;
  if (readMarker(sent.body).marker === null) throw lostMarker(context, sent);
  noteUpdate(progress, isSameText);
  progress.isStored = true;
  progress.written.add(kept.note.id);
  if (isAsWritten(sent.body) === false) return null;
  const after = isOrdered ? await reread(context, kept) : null;
  if (after === null) return isOrdered ? null : resultOf(progress, 'unchanged', sent);
  const step = nextStep(wanted, { copies: [after], surplus: [], changed: [] }, true);
  if (step.do !== 'nothing') return null;
  return step.reason === 'stale' ? { action: 'stale', note: after.note } : resultOf(progress, 'unchanged', after.note);
};

const modify = (
  { target: { client, kind, path } }: Context, { note, discussion }: Pick<MarkedNote, 'note' | 'discussion'>,
  body: string,
): Promise<Note> =>
  client.discussions[kind].modifyNote({ ...path, discussion_id: discussion.id, note_id: note.id, body });

/** The comment keeps its text: the next run cannot find it. */
const lostMarker = ({ target: { name } }: Context, { id }: Note): Problem =>
  new Problem('failure', `the service removed the marker from note ${id} of ${name}: later runs will not find it`,
    markerLostHint);

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
    return note ? markedNote({ note, discussion }) : null;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
};
