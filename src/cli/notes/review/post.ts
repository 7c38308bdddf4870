import { ApiError } from '../../../client/errors.js';
import type { Note } from '../../../contract/shapes/note.js';
import type { StartedStep } from '../../changes/journal.js';
import { Problem } from '../../command-line/failure.js';
import { setResolved } from '../../service/targets/threads.js';
import type { Target } from '../../service/targets/target.js';
import { threadState } from '../views/note.js';
import { byText, createReply, createThread } from '../write/new-notes.js';
import {
  createDraft, deleteDraft, isDraftOf, isUnplaced, notInDiff, ownDrafts, findPosted, publishDrafts,
} from './draft-notes.js';
import type { ReviewStep, Writing } from './steps.js';
import { approve, isSummaryPosted, postSummary } from './verdict.js';

export interface Made {
  readonly note?: number;
  readonly draft?: number;
}

export type MadeSteps = ReadonlyMap<number, Made>;

interface StepContext {
  readonly made: MadeSteps;
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
  { made, tried, now }: StepContext,
): Promise<void> => {
  const drafts = await ownDrafts(target);
  const listed = accepted.filter((id) => drafts.some((one) => one.id === id));
  const ids = [...new Set([...madeIds(made, 'draft'), ...listed])];
  await publishDrafts(target, drafts, {
    ids, start: (tried ?? now).getTime(), isRepeated: tried !== null,
    mayBeGone: tried !== null || made.has(number), others: madeIds(made, 'note'),
    review: made.has(number) ? undefined : review,
  });
};

export const madeIds = (made: MadeSteps, kind: keyof Made): ReadonlySet<number> =>
  new Set([...made.values()].flatMap((one) => one[kind] ?? []));

/** Null if the step has made nothing, and for one that can be repeated. */
export const findStep = async (
  target: Target, { step, at }: StartedStep<ReviewStep>, made: MadeSteps, others: readonly number[] = [],
): Promise<Made | null> => {
  if (!('body' in step)) return null;
  if (step.action === 'summary') return await isSummaryPosted(target, step.body, at.getTime()) ? {} : null;
  const known = new Set([...madeIds(made, 'draft'), ...others]);
  const draft = step.action === 'draft'
    && (await ownDrafts(target)).find((one) => !known.has(one.id) && isDraftOf(step, one));
  if (draft) return { draft: draft.id };
  // A reply may have been posted instead of its draft.
  if (step.action === 'draft' && step.thread === null) return null;
  const posted = madeIds(made, 'note');
  const note = (await findPosted(target, step, at.getTime())).find(({ id }) => !posted.has(id));
  return note ? noteMade(note) : null;
};
