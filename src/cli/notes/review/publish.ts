import * as Type from '@sinclair/typebox';
import { nullable } from '../../../contract/shapes/scalars.js';
import { plainLine } from '../../../text/plain.js';
import { isObject } from '../../../wire/json.js';
import type { App } from '../../app.js';
import {
  isEntryOfStep, looks, makeRecorded, openJournal, recordedSteps, search, type StartedStep, type StepEntry,
  type StepJournal,
} from '../../changes/journal.js';
import { type ChangedRecord, recordChanger } from '../../changes/run.js';
import { failureOf, messageAlone, Problem, usage } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { DryRun } from '../../service/connection/dry-run.js';
import type { Destination, Target } from '../../service/targets/target.js';
import type { View } from '../../terminal/output/view.js';
import { positionText } from '../position/position.js';
import type { Shas } from '../position/version.js';
import { shortId, threadName } from '../thread-id.js';
import { notePage } from '../views/note.js';
import type { Review } from './page.js';
import {
  madeIds, findStep, isPosted, type Made, type MadeSteps, ownDrafts, sendStep, type StoredDrafts, UnstorableDraft,
} from './post.js';
import { type ReviewStep, stepName, type Writing } from './steps.js';
import { foundState, isRefusal, isSummaryPosted, type WantedState } from './verdict.js';
import { currentUser, nullIf } from '../../service/connection/unsupported.js';

export const reviewCommand = 'discussions review';

export interface ReviewHead {
  readonly version: 1;
  readonly command: typeof reviewCommand;
  /** Null if the service does not say whose the token is. Earlier versions did not record it. */
  readonly user?: Reviewer | null;
  readonly review: Review;
  readonly shas: Shas;
  readonly page: string;
}

export interface ReviewPlan {
  readonly steps: readonly ReviewStep[];
  /** The user's drafts that are not from the review. Earlier versions did not record them. */
  readonly others?: readonly number[] | undefined;
}

type Entry = StepEntry<ReviewStep, Made> | { readonly type: 'accepted' } & ReviewPlan;

interface Reviewer { readonly id: number; readonly username: string }

export const reviewerOf = async ({ client }: Target): Promise<Reviewer | null> => {
  const user = await nullIf(currentUser(client), isRefusal);
  return user && { id: user.id, username: user.username };
};

/** @throws Problem for the review of another user, whose text would be posted under this one's name */
export const checkReviewer = async ({ user }: ReviewHead, target: Target): Promise<void> => {
  if (user === undefined) return;
  const owner = await reviewerOf(target);
  if (user?.id === owner?.id) return;
  const nameIn = (one: Reviewer | null) => one === null ? 'of an unknown user' : `@${plainLine(one.username)}'s`;
  throw usage(`the unfinished review of ${target.name} is ${nameIn(user)}, and this token is ${nameIn(owner)}`,
    'use the token of that user, or pass --discard to give up the review');
};

export interface RecordedReview {
  readonly head: ReviewHead;
  readonly accepted: AcceptedReview | null;
}

export interface AcceptedReview extends ReviewPlan {
  readonly done: MadeSteps;
  /** Steps of unknown outcome by number, each with the time of its first attempt. */
  readonly open: ReadonlyMap<number, StartedStep<ReviewStep>>;
  readonly stored: StoredDrafts;
}

/** Of a review whose first step is still to be sent. */
export const nothingSent = { done: new Map(), open: new Map(), stored: new Map() } as const;

export type ReviewJournal = StepJournal<ReviewHead, Entry>;

export const openReviewJournal = async (
  app: App, { settings, ref, container, name }: Destination,
): Promise<ReviewJournal> => openJournal<ReviewHead, Entry>(app, {
  area: 'reviews', key: [ref.base ?? settings.url?.href ?? '', container.toLowerCase(), name], isHead, isEntry,
  hint: 'remove that file, and run the command again',
});

const isHead = (value: unknown): value is ReviewHead => {
  const head = value as Partial<ReviewHead> | null;
  return head?.version === 1 && head.command === reviewCommand;
};

const isEntry = (value: unknown): value is Entry => isObject(value)
  && (value['type'] === 'accepted' ? Array.isArray(value['steps']) : isEntryOfStep(value, 'number'));

export const readRecorded = async (journal: ReviewJournal): Promise<RecordedReview | null> => {
  const recorded = await journal.read();
  if (!recorded) return null;
  const done = new Map<number, Made>();
  const open = new Map<number, StartedStep<ReviewStep>>();
  const stored = new Map<number, StartedStep<ReviewStep & Writing>>();
  let plan: ReviewPlan | null = null;
  for (const item of recordedSteps(recorded.entries)) {
    if (item.type === 'accepted') plan = item;
    else {
      const { step, created = {} } = item;
      const { number } = step;
      const at = open.get(number)?.at ?? item.at;
      open.delete(number);
      if (item.status === 'open') open.set(number, { ...item, at });
      if (item.status !== 'done') continue;
      done.set(number, created);
      if (step.action === 'draft' && created.draft !== undefined) stored.set(created.draft, { ...item, step, at });
    }
  }
  return { head: recorded.head, accepted: plan && withSteps({ ...plan, done, open, stored }, plan.steps) };
};

/** Leaves out the results of steps that the review no longer has. */
export const withSteps = (accepted: AcceptedReview, steps: readonly ReviewStep[]): AcceptedReview => {
  const numbers = new Set(steps.map(({ number }) => number));
  return {
    ...accepted, steps, done: new Map([...accepted.done].filter(([number]) => numbers.has(number))),
    stored: new Map([...accepted.stored].filter(([, { step }]) => numbers.has(step.number))),
  };
};

/** Stored drafts that are neither on the service nor posted. */
export const lostDrafts = async (target: Target, { done, stored }: AcceptedReview): Promise<ReadonlySet<number>> => {
  const drafts = stored.size > 0 ? await ownDrafts(target) : [];
  const known = new Set(madeIds(done, 'note'));
  const lost = new Set<number>();
  for (const [id, draft] of stored) {
    if (!drafts.some((one) => one.id === id) && !await isPosted(target, draft, known)) lost.add(id);
  }
  return lost;
};

/** An agent cannot continue a review: one that was rejected is removed, also if only its approval is in doubt. */
export const isGivenUp = async (
  { agent }: App, { sandbox }: GlobalFlags, journal: ReviewJournal,
): Promise<boolean> => {
  if (sandbox) return true;
  const open = agent && (await readRecorded(journal))?.accepted?.open;
  return open !== undefined && [...open.values()].every(({ step }) => step.action === 'approve');
};

export const resumeHint = (name: string): string =>
  `run \`colloquy ${reviewCommand} ${name} --resume\` to continue it, or --discard to give it up`;

export const withResumeHint = (error: Error, resume: string): Error => {
  const failure = failureOf(error);
  if (!failure || failure.code === 'interrupted') return error;
  const { hint, jobHint } = failure;
  const hints = {
    hint: hint === null ? resume : `${hint}\n${resume}`, jobHint: jobHint === null ? null : `${jobHint}\n${resume}`,
  };
  return new Problem(failure.code, messageAlone(failure), hints, { cause: error });
};

const StepRecord = Type.Object({
  action: Type.String({ description: 'comment, reply, resolve, draft, publish, state, summary or approve' }),
  place: Type.String({ description: 'line or file of the diff' }),
  discussion_id: nullable(Type.String({ description: 'thread that is replied to or resolved' })),
  note_id: nullable(Type.Integer({ description: 'new note' })),
  draft_note_id: nullable(Type.Integer({ description: 'new draft note' })),
  reviewer_state: nullable(Type.String({ description: 'state of your review, which was read after the publication' })),
  warning: nullable(Type.String({ description: 'why the review does not have the state of the verdict' })),
});
type StepRecord = Type.Static<typeof StepRecord>;

export const reviewView: View<StepRecord> = {
  columns: [
    { name: 'action', cell: ({ action }) => action, tone: () => 'strong' },
    { name: 'place', cell: ({ place }) => place, minWidth: 12, keep: 'end' },
    { name: 'thread', cell: ({ discussion_id }, { isTerminal }) =>
      isTerminal ? shortId(discussion_id ?? '') : discussion_id ?? '' },
    {
      name: 'note', cell: ({ note_id }) => String(note_id ?? ''),
      link: ({ note_id }, display) => notePage(note_id ?? undefined, display),
    },
    { name: 'draft', cell: ({ draft_note_id }) => String(draft_note_id ?? ''), hideOrder: 1 },
    { name: 'state', cell: ({ reviewer_state }) => reviewer_state ?? '', hideOrder: 2 },
  ],
  id: ({ note_id, draft_note_id }) => String(note_id ?? draft_note_id ?? ''),
  shape: StepRecord,
  emptyText: 'nothing was posted',
};

interface ReviewTarget {
  readonly target: Target;
  readonly journal: ReviewJournal;
}

/** @throws Problem for an unavailable format or field, before any request */
export const reviewPublisher = (app: App, flags: GlobalFlags) => {
  const change = recordChanger(app, flags, reviewView, true);
  /** @returns null if all are made */
  return async ({ target, journal }: ReviewTarget, accepted: AcceptedReview): Promise<Error | null> => {
    const { steps, others, done, open, stored } = accepted;
    const made = new Map(done);
    const failed = new Map<ReviewStep, unknown>();
    const isPublished = steps.some(({ action }) => action === 'publish');
    const make = async (step: ReviewStep): Promise<ChangedRecord<StepRecord> | null> => {
      if (step.action === 'state') return flags.dryRun || !isOut(steps, made) ? null : stateRecord(target, step);
      checkEarlier(step, failed);
      try {
        const result = await makeOnce(
          { app, target, journal, made, stored, others, isPublished }, step, open.get(step.number));
        made.set(step.number, result);
        if (result.draft !== undefined) app.agent?.drafts.add(result.draft);
        return stepRecord(app, target, step, result);
      } catch (error) {
        if (!(error instanceof DryRun)) failed.set(step, error);
        throw error;
      }
    };
    const { failure } = await change({
      steps: unmadeSteps(steps, done), name: stepName, make,
      progress: (number, count) => `posting ${number} of ${count} …`,
    });
    return failure instanceof UnstorableDraft ? withName(failure, failed) : failure;
  };
};

const withName = (error: UnstorableDraft, failed: ReadonlyMap<ReviewStep, unknown>): Problem => {
  const [step] = [...failed].find(([, one]) => one === error) ?? [];
  return step ? new Problem(error.code, `${stepName(step)}: ${error.message}`, error.hint) : error;
};

/** Drafts that are stored later are published, too. */
const unmadeSteps = (steps: readonly ReviewStep[], done: MadeSteps): readonly ReviewStep[] => {
  const isUnmade = ({ number }: ReviewStep) => !done.has(number);
  const hasDrafts = steps.some((step) => step.action === 'draft' && isUnmade(step));
  return steps.filter((step) => isUnmade(step) || (step.action === 'publish' && hasDrafts));
};

/** Only then is the state what the review made of it. */
const isOut = (steps: readonly ReviewStep[], made: MadeSteps): boolean =>
  steps.every(({ action, number }) => action !== 'publish' || made.has(number));

const stateRecord = async (target: Target, wanted: WantedState): Promise<ChangedRecord<StepRecord>> => {
  const found = await foundState(target, wanted);
  const { warning } = found;
  const message = warning === null ? `set the state of your review: ${wanted.state}` : `warning: ${warning}`;
  return { message, address: null, record: { ...nothingMade, action: 'state', ...found } };
};

const checkEarlier = (step: ReviewStep, failed: ReadonlyMap<ReviewStep, unknown>): void => {
  const isNeeded = ([{ action }, error]: [ReviewStep, unknown]) =>
    action === 'draft' && !(error instanceof UnstorableDraft);
  if (step.action === 'publish' && [...failed].some(isNeeded)) {
    throw new Problem('failure', 'not all comments could be stored, so none is published');
  }
  if ((step.action === 'approve' || step.action === 'summary') && failed.size > 0) {
    throw new Problem('failure', 'not all comments are out');
  }
  if (step.action === 'resolve' && [...failed.keys()].some((one) => 'thread' in one && one.thread === step.thread)) {
    throw new Problem('failure', 'the reply to it was not posted');
  }
};

interface Making extends ReviewTarget {
  readonly app: App;
  readonly made: MadeSteps;
  readonly stored: StoredDrafts;
  readonly others: readonly number[] | undefined;
  readonly isPublished: boolean;
}

const makeOnce = async (
  { app, target, journal, made, stored, others, isPublished }: Making, step: ReviewStep,
  open: StartedStep<ReviewStep> | undefined,
): Promise<Made> => {
  const find = async (started: StartedStep<ReviewStep>) => {
    const found = await findStep(target, started, made, others);
    return found && { created: found };
  };
  // A service may still store what was sent shortly before the program was stopped.
  const earlier = open && 'body' in open.step && await search(app, isRecent(app, open), () => find(open));
  if (earlier) {
    await journal.add({ type: 'done', created: earlier.created });
    return earlier.created;
  }
  if (open && step.action === 'publish' && isRecent(app, open)) await waitUntilPublished(app, target, made, open);
  const sending = { made, stored, isPublished, tried: open?.at ?? null, now: app.now() };
  const send = (one: ReviewStep) => sendStep(target, one, sending);
  return await makeRecorded(app, journal, step, { send, find }).catch(async (error: unknown) => {
    if (error instanceof UnstorableDraft) await journal.add({ type: 'rejected' });
    throw error;
  }) ?? {};
};

/** A service may still be publishing: published again, drafts and summary would be notes twice. */
const waitUntilPublished = async (
  app: App, target: Target, made: MadeSteps, { step, at }: StartedStep<ReviewStep>,
): Promise<void> => {
  const drafts = madeIds(made, 'draft');
  const summary = step.action === 'publish' ? step.review?.summary ?? null : null;
  for (const wait of looks) {
    if (wait > 0) await app.sleep(wait);
    const isLeft = (await ownDrafts(target)).some(({ id }) => drafts.has(id));
    if (!isLeft && (summary === null || await isSummaryPosted(target, summary, at.getTime()))) return;
  }
};

const isRecent = (app: App, { at }: StartedStep<ReviewStep>): boolean =>
  app.now().getTime() - at.getTime() < longestWrite;

/** In milliseconds; no service continues an older request. */
const longestWrite = 60_000;

const stepRecord = (app: App, target: Target, step: ReviewStep, made: Made): ChangedRecord<StepRecord> => ({
  message: stepMessage(app, step, made),
  address: notePage(made.note, target),
  record: {
    ...nothingMade, action: step.action, place: 'position' in step ? positionText(step.position) : '',
    discussion_id: 'thread' in step ? step.thread : null, note_id: made.note ?? null, draft_note_id: made.draft ?? null,
  },
});

const nothingMade = {
  place: '', discussion_id: null, note_id: null, draft_note_id: null, reviewer_state: null, warning: null,
} as const;

const stepMessage = (app: App, step: ReviewStep, { note, draft }: Made): string => {
  switch (step.action) {
    case 'publish': return 'published the review';
    case 'summary': return 'posted the summary';
    case 'approve': return 'approved the merge request';
    case 'resolve': return `resolved ${threadName(app, step.thread)}`;
    default: return `${draft === undefined ? `posted note ${note}` : `stored draft ${draft}`}: ${stepName(step)}`;
  }
};
