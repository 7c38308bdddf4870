import type { PositionInput } from '../../../contract/shapes/position.js';
import { counted } from '../../../text/messages.js';
import { firstWords } from '../../../text/plain.js';
import { positionOn } from '../position/anchor.js';
import { positionOnFile, positionText } from '../position/position.js';
import type { Shas } from '../position/version.js';
import type { Comment } from './comments.js';
import type { ReviewFile } from './page.js';

export interface Writing {
  readonly position: PositionInput | null;
  readonly thread: string | null;
  readonly body: string;
}

type Action =
  | { readonly action: 'comment' | 'reply' } & Writing
  | { readonly action: 'resolve'; readonly thread: string }
  /** Only the user sees it, and the thread is resolved when it is published. */
  | { readonly action: 'draft'; readonly resolves: boolean } & Writing
  /** Also publishes other drafts that the user accepted. */
  | { readonly action: 'publish'; readonly accepted: readonly number[] };

export type ReviewStep = { readonly number: number } & Action;

/** A thread is resolved after the reply to it. */
export const postSteps = (comments: readonly Comment[], shas: Shas): ReviewStep[] =>
  numbered(comments.flatMap((comment) => [...written(comment, shas), ...resolved(comment)]));

/** @param accepted other drafts that are published too; null to leave all drafts unpublished */
export const draftSteps = (
  comments: readonly Comment[], shas: Shas, accepted: readonly number[] | null,
): ReviewStep[] => {
  const drafts = comments.flatMap((comment) => written(comment, shas).map((writing): Action =>
    ({ ...writing, action: 'draft', resolves: comment.on === 'thread' && comment.resolves })));
  const publish: readonly Action[] = drafts.length > 0 && accepted ? [{ action: 'publish', accepted }] : [];
  return numbered([...drafts, ...publish, ...comments.filter(({ body }) => body === '').flatMap(resolved)]);
};

/** Steps that would store drafts become ones that post at once. */
export const postedSteps = (steps: readonly ReviewStep[], isUnmade: (step: ReviewStep) => boolean): ReviewStep[] => {
  const all: ReviewStep[] = [];
  let next = Math.max(...steps.map(({ number }) => number)) + 1;
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
  return all.some(({ action }) => action === 'draft') ? all : all.filter(({ action }) => action !== 'publish');
};

const numbered = (actions: readonly Action[]): ReviewStep[] => actions.map((action, number) => ({ number, ...action }));

const written = (comment: Comment, shas: Shas): (Action & Writing)[] => {
  const { body } = comment;
  switch (comment.on) {
    case 'request': return [{ action: 'comment', thread: null, position: null, body }];
    case 'file': {
      const position = positionOnFile({ ...shas, ...pathsOf(comment.file) });
      return [{ action: 'comment', thread: null, position, body }];
    }
    case 'lines': {
      const position = positionOn({ shas, paths: pathsOf(comment.file) }, comment.first, comment.last);
      return [{ action: 'comment', thread: null, position, body }];
    }
    case 'thread': return body === '' ? [] : [{ action: 'reply', thread: comment.thread, position: null, body }];
  }
};

const resolved = (comment: Comment): Action[] =>
  comment.on === 'thread' && comment.resolves ? [{ action: 'resolve', thread: comment.thread }] : [];

const pathsOf = ({ old_path, new_path }: ReviewFile) => ({ old_path, new_path });

export const stepName = (step: ReviewStep): string => {
  if (step.action === 'publish') return 'publish the comments';
  if (step.action === 'resolve') return `resolve thread ${step.thread.slice(0, 8)}`;
  if (step.thread !== null) return `reply to thread ${step.thread.slice(0, 8)}`;
  return step.position === null ? 'comment on the merge request' : `comment on ${positionText(step.position)}`;
};

export const stepLines = (steps: readonly ReviewStep[]): string[] => steps.flatMap((step) => {
  if (step.action === 'publish') return [];
  if (step.action === 'resolve') return [stepName(step)];
  const resolves = step.action === 'draft' && step.resolves ? ', and resolve it' : '';
  return [`${stepName(step)}${resolves}: ${firstWords(step.body)}`];
});

export const reviewSummary = (steps: readonly ReviewStep[]): string => {
  const comments = steps.filter((step) => 'body' in step).length;
  const threads = steps.filter((step) =>
    step.action === 'resolve' || (step.action === 'draft' && step.resolves)).length;
  const isKept = steps.some(({ action }) => action === 'draft') && !steps.some(({ action }) => action === 'publish');
  return [
    ...comments > 0 ? [isKept ? `store ${counted(comments, 'draft')}` : `post ${counted(comments, 'comment')}`] : [],
    ...threads > 0 && !isKept ? [`resolve ${counted(threads, 'thread')}`] : [],
  ].join(' and ');
};
