import { ApiError, isMissing } from '../../../client/errors.js';
import { contract } from '../../../contract/contract.js';
import type { DraftNote } from '../../../contract/lookups/draft-notes.js';
import type { Note } from '../../../contract/shapes/note.js';
import type { PositionInput } from '../../../contract/shapes/position.js';
import { counted } from '../../../text/messages.js';
import { isQuickActionsOnly } from '../../../wire/note-text.js';
import type { StartedStep } from '../../changes/journal.js';
import { codeOfSeveral, failureOfSeveral, type Failed } from '../../changes/report.js';
import { Problem } from '../../command-line/failure.js';
import { isFinal } from '../../service/connection/batch.js';
import { nullIf, nullIfUnsupported } from '../../service/connection/unsupported.js';
import type { Target } from '../../service/targets/target.js';
import { setResolved } from '../../service/targets/threads.js';
import { threadState } from '../views/note.js';
import { byText, createReply, createThread } from '../write/new-notes.js';
import { type AcceptedDraft, draftLine, type ReviewStep, type Writing } from './steps.js';
import { approve, isRefusal, isSummaryPosted, ownState, postSummary, type ReviewState } from './verdict.js';

export interface Made {
  readonly note?: number;
  readonly draft?: number;
}

export type MadeSteps = ReadonlyMap<number, Made>;

/** The drafts that earlier runs stored, by id. */
export type StoredDrafts = ReadonlyMap<number, StartedStep<ReviewStep & Writing>>;

interface StepContext {
  readonly made: MadeSteps;
  readonly stored: StoredDrafts;
  readonly isPublished: boolean;
  /** A publication of unknown outcome began first at this time. */
  readonly tried: Date | null;
  readonly now: Date;
}

export const sendStep = async (target: Target, step: ReviewStep, sending: StepContext): Promise<Made> => {
  switch (step.action) {
    case 'comment': {
      const { body, position } = step;
      return noteMade((await createThread(target, { body, ...position && { position } }, byText)).note);
    }
    case 'reply': return sendReply(target, step);
    case 'resolve':
      await setResolved(target, step.thread, true);
      return {};
    case 'draft': return sendDraft(target, step, sending);
    case 'publish':
      await publish(target, step, sending);
      return {};
    case 'state': return {};
    case 'summary': return { note: await postSummary(target, step.body) };
    case 'approve':
      await approve(target, step.sha);
      return {};
  }
};

const noteMade = ({ id }: Note): Made => ({ note: id });

const sendReply = async (target: Target, { thread, body }: Writing): Promise<Made> =>
  noteMade((await createReply(target, thread!, { body }, byText)).note);

/** A service that rejects a draft which keeps its thread resolved would reopen it with any other. */
const sendDraft = async (
  target: Target, step: ReviewStep & { readonly action: 'draft' }, { isPublished }: StepContext,
): Promise<Made> => {
  const keeps = step.thread !== null && !step.resolves && await isResolved(target, step.thread);
  try {
    const draft = await createDraft(target, step, step.resolves || keeps);
    if (!isUnplaced(draft)) return { draft: draft.id };
    const isLeft = await deleteDraft(target, draft.id).then(() => false, () => true);
    throw new UnstorableDraft('rejected', notInDiff,
      isLeft ? `delete draft ${draft.id} in the browser: it could not be deleted` : null);
  } catch (error) {
    const mayReopen = keeps && error instanceof ApiError && error.status === 400;
    // A second draft in a thread is rejected too (behavior: drafts.one-reply).
    if (!mayReopen || (await ownDrafts(target)).some((one) => one.discussion_id === step.thread)) throw error;
    if (isPublished) return sendReply(target, step);
    throw new UnstorableDraft('forbidden', 'a draft of this reply would reopen the thread, which you may not resolve',
      'pass --resume --now to post it at once');
  }
};

/** The other drafts can be published without it. */
export class UnstorableDraft extends Problem {}

/** Published drafts resolve or reopen their threads (behavior: drafts.publish-resolves). */
const isResolved = async ({ client, kind, path }: Target, discussion_id: string): Promise<boolean> =>
  threadState(await client.discussions[kind].get({ ...path, discussion_id })) === 'resolved';

/** Drafts that appeared since the question stay drafts. The list may be too old to have those of the review. */
const publish = async (
  target: Target, { number, accepted, review }: ReviewStep & { readonly action: 'publish' },
  { made, stored, tried, now }: StepContext,
): Promise<void> => {
  const drafts = await ownDrafts(target);
  const isListed = (id: number) => drafts.some((one) => one.id === id);
  const at = tried ?? now;
  const known: Map<number, Sent> = new Map(stored);
  for (const draft of accepted) if (typeof draft !== 'number') known.set(draft.id, { step: draft, at });
  const others = new Set(madeIds(made, 'note'));
  const published = new Set<number>();
  if (!made.has(number)) {
    for (const [id, draft] of known) if (!isListed(id) && await isPosted(target, draft, others)) published.add(id);
  }
  const ofEarlier = accepted.filter((draft) => typeof draft === 'number').filter(isListed);
  const all = new Set([...madeIds(made, 'draft'), ...known.keys(), ...ofEarlier]);
  const ids = [...all].filter((id) => !published.has(id));
  await publishDrafts(target, drafts, {
    ids, start: at.getTime(), isRepeated: tried !== null, mayBeGone: made.has(number), others,
    review: made.has(number) ? undefined : review,
  });
};

type Sent = Pick<StartedStep<Writing>, 'step' | 'at'>;

/** Adds its note to those that are known. A draft of quick actions only becomes no note. */
export const isPosted = async (target: Target, { step, at }: Sent, known: Set<number>): Promise<boolean> => {
  if (isQuickActionsOnly(step.body)) return true;
  const notes = await nullIf(findPublished(target, step, at.getTime()), isMissing) ?? [];
  const note = notes.find(({ id }) => !known.has(id));
  if (note) known.add(note.id);
  return note !== undefined;
};

export const madeIds = (made: MadeSteps, kind: keyof Made): ReadonlySet<number> =>
  new Set([...made.values()].flatMap((one) => one[kind] ?? []));

/**
 * Null if the step has made nothing, and for one that can be repeated.
 * @throws Problem for a draft that may be that of the step, with a changed text
 */
export const findStep = async (
  target: Target, { step, at }: StartedStep<ReviewStep>, made: MadeSteps, others: readonly number[] = [],
): Promise<Made | null> => {
  if (!('body' in step)) return null;
  if (step.action === 'summary') return await isSummaryPosted(target, step.body, at.getTime()) ? {} : null;
  const known = new Set([...madeIds(made, 'draft'), ...others]);
  const drafts = step.action === 'draft' ? (await ownDrafts(target)).filter(({ id }) => !known.has(id)) : [];
  const draft = drafts.find((one) => isDraftOf(step, one));
  if (draft) return { draft: draft.id };
  const posted = madeIds(made, 'note');
  const find = step.action === 'draft' ? findPublished : findPosted;
  const note = (await find(target, step, at.getTime())).find(({ id }) => !posted.has(id));
  if (note) return noteMade(note);
  const changed = drafts.find((one) => isPlacedAs(step, one));
  if (!changed) return null;
  throw new Problem('failure', `draft ${changed.id} is in the same place and has another text`,
    'restore the text of the comment in it, or publish or delete it');
};

const draftsPath = ({ path: { id }, ref }: Target) => ({ id, noteable_id: Number(ref.id) });

export const listDrafts = (target: Target): Promise<readonly DraftNote[] | null> =>
  nullIfUnsupported(ownDrafts(target));

export const ownDrafts = (target: Target): Promise<readonly DraftNote[]> =>
  target.client.draftNotes.list(draftsPath(target));

/** With those that were added while a question was open. @throws Problem if one has another text than was shown */
export const listShownDrafts = async (target: Target, shown: readonly DraftNote[]): Promise<readonly DraftNote[]> => {
  const drafts = await listDrafts(target) ?? [];
  const changed = shown.find(({ id, note }) => drafts.some((one) => one.id === id && one.note !== note));
  if (changed === undefined) return drafts;
  throw new Problem('failure', `draft ${changed.id} was changed after it was shown`,
    `read it with \`colloquy discussions drafts ${target.name}\``);
};

export const createDraft = (
  target: Target, { position, thread, body }: Writing, resolves: boolean,
): Promise<DraftNote> => target.client.draftNotes.create({
  ...draftsPath(target), note: body, ...position && { position },
  ...thread !== null && { in_reply_to_discussion_id: thread, resolve_discussion: resolves },
});

export const isDraftOf = (writing: Writing, draft: DraftNote): boolean =>
  draft.note === writing.body && isPlacedAs(writing, draft);

const isPlacedAs = ({ position, thread }: Writing, draft: DraftNote): boolean =>
  draft.discussion_id === thread && placeKey(position) === placeKey(draft.position);

const placeKey = (position: unknown): string => {
  const { old_path, new_path, old_line, new_line } = (position ?? {}) as Readonly<Record<string, unknown>>;
  return JSON.stringify([new_path ?? old_path, old_line, new_line].map((value) => value ?? null));
};

/** Such a draft cannot be published (behavior: drafts.line-code). */
const isUnplaced = ({ position, line_code }: DraftNote): boolean =>
  position.position_type === 'text' && isOnDiff(position) && line_code === null;

const notInDiff = 'cannot be published: its line is not in the diff';

const isOnDiff = ({ old_path, new_path }: DraftNote['position']): boolean => (new_path ?? old_path ?? null) !== null;

/** @param start when the first was sent, by the local clock */
const findPosted = async (
  { client, kind, path }: Target, { position, thread, body }: Writing, start: number,
): Promise<readonly Note[]> => {
  const { create, addNote } = contract.discussions[kind];
  const found = thread === null
    ? await client.findCreated(create, { ...path, body, ...position && { position } }, start)
    : await client.findCreated(addNote, { ...path, discussion_id: thread, body }, start);
  return found.map(({ note }) => note);
};

/** A draft on no line and in no thread may become a comment, or start a thread. */
const findPublished = async (target: Target, writing: Writing, start: number): Promise<readonly Note[]> => {
  const found = await findPosted(target, writing, start);
  const { position, thread, body } = writing;
  if (thread !== null || position !== null) return found;
  const { create } = contract.notes.merge_request;
  const comments = await target.client.findCreated(create, { ...target.path, body }, start);
  return [...found, ...comments.map(({ note }) => note)];
};

interface Publishing {
  readonly ids: readonly number[];
  /** Times are those of the local clock. */
  readonly start: number;
  /** An attempt of unknown outcome may have stored the notes and kept their drafts. */
  readonly isRepeated: boolean;
  /** An earlier attempt, of any outcome, may have published some of them. */
  readonly mayBeGone: boolean;
  /** These notes are not from the drafts. */
  readonly others: Iterable<number>;
  readonly review?: ReviewState | undefined;
  /** That of publishing them together: reported where it is not known whether a note is stored. */
  readonly failure?: ApiError;
}

/**
 * Publishes them together if that publishes no other draft, else one by one.
 * @throws Problem that names each that failed
 */
export const publishDrafts = async (
  target: Target, listed: readonly DraftNote[], publishing: Publishing,
): Promise<void> => {
  const { ids, isRepeated, review, start } = publishing;
  const isTogether = !isRepeated && ids.every((id) => listed.some((one) => one.id === id))
    && listed.every((draft) => ids.includes(draft.id) && !isUnplaced(draft));
  const failure = isTogether ? await publishAll(target, review) : null;
  if (isTogether && !failure) return;
  if (failure) {
    const left = await ownDrafts(target).catch(() => { throw failure; });
    const still = failure.status === 422 ? ids.filter((id) => left.some((one) => one.id === id)) : ids;
    await publishSingly(target, left, { ...publishing, ids: still, isRepeated: true, mayBeGone: true, failure });
  } else await publishSingly(target, listed, publishing);
  if (review) await finishReview(target, review, start);
};

/**
 * @returns a 500: one draft that cannot be published prevents all (behavior: drafts.publish-all-failed), and a 422: the
 * drafts are published, and the summary is rejected (behavior: drafts.review-note)
 */
const publishAll = async (target: Target, review: ReviewState | undefined): Promise<ApiError | null> => {
  const { state = null, summary = null } = review ?? {};
  try {
    await target.client.draftNotes.publishAll({
      ...draftsPath(target), ...state !== null && { reviewer_state: state },
      ...summary !== null && { note: summary },
    });
    return null;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 500 || (review && error.status === 422))) return error;
    throw error;
  }
};

/** After an attempt of which only a part may have been done; no drafts are left. */
const finishReview = async (target: Target, { state, summary }: ReviewState, start: number): Promise<void> => {
  if (summary !== null && !await isSummaryPosted(target, summary, start)) await postSummary(target, summary);
  if (state === null) return;
  const found = await nullIf(ownState(target), isRefusal);
  if (found && (found.state === null || found.state === state)) return;
  if ((await ownDrafts(target)).length > 0) {
    throw new Problem('rejected', 'the comments are out, but setting the state would publish your other drafts',
      'run `colloquy discussions drafts` with --publish or --discard first');
  }
  await target.client.draftNotes.publishAll({ ...draftsPath(target), reviewer_state: state });
};

const publishSingly = async (
  target: Target, drafts: readonly DraftNote[], { ids, others, mayBeGone, ...when }: Publishing,
): Promise<void> => {
  const failed: Failed[] = [];
  const known = new Set(others);
  for (const id of ids) {
    const draft = drafts.find((one) => one.id === id);
    try {
      if (draft && await finishIfPosted(target, draft, when, known)) continue;
      await publishDraft(target, id, draft !== undefined || mayBeGone);
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof Problem) || isFinal(error)) throw error;
      failed.push({ name: draft ? draftLine(draft) : `draft ${id}`, error });
    }
  }
  if (failed.length === 0) return;
  throw failureOfSeveral(codeOfSeveral(failed), `could not publish ${counted(failed.length, 'draft')}`, failed);
};

/** If so, does the rest that publishing it would do. @throws Problem for a draft that cannot be published */
const finishIfPosted = async (
  target: Target, draft: DraftNote,
  { start, isRepeated, failure }: Pick<Publishing, 'start' | 'isRepeated' | 'failure'>, known: Set<number>,
): Promise<boolean> => {
  const posted = isRepeated ? await findPublished(target, writingOf(draft), start).catch((error: unknown) => {
    if (isMissing(error)) throw new Problem('not_found', 'cannot be published: its thread is gone');
    throw failure ?? error;
  }) : [];
  const note = posted.find(({ id }) => !known.has(id));
  if (note) {
    known.add(note.id);
    if (draft.discussion_id !== null && draft.resolve_discussion) await setResolved(target, draft.discussion_id, true);
    await deleteDraft(target, draft.id);
    return true;
  }
  if (isUnplaced(draft)) throw new Problem('rejected', notInDiff);
  return false;
};

const writingOf = ({ note: body, discussion_id: thread, position }: DraftNote): Writing =>
  ({ body, thread, position: isOnDiff(position) ? position as PositionInput : null });

export const acceptedDraft = (draft: DraftNote): AcceptedDraft => ({ id: draft.id, ...writingOf(draft) });

/** @param isSeen whether it was there before, so that one that is gone is published */
const publishDraft = async (target: Target, draft_note_id: number, isSeen: boolean): Promise<void> => {
  try {
    await target.client.draftNotes.publish({ ...draftsPath(target), draft_note_id });
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
    if ((await ownDrafts(target)).some(({ id }) => id === draft_note_id)) throw error;
    if (!isSeen) throw new Problem('not_found', 'was published or deleted by another program');
  }
};

export const deleteDraft = async (target: Target, draft_note_id: number): Promise<void> => {
  await target.client.draftNotes.delete({ ...draftsPath(target), draft_note_id });
};
