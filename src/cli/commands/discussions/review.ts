import type { DraftNote } from '../../../contract/lookups/draft-notes.js';
import type { Discussion } from '../../../contract/shapes/note.js';
import { counted } from '../../../text/messages.js';
import { plainLine } from '../../../text/plain.js';
import type { App } from '../../app.js';
import { agree, onService } from '../../changes/run.js';
import { noJournal } from '../../changes/journal.js';
import { Problem, usage } from '../../command-line/failure.js';
import { defineCommand, handler, withRef } from '../../command-line/command.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import type { RefFlags } from '../../command-line/ref.js';
import type { Shas } from '../../notes/position/version.js';
import { type Comment, commentOn, editReview, hasNothing, readPage, verdictOf } from '../../notes/review/comments.js';
import { acceptedDraft, deleteDraft, listDrafts, listShownDrafts, ownDrafts } from '../../notes/review/post.js';
import {
  type AcceptedReview, checkReviewer, isGivenUp, lostDrafts, nothingSent, openReviewJournal, readRecorded,
  type RecordedReview, resumeHint, reviewCommand, reviewerOf, type ReviewHead, type ReviewJournal, type ReviewPlan,
  reviewPublisher, reviewView, withResumeHint, withSteps,
} from '../../notes/review/publish.js';
import { pageText, readReview, reviewPage } from '../../notes/review/page.js';
import {
  doesResolve, draftLine, draftSteps, postedSteps, postSteps, renumbered, type ReviewStep, reviewSummary, stepLines,
  withoutResolving, withVerdictSteps,
} from '../../notes/review/steps.js';
import {
  type GivenVerdict, hasVerdict, planVerdict, type VerdictFlags, verdictFrom, withVerdict,
} from '../../notes/review/verdict.js';
import { purposeOf, removeDraft, savePage } from '../../notes/write/drafts.js';
import { readNoteText } from '../../notes/write/note-text.js';
import { shortId, threadName } from '../../notes/thread-id.js';
import { allThreads, unseenNotes } from '../../service/targets/threads.js';
import { destinationOf, openDestination, type Destination, type Target } from '../../service/targets/target.js';
import { readEdited } from '../../state/folders.js';
import { canAsk, say } from '../../terminal/io/messages.js';
import { safeAddress } from '../../terminal/io/style.js';
import { selectableNames } from '../../terminal/output/view.js';

interface Input extends GlobalFlags, RefFlags, VerdictFlags {
  readonly resume?: boolean;
  readonly discard?: boolean;
  readonly drafts?: boolean;
  readonly now?: boolean;
}

export const discussionsReviewCommand = (app: App) =>
  withVerdict(withRef(defineCommand('review', 'Write a review of a merge request in the editor', [
    'discussions review mr/12',
    'discussions review mr/12 --verdict request-changes',
    'discussions review mr/12 --resume',
  ], selectableNames(reviewView)), ['merge_request']))
    .option('--resume', 'continue a review that was not finished, or not posted whole')
    .option('--discard', 'give up a review that was not finished, or not posted whole')
    .option('--drafts', 'store the comments as drafts that only you see, and publish nothing')
    .option('--now', 'post the comments one by one, not together')
    .action(handler<Input>((flags, ref?: string) => discussionsReview(app, { ...flags, ref })));

const discussionsReview = async (app: App, input: Input): Promise<void> => {
  checkFlags(input);
  const publish = reviewPublisher(app, input);
  if (!input.yes && !input.discard && !input.dryRun && !canAsk(app, input)) {
    throw usage('cannot ask whether to post the review', 'run this at a terminal, or pass --yes');
  }
  const destination = await destinationOf(app, input, input.ref);
  if (destination.ref.kind !== 'merge_request') {
    throw usage(`cannot review ${destination.name}`, 'name a merge request, such as mr/12');
  }
  const journal = await openReviewJournal(app, destination);
  await journal.locked(async () => {
    const recorded = await readRecorded(journal);
    checkRecorded(input, destination, recorded);
    if (input.discard) return discardReview(app, input, destination, journal, recorded!);
    const given = recorded ? null : await verdictFrom(app, input, purposeOf(reviewCommand, destination, 'summary'));
    const target = await openDestination(app, input, destination);
    if (recorded) await checkReviewer(recorded.head, target);
    app.activity.recovery = resumeHint(destination.name);
    const site: Site = { app, input, target, destination, journal };
    const head = given ? await beginReview(site, given) : recorded!.head;
    const planned = recorded?.accepted
      ? await resumeReview(site, recorded.accepted) : await acceptReview(site, head);
    const { accepted, left } = await leaveAnswered(site, head, planned)
      .catch(async (error: Error) => { throw await failureOf(site, head, error); });
    const failure = await publish({ target, journal: input.dryRun ? noJournal : journal }, accepted)
      .catch((error: Error) => error);
    if (failure) throw await failureOf(site, head, failure);
    if (!input.dryRun || !recorded) await endReview(app, journal, head);
    if (!input.dryRun) await reportReview(site, accepted);
    if (left.size > 0) throw leftUnresolved(site, left);
  });
};

const failureOf = async (
  { app, input, destination, journal }: Site, head: ReviewHead, failure: Error,
): Promise<Error> => {
  if (!await isGivenUp(app, input, journal)) return withResumeHint(failure, resumeHint(destination.name));
  await endReview(app, journal, head);
  return failure;
};

const checkFlags = ({ verdict, summary, recover, drafts, now, resume, discard }: Input): void => {
  if (drafts && now) throw usage('--drafts and --now cannot be combined', 'use only one of them');
  const flag = verdict !== undefined ? '--verdict' : summary !== undefined ? '--summary' : recover && '--recover';
  const other = [resume && '--resume', drafts && '--drafts', now && '--now', flag].find(Boolean);
  if (discard && other) throw usage(`--discard and ${other} cannot be combined`, 'use only one of them');
  if (!flag) return;
  if (drafts) throw usage(`--drafts and ${flag} cannot be combined`, 'give them when you publish the drafts');
  if (resume) throw usage(`--resume and ${flag} cannot be combined`, 'leave it out, or change it in the editor');
};

interface Site {
  readonly app: App;
  readonly input: Input;
  readonly target: Target;
  readonly destination: Destination;
  readonly journal: ReviewJournal;
}

/** @throws Problem for an earlier review, which would get lost, and for none to continue or give up */
const checkRecorded = (
  { resume, discard }: Input, { name }: Destination, recorded: RecordedReview | null,
): void => {
  const flag = resume ? '--resume' : discard ? '--discard' : null;
  if (flag !== null && !recorded) {
    throw new Problem('not_found', `no unfinished review of ${name} found`, `run it without ${flag}`);
  }
  if (flag !== null || !recorded) return;
  const missing = recorded.accepted ? 'posted whole' : 'finished';
  throw usage(`an earlier review of ${name} was not ${missing}`, resumeHint(name));
};

/** Sends nothing: what was posted or stored stays. */
const discardReview = async (
  app: App, input: Input, { name }: Destination, journal: ReviewJournal, { head, accepted }: RecordedReview,
): Promise<void> => {
  const written = async () => readPage(reviewPage(head.review), await app.drafts.read(head.page).catch(() => ''));
  const steps = accepted ? accepted.steps.filter(({ number }) => !accepted.done.has(number))
    : postSteps((await written()).comments, head.shas);
  await agree(app, input, { lines: stepLines(steps), action: `give up the unfinished review of ${name}` });
  if (input.dryRun) return;
  await endReview(app, journal, head);
  await say(app, input, [`gave up the review of ${name}`, ...accepted ? staysOf(name, accepted) : []].join('\n'));
};

/** Published drafts are notes, whose ids the service does not report. */
const staysOf = (name: string, { steps, done }: AcceptedReview): string[] => {
  const isPublished = steps.some(({ number, action }) => action === 'publish' && done.has(number));
  const made = [...done.values()];
  const drafts = isPublished ? [] : made.flatMap(({ draft }) => draft ?? []);
  const notes = made.flatMap(({ note }) => note ?? []);
  const command = `colloquy discussions drafts ${name}`;
  return [
    ...drafts.length === 0 ? [] : [`${counted(drafts.length, 'draft note')} stored on the service: `
      + `${drafts.join(', ')}; \`${command} --discard\` deletes all drafts there, and --publish publishes them`],
    ...notes.map((note) => `note ${note} is posted; \`colloquy notes delete ${name} ${note}\` deletes it`),
  ];
};

const beginReview = async ({ app, target, destination, journal }: Site, given: GivenVerdict): Promise<ReviewHead> => {
  const { review, shas } = await readReview(app, target);
  const user = await reviewerOf(target);
  const { draft } = app.activity;
  const page = await savePage(app, purposeOf(reviewCommand, destination), pageText(reviewPage(review), given));
  app.activity.draft = draft;
  const head: ReviewHead = { version: 1, command: reviewCommand, user, review, shas, page };
  await journal.begin(head);
  await given.recorded();
  return head;
};

/** A review without comments is removed, and one of an agent, which has its text itself. */
const acceptReview = async (site: Site, head: ReviewHead): Promise<AcceptedReview> => {
  const { app, input, target, destination, journal } = site;
  const page = reviewPage(head.review);
  try {
    const place = app.agent?.place;
    const comments = place ? [await commentOn(target, head.review, place, await readPipedText(site))]
      : await editReview(app, input, page, head.page);
    const { steps, drafts } = await planReview(site, comments, head.shas);
    const isAccepted = steps.some((step) => step.action === 'publish' && step.accepted.length > 0);
    await agree(app, input, {
      lines: stepLines(steps), action: `${reviewSummary(steps)} on ${destination.name}`,
      recheck: async () => { if (isAccepted) await listShownDrafts(target, drafts); },
    });
    const plan: ReviewPlan = { steps, others: drafts.map(({ id }) => id) };
    if (!input.dryRun) await journal.add({ type: 'accepted', ...plan });
    return { ...plan, ...nothingSent };
  } catch (error) {
    const isOver = app.agent !== undefined || input.sandbox
      || await readEdited(app.drafts, head.page).then((text) => hasNothing(readPage(page, text)), () => false);
    if (isOver) await endReview(app, journal, head);
    else if (error instanceof Error) throw withResumeHint(error, resumeHint(destination.name));
    throw error;
  }
};

const readPipedText = async ({ app, input, destination }: Site): Promise<string> =>
  (await readNoteText(app, { ...input, bodyFile: '-' }, purposeOf(reviewCommand, destination))).body!;

/** A stored draft that would resolve such a thread is stored once more, since no request changes that of a draft. */
const leaveAnswered = async (
  site: Site, head: ReviewHead, planned: AcceptedReview,
): Promise<{ readonly accepted: AcceptedReview; readonly left: ReadonlySet<string> }> => {
  const { input, target, journal } = site;
  const { steps, done } = planned;
  const resolving = steps.filter(doesResolve);
  if (input.dryRun || resolving.length === 0) return { accepted: planned, left: new Set() };
  const drafts = resolving.some(({ number }) => done.has(number)) ? await ownDrafts(target) : [];
  const storedOf = ({ number }: ReviewStep) => drafts.find(({ id }) => id === done.get(number)?.draft);
  const left = await threadsWithUnseen(site, head,
    resolving.filter((step) => !done.has(step.number) || storedOf(step) !== undefined));
  const changed = drafts.filter((draft) => draft.resolve_discussion && left.has(draft.discussion_id ?? '')
    && resolving.some((step) => storedOf(step) === draft));
  for (const { id } of changed) await deleteDraft(target, id);
  const again = renumbered(steps, (step) => changed.some((draft) => draft === storedOf(step)));
  if (changed.length > 0) await journal.add({ type: 'accepted', steps: again, others: planned.others });
  return { accepted: withSteps(planned, withoutResolving(again, left)), left };
};

/** Those that the steps would resolve although somebody else added notes that the page of the review did not show. */
const threadsWithUnseen = async (
  { app, target }: Site, { review, user }: ReviewHead, unmade: readonly ReviewStep[],
): Promise<ReadonlySet<string>> => {
  if (unmade.length === 0) return new Set();
  const shown = new Map(review.threads.map(({ thread }) => [thread.id, thread]));
  const isUnseen = (thread: Discussion) =>
    unseenNotes(shown.get(thread.id), thread).some(({ author }) => author.id !== user?.id);
  const ids = (await allThreads(app, target)).filter(isUnseen).map(({ id }) => id);
  return new Set(ids.filter((id) => unmade.some((step) => 'thread' in step && step.thread === id)));
};

const leftUnresolved = ({ app, target: { name } }: Site, left: ReadonlySet<string>): Problem =>
  new Problem('failure', `not resolved, because of notes that the page did not show: ${
    [...left].map((id) => threadName(app, id)).join(', ')}`,
  `read them, then run \`colloquy discussions resolve ${name} ${[...left].map(shortId).join(' ')}\``);

/** With `--now`, what is not sent yet is posted one by one, and so is a comment whose draft is gone. */
const resumeReview = async ({ input, target, journal }: Site, accepted: AcceptedReview): Promise<AcceptedReview> => {
  if (!input.now) return accepted;
  const { done, open, others } = accepted;
  const isPublished = accepted.steps.some(({ action, number }) => action === 'publish' && done.has(number));
  const lost = isPublished ? new Set<number>() : await lostDrafts(target, accepted);
  const planned = renumbered(accepted.steps, ({ number }) => lost.has(done.get(number)?.draft ?? 0));
  const steps = postedSteps(planned, ({ number }) => !done.has(number) && !open.has(number));
  if (!input.dryRun) await journal.add({ type: 'accepted', steps, others });
  return withSteps(accepted, steps);
};

const planReview = async (
  site: Site, comments: readonly Comment[], shas: Shas,
): Promise<Pick<ReviewPlan, 'steps'> & { readonly drafts: readonly DraftNote[] }> => {
  if (site.input.now && !hasVerdict(verdictOf(comments))) return { steps: postSteps(comments, shas), drafts: [] };
  const others = await listDrafts(site.target);
  return { steps: await planSteps(site, comments, shas, others), drafts: others ?? [] };
};

/** Comments are sent together, as drafts, where the service has them. */
const planSteps = async (
  { app, input, target, destination }: Site, comments: readonly Comment[], shas: Shas,
  others: readonly DraftNote[] | null,
): Promise<readonly ReviewStep[]> => {
  if (others === null && input.drafts) {
    throw new Problem('not_found', 'the service has no draft notes', 'post the comments at once, without --drafts',
      { agentHint: 'use comment or reply, which post at once' });
  }
  if (input.drafts) return draftSteps(checkDrafts(comments), shas, null);
  const isAccepted = !input.now && others !== null && others.length > 0
    && await acceptsOthers(app, input, destination, others);
  const accepted = isAccepted ? others.map(acceptedDraft) : [];
  const steps = input.now || others === null ? postSteps(comments, shas)
    : draftSteps(comments, shas, accepted);
  const verdict = verdictOf(comments);
  if (!hasVerdict(verdict)) return steps;
  const keepsOthers = others !== null && others.length > 0 && !isAccepted;
  const plan = await planVerdict(target, verdict, { hasDrafts: others !== null, keepsOthers });
  return withVerdictSteps(steps, plan, { sha: shas.head_sha, accepted });
};

const checkDrafts = (comments: readonly Comment[]): readonly Comment[] => {
  if (hasVerdict(verdictOf(comments))) {
    throw usage('drafts have no verdict and no summary', 'remove them from the page, or leave out --drafts');
  }
  const bare = comments.find(({ on, body }) => on === 'thread' && body === '');
  if (!bare) return comments;
  throw usage('a draft cannot resolve a thread without a reply',
    'write a reply above [resolve], or leave out --drafts');
};

/** Drafts of the browser may be unfinished. */
const acceptsOthers = async (
  app: App, input: Input, { name }: Destination, others: readonly DraftNote[],
): Promise<boolean> => {
  const count = counted(others.length, 'draft');
  const lines = others.map((draft) => `  ${draftLine(draft)}`);
  await say(app, input, [`you have ${count} on ${name} that this review did not make:`, ...lines].join('\n'));
  return !input.yes && canAsk(app, input)
    && await app.ask.confirm(plainLine(`Publish them too${onService(app, input)}?`));
};

/** The last line is the address, for a click. */
const reportReview = async ({ app, input, target }: Site, { steps }: AcceptedReview): Promise<void> => {
  const page = safeAddress(target.web?.noteable ?? '');
  const done = reviewSummary(steps, true);
  const text = done === '' ? `finished the review of ${target.name}` : `${done} on ${target.name}`;
  await say(app, input, `${text}${page === null ? '' : `\n${page}`}`);
};

const endReview = async (app: App, journal: ReviewJournal, { page }: ReviewHead): Promise<void> => {
  await journal.remove();
  if (page !== '') await removeDraft(app, page);
  app.activity.recovery = null;
};
