import { type Command, Option } from 'commander';
import { ApiError } from '../../../client/errors.js';
import { contract } from '../../../contract/contract.js';
import { hasSince, versionPattern, versions } from '../../../contract/conventions.js';
import { plainLine } from '../../../text/plain.js';
import type { App } from '../../app.js';
import { inGroup } from '../../command-line/command.js';
import { failureOf, messageAlone, Problem, usage } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { mergeRequestPath, type Target } from '../../service/targets/target.js';
import { byText, createComment } from '../write/new-notes.js';
import type { Purpose } from '../write/drafts.js';
import { type BodyFlags, readNoteText, removeDrafts } from '../write/note-text.js';
import { currentUser, nullIf } from '../../service/connection/unsupported.js';

const verdicts = ['request-changes', 'reviewed', 'approve'] as const;
type VerdictWord = (typeof verdicts)[number];

export const isVerdict = (word: string): word is VerdictWord => (verdicts as readonly string[]).includes(word);

export interface Verdict {
  readonly verdict: VerdictWord | null;
  readonly summary: string | null;
}

/** What `bulk_publish` does besides publishing drafts (behavior: drafts.review). */
export interface ReviewState {
  readonly state: 'requested_changes' | 'reviewed' | null;
  readonly summary: string | null;
}

export interface VerdictFlags {
  readonly verdict?: VerdictWord;
  readonly summary?: string;
  readonly recover?: boolean;
}

export interface GivenVerdict extends Verdict {
  /** Must be called once a journal or a page has the summary. A failure before that leaves it to `--recover`. */
  readonly recorded: () => Promise<void>;
}

export const withVerdict = (command: Command): Command => inGroup('Verdict:', command, (own) => own
  .addOption(new Option('--verdict <verdict>', 'your verdict, sent after the comments').choices(verdicts))
  .option('--summary <text>', 'comment on the whole merge request, posted after the others; - for standard input')
  .option('--recover', 'use the saved summary of an earlier call that failed'));

/** A summary from standard input is saved, as other texts are. @throws Problem for an empty one */
export const verdictFrom = async (
  app: App, flags: GlobalFlags & VerdictFlags, purpose: Purpose,
): Promise<GivenVerdict> => {
  const { verdict = null, summary, recover } = flags;
  const isGiven = summary !== undefined;
  if (isGiven && recover) throw usage('--summary and --recover cannot be combined', 'use only one of them');
  if (!isGiven && !recover) return { verdict, summary: null, recorded: async () => undefined };
  const given = await readNoteText(app, { ...flags, ...sourceOf(summary), mayBeEmpty: true }, purpose);
  const text = given.body?.trim() ?? '';
  if (text === '') throw usage('the summary is empty', 'pass a text with --summary, or leave it out');
  return { verdict, summary: text, recorded: () => removeDrafts(app, flags, given) };
};

const sourceOf = (summary: string | undefined): BodyFlags =>
  summary === undefined ? {} : summary === '-' ? { bodyFile: '-' } : { message: [summary] };

export const hasVerdict = ({ verdict, summary }: Verdict): boolean => verdict !== null || summary !== null;

const states = { 'request-changes': 'requested_changes', reviewed: 'reviewed', approve: null } as const;

/** The state that a review is to have, and why it cannot be set; null if it can be. */
export interface WantedState {
  readonly state: NonNullable<ReviewState['state']>;
  readonly reason: string | null;
}

export interface VerdictPlan {
  /** Goes with the publication of the drafts; null where the service has none of it. */
  readonly review: ReviewState | null;
  /** Is read back after the publication. */
  readonly wanted: WantedState | null;
  /** Is posted as a comment of its own. */
  readonly summary: string | null;
  readonly approves: boolean;
}

/** @param keepsOthers drafts would be published with the state */
export const planVerdict = async (
  { client }: Target, { verdict, summary }: Verdict,
  { hasDrafts, keepsOthers }: { readonly hasDrafts: boolean; readonly keepsOthers: boolean },
): Promise<VerdictPlan> => {
  const state = verdict && states[verdict];
  const approves = verdict === 'approve';
  if (state === null && summary === null) return { review: null, wanted: null, summary, approves };
  const version = hasDrafts && !keepsOthers ? await versionOf(client) : null;
  const reason = !hasDrafts ? 'the service has no draft notes'
    : keepsOthers ? 'that would publish your other drafts'
    : version !== null && !hasSince(version, versions.reviews)
      ? `the service is of version ${version}, older than ${versions.reviews}` : null;
  const wanted = state && { state, reason };
  if (reason !== null) return { review: null, wanted, summary, approves };
  // An older service would lose the summary (behavior: drafts.review-ignored).
  if (version === null) return { review: state && { state, summary: null }, wanted, summary, approves };
  return { review: { state, summary }, wanted, summary: null, approves };
};

/** Null if it is not said, as to a fine-grained token without that right. @throws ApiError if it may be said later */
const versionOf = async ({ lookups }: Target['client']): Promise<string | null> => {
  const { version = '' } = await nullIf(lookups.version(), isRefusal) ?? {};
  return versionPattern.test(version) ? version : null;
};

export const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && [401, 403, 404].includes(error.status);

/** The state is null if the caller is not a reviewer. */
export const ownState = async (target: Target): Promise<{ readonly state: string | null }> => {
  const user = await currentUser(target.client);
  const reviewers = await target.client.lookups.reviewers(mergeRequestPath(target)).all();
  return { state: reviewers.find((one) => one.user.id === user.id)?.state ?? null };
};

/**
 * The service accepts a state of anybody, and does not say whether it was set (behavior: drafts.review-stranger).
 * @returns null for somebody who is not a reviewer, and if it was not set or could not be read; then also why
 */
export const foundState = async (target: Target, { state: wanted, reason }: WantedState) => {
  if (reason !== null) return { reviewer_state: null, warning: unsettable(reason) };
  const found = await ownState(target).catch(() => null);
  if (found?.state === wanted) return { reviewer_state: wanted, warning: null };
  const what = `the state of your review was ${found === null ? 'perhaps ' : ''}not set to ${wanted}`;
  const why = found === null ? 'the reviewers could not be read'
    : found.state === null ? `you are not a reviewer of ${target.name}`
    : `it is ${JSON.stringify(found.state)}; services before ${versions.reviews} cannot set it`;
  return { reviewer_state: found?.state ?? null, warning: plainLine(`${what}: ${why}`) };
};

export const unsettable = (reason: string): string => `the state of your review cannot be set: ${reason}`;

/** @param start when the first attempt was made, by the local clock */
export const isSummaryPosted = async (
  { client, path }: Target, body: string, start: number,
): Promise<boolean> =>
  (await client.findCreated(contract.notes.merge_request.create, { ...path, body }, start)).length > 0;

export const postSummary = async (target: Target, body: string): Promise<number> =>
  (await createComment(target, { body }, byText)).note.id;

/** A second approval is rejected, even after an attempt of unknown outcome (behavior: changes.approve-again). */
export const approve = async (target: Target, sha: string | null): Promise<void> => {
  const path = mergeRequestPath(target);
  const isApproved = async () => (await target.client.lookups.approvals(path)).user_has_approved;
  try {
    if (await isApproved()) return;
    const { user_has_approved } = await target.client.mergeRequests.approve({ ...path, ...sha !== null && { sha } });
    if (user_has_approved === true || await isApproved()) return;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401 && await isApproved()) return;
    throw approvalProblem(error);
  }
  throw new Problem('failure', `the comments are out, but the service left ${target.name} unapproved`);
};

const approvalProblem = (error: unknown): unknown => {
  const failure = error instanceof ApiError ? failureOf(error) : null;
  if (failure === null) return error;
  return new Problem(isRefusal(error) ? 'forbidden' : failure.code,
    `the comments are out, but the approval failed: ${messageAlone(failure)}`, failure.hint, { cause: error });
};
