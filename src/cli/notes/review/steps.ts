import type { DraftNote } from '../../../contract/lookups/draft-notes.js';
import type { PositionInput } from '../../../contract/shapes/position.js';
import { counted } from '../../../text/messages.js';
import { firstWords } from '../../../text/plain.js';
import { positionOn } from '../position/anchor.js';
import { positionOnFile, positionText } from '../position/position.js';
import type { Shas } from '../position/version.js';
import { shortId } from '../thread-id.js';
import type { Comment } from './comments.js';
import type { ReviewFile } from './page.js';
import { type ReviewState, unsettable, type VerdictPlan, type WantedState } from './verdict.js';

export interface Writing {
  readonly position: PositionInput | null;
  readonly thread: string | null;
  readonly body: string;
}

/** Another draft that is published with the review. */
export type AcceptedDraft = { readonly id: number } & Writing;

type Action =
  | { readonly action: 'comment' | 'reply' } & Writing
  | { readonly action: 'resolve'; readonly thread: string }
  /** Only the user sees it, and the thread is resolved when it is published. */
  | { readonly action: 'draft'; readonly resolves: boolean } & Writing
  /** Earlier versions recorded only the ids of accepted drafts. */
  | {
    readonly action: 'publish';
    readonly accepted: readonly (AcceptedDraft | number)[];
    readonly review?: ReviewState;
  }
  /** Only reads the state of the review after the publication. */
  | { readonly action: 'state' } & WantedState
  | { readonly action: 'summary'; readonly body: string }
  /** Null for any head. */
  | { readonly action: 'approve'; readonly sha: string | null };

export type ReviewStep = { readonly number: number } & Action;

/** A thread is resolved after the reply to it. */
export const postSteps = (comments: readonly Comment[], shas: Shas): ReviewStep[] =>
  numbered(comments.flatMap((comment) => [...written(comment, shas), ...resolved(comment)]));

/** @param accepted other drafts that are published too; null to leave all drafts unpublished */
export const draftSteps = (
  comments: readonly Comment[], shas: Shas, accepted: readonly AcceptedDraft[] | null,
): ReviewStep[] => {
  const drafts = comments.flatMap((comment) => written(comment, shas).map((writing): Action =>
    ({ ...writing, action: 'draft', resolves: comment.on === 'thread' && comment.resolves })));
  const publish: readonly Action[] = drafts.length > 0 && accepted ? [{ action: 'publish', accepted }] : [];
  return numbered([...drafts, ...publish, ...comments.filter(({ body }) => body === '').flatMap(resolved)]);
};

/** The state and the summary go with the publication, which needs no drafts; an approval is last. */
export const withVerdictSteps = (
  steps: readonly ReviewStep[], { review, wanted, summary, approves }: VerdictPlan,
  { sha, accepted }: { readonly sha: string | null; readonly accepted: readonly AcceptedDraft[] },
): ReviewStep[] => {
  const isPublished = steps.some(({ action }) => action === 'publish');
  const actions: readonly Action[] = review === null || isPublished ? steps
    : [...steps, { action: 'publish', accepted }];
  return numbered([
    ...actions.map((one) => one.action === 'publish' && review !== null ? { ...one, review } : one),
    ...wanted === null ? [] : [{ action: 'state', ...wanted } as const],
    ...summary === null ? [] : [{ action: 'summary', body: summary } as const],
    ...approves ? [{ action: 'approve', sha } as const] : [],
  ]);
};

/** Steps that would store drafts become ones that post at once. */
export const postedSteps = (steps: readonly ReviewStep[], isUnmade: (step: ReviewStep) => boolean): ReviewStep[] => {
  const all: ReviewStep[] = [];
  let next = nextNumber(steps);
  for (const step of steps) {
    if (step.action !== 'draft' || !isUnmade(step)) {
      all.push(step);
      continue;
    }
    const { resolves, ...writing } = step;
    const { thread } = writing;
    all.push({ ...writing, action: thread === null ? 'comment' : 'reply' });
    if (thread !== null && resolves) all.push({ number: next++, action: 'resolve', thread });
  }
  return all.some(({ action }) => action === 'draft') ? all
    : all.filter((step) => step.action !== 'publish' || step.review !== undefined);
};

export const doesResolve = (step: ReviewStep): boolean =>
  step.action === 'resolve' || (step.action === 'draft' && step.resolves);

export const withoutResolving = (steps: readonly ReviewStep[], left: ReadonlySet<string>): ReviewStep[] =>
  steps.flatMap((step): ReviewStep[] => {
    if (step.action === 'resolve') return left.has(step.thread) ? [] : [step];
    return [step.action === 'draft' && left.has(step.thread ?? '') ? { ...step, resolves: false } : step];
  });

/** Steps to repeat get new numbers, so that the journal does not count them as done. */
export const renumbered = (steps: readonly ReviewStep[], isAgain: (step: ReviewStep) => boolean): ReviewStep[] => {
  let next = nextNumber(steps);
  return steps.map((step) => isAgain(step) ? { ...step, number: next++ } : step);
};

const nextNumber = (steps: readonly ReviewStep[]): number => Math.max(...steps.map(({ number }) => number)) + 1;

const numbered = (actions: readonly Action[]): ReviewStep[] => actions.map((action, number) => ({ ...action, number }));

const written = (comment: Comment, shas: Shas): (Action & Writing)[] => {
  const { body } = comment;
  const at = (position: PositionInput | null): (Action & Writing)[] =>
    [{ action: 'comment', thread: null, position, body }];
  switch (comment.on) {
    case 'verdict': case 'summary': return [];
    case 'request': return at(null);
    case 'file': return at(positionOnFile({ ...shas, ...pathsOf(comment.file) }));
    case 'lines': return at(positionOn({ shas, paths: pathsOf(comment.file) }, comment.first, comment.last));
    case 'thread': return body === '' ? [] : [{ action: 'reply', thread: comment.thread, position: null, body }];
  }
};

const resolved = (comment: Comment): Action[] =>
  comment.on === 'thread' && comment.resolves ? [{ action: 'resolve', thread: comment.thread }] : [];

const pathsOf = ({ old_path, new_path }: ReviewFile) => ({ old_path, new_path });

export const stepName = (step: ReviewStep): string => {
  if (step.action === 'publish') return 'publish the review';
  if (step.action === 'state') return 'read the state of your review';
  if (step.action === 'summary') return 'post the summary';
  if (step.action === 'approve') return 'approve the merge request';
  if (step.action === 'resolve') return `resolve thread ${shortId(step.thread)}`;
  if (step.thread !== null) return `reply to thread ${shortId(step.thread)}`;
  return step.position === null ? 'comment on the merge request' : `comment on ${positionText(step.position)}`;
};

export const draftPlace = (position: DraftNote['position']): string =>
  position.new_path === null ? '' : positionText(position);

export const draftLine = ({ position, note, discussion_id, resolve_discussion }: DraftNote): string => {
  const resolves = resolve_discussion && discussion_id !== null ? ` (resolves thread ${shortId(discussion_id)})` : '';
  return `${draftPlace(position)} ${firstWords(note)}`.trim() + resolves;
};

export const stepLines = (steps: readonly ReviewStep[]): string[] => steps.flatMap((step) => {
  if (step.action === 'publish') return reviewLines(step.review);
  if (step.action === 'state') return step.reason === null ? [] : [`warning: ${unsettable(step.reason)}`];
  if (step.action === 'summary') return reviewLines({ state: null, summary: step.body });
  if (step.action === 'resolve' || step.action === 'approve') return [stepName(step)];
  const resolves = step.action === 'draft' && step.resolves ? ', and resolve it' : '';
  return [`${stepName(step)}${resolves}: ${firstWords(step.body)}`];
});

const noReview: ReviewState = { summary: null, state: null };

const reviewLines = ({ summary, state }: ReviewState = noReview): string[] => [
  ...summary === null ? [] : [`summary: ${firstWords(summary)}`],
  ...state === null ? [] : [`state of your review: ${state}`],
];

/** @param isDone for `posted 2 comments`, not `post 2 comments` */
export const reviewSummary = (steps: readonly ReviewStep[], isDone = false): string => {
  const verb = (name: Verb) => isDone ? verbs[name] : name;
  const comments = steps.filter((step) => 'body' in step && step.action !== 'summary').length;
  const threads = steps.filter(doesResolve).length;
  const isKept = steps.some(({ action }) => action === 'draft') && !steps.some(({ action }) => action === 'publish');
  return [
    ...comments > 0 ? [isKept ? `${verb('store')} ${counted(comments, 'draft')}`
      : `${verb('post')} ${counted(comments, 'comment')}`] : [],
    ...threads > 0 && !isKept ? [`${verb('resolve')} ${counted(threads, 'thread')}`] : [],
    ...verdictParts(steps, verb, isDone),
  ].join(' and ');
};

const verbs = {
  store: 'stored', post: 'posted', resolve: 'resolved', approve: 'approved',
} as const;
type Verb = keyof typeof verbs;

/** Whether the state was set is not known here: the step that reads it says so. */
const verdictParts = (
  steps: readonly ReviewStep[], verb: (name: Verb) => string, isDone: boolean,
): string[] => steps.flatMap((step) => {
  if (step.action === 'approve') return [`${verb('approve')} it`];
  if (step.action === 'summary') return [`${verb('post')} a summary`];
  const { summary, state } = step.action === 'publish' ? step.review ?? noReview : noReview;
  return [
    ...summary === null ? [] : [`${verb('post')} a summary`],
    ...state === null || isDone ? [] : [state === 'reviewed' ? 'mark it as reviewed' : 'request changes'],
  ];
});
