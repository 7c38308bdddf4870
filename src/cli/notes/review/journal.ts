import type { App } from '../../app.js';
import { openJournal, type StepJournal } from '../../changes/journal.js';
import { recordedSteps, type StartedStep, type StepEntry } from '../../changes/recorded.js';
import type { Destination } from '../../service/targets/target.js';
import type { Shas } from '../position/version.js';
import type { Review } from './page.js';
import type { Made, MadeSteps } from './post.js';
import type { ReviewStep } from './steps.js';

export const reviewCommand = 'discussions review';

export interface ReviewHead {
  readonly version: 1;
  readonly command: typeof reviewCommand;
  readonly review: Review;
  readonly shas: Shas;
  /** The file of the editor. */
  readonly page: string;
}

type Entry = StepEntry<ReviewStep, Made> | { readonly type: 'accepted'; readonly steps: readonly ReviewStep[] };

export interface RecordedReview {
  readonly head: ReviewHead;
  /** Null if the review was not accepted yet. */
  readonly accepted: AcceptedReview | null;
}

export interface AcceptedReview {
  readonly steps: readonly ReviewStep[];
  /** By the number of the step. */
  readonly done: MadeSteps;
  /** Those of unknown outcome, each with the time of its first attempt. */
  readonly open: ReadonlyMap<number, StartedStep<ReviewStep>>;
}

export type ReviewJournal = StepJournal<ReviewHead, Entry>;

/** Of one merge request. */
export const openReviewJournal = async (
  app: App, { settings, ref, container, name }: Destination,
): Promise<ReviewJournal> => openJournal<ReviewHead, Entry>(app, {
  area: 'reviews', key: [ref.base ?? settings.url?.href ?? '', container, name], isHead,
  hint: 'remove that file, and run the command again',
});

const isHead = (value: unknown): value is ReviewHead => {
  const head = value as Partial<ReviewHead> | null;
  return head?.version === 1 && head.command === reviewCommand;
};

export const readRecorded = async (journal: ReviewJournal): Promise<RecordedReview | null> => {
  const recorded = await journal.read();
  if (!recorded) return null;
  const done = new Map<number, Made>();
  const open = new Map<number, StartedStep<ReviewStep>>();
  let steps: readonly ReviewStep[] | null = null;
  for (const item of recordedSteps(recorded.entries)) {
    if (item.type === 'accepted') steps = item.steps;
    else {
      const { number } = item.step;
      const at = open.get(number)?.at ?? item.at;
      open.delete(number);
      if (item.status === 'done') done.set(number, item.created ?? {});
      else if (item.status === 'open') open.set(number, { ...item, at });
    }
  }
  return { head: recorded.head, accepted: steps && { steps, done, open } };
};
