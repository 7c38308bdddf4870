import { DraftNote } from '../../../contract/lookups/draft-notes.js';
import type { MergeRequest } from '../../../contract/lookups/shapes.js';
import { counted } from '../../../text/messages.js';
import type { App } from '../../app.js';
import { agree, recordChanger } from '../../changes/run.js';
import { noJournal } from '../../changes/journal.js';
import { Problem, usage } from '../../command-line/failure.js';
import { defineCommand, handler, withRef } from '../../command-line/command.js';
import { withListFlags, type ListFlags } from '../../command-line/flags.js';
import type { RefFlags } from '../../command-line/ref.js';
import {
  acceptedDraft, deleteDraft, listDrafts, listShownDrafts, madeIds, ownDrafts, publishDrafts,
} from '../../notes/review/post.js';
import {
  isGivenUp, nothingSent, openReviewJournal, readRecorded, resumeHint, reviewCommand, reviewerOf, type ReviewHead,
  reviewPublisher, withResumeHint,
} from '../../notes/review/publish.js';
import {
  draftLine, draftPlace, type ReviewStep, reviewSummary, stepLines, withVerdictSteps,
} from '../../notes/review/steps.js';
import {
  type GivenVerdict, hasVerdict, planVerdict, type VerdictFlags, verdictFrom, withVerdict,
} from '../../notes/review/verdict.js';
import { purposeOf } from '../../notes/write/drafts.js';
import { type Destination, destinationOf, openDestination, type Target } from '../../service/targets/target.js';
import { readMergeRequest } from '../../service/targets/threads.js';
import { say } from '../../terminal/io/messages.js';
import { isBrief } from '../../terminal/output/record-printer.js';
import { listPrinter, wholeList } from '../../terminal/output/list-printer.js';
import { selectableNames, type View } from '../../terminal/output/view.js';

interface Input extends ListFlags, RefFlags, VerdictFlags {
  readonly publish?: boolean;
  readonly discard?: boolean;
}

const draftView: View<DraftNote> = {
  columns: [
    { name: 'draft', cell: ({ id }) => String(id), tone: () => 'strong' },
    {
      name: 'thread',
      cell: ({ discussion_id }, { isTerminal }) => (discussion_id ?? '').slice(0, isTerminal ? 8 : undefined),
    },
    { name: 'place', cell: ({ position }) => draftPlace(position), minWidth: 12, keep: 'end' },
    { name: 'text', cell: ({ note }) => note, minWidth: 20 },
  ],
  id: ({ id }) => String(id),
  shape: DraftNote,
  emptyText: 'no drafts',
};

export const discussionsDraftsCommand = (app: App) =>
  withVerdict(withListFlags(withRef(defineCommand(
    'drafts', 'List, publish or discard your draft notes on a merge request', [
      'discussions drafts mr/12',
      'discussions drafts mr/12 --publish',
      'discussions drafts mr/12 --publish --verdict approve',
    ], selectableNames(draftView),
  ), ['merge_request'])))
    .option('--publish', 'publish all of them, together')
    .option('--discard', 'delete all of them')
    .action(handler<Input>((flags, ref?: string) => discussionsDrafts(app, { ...flags, ref })));

const discussionsDrafts = async (app: App, input: Input): Promise<void> => {
  checkFlags(input);
  const print = listPrinter(app, input, draftView);
  const change = recordChanger(app, input, draftView, true);
  const destination = await destinationOf(app, input, input.ref);
  const verdict = await verdictFrom(app, input, purposeOf('discussions drafts', destination, 'summary'));
  const target = await openDestination(app, input, destination);
  if (target.kind !== 'merge_request') {
    throw usage(`${target.name} has no drafts`, 'name a merge request, such as mr/12');
  }
  const approved = verdict.verdict === 'approve' ? await readMergeRequest(target) : null;
  const drafts = await listDrafts(target);
  if (drafts === null) {
    throw new Problem('not_found', 'the service has no draft notes', 'use a service of version 15.10 or newer');
  }
  if (!input.publish && !input.discard) return print(wholeList(drafts), target.web);
  if (hasVerdict(verdict)) {
    const own = publishableDrafts(app, target, drafts);
    return publishWithVerdict(app, input, { destination, target, approved, verdict, ...own });
  }
  const unfinished = await unfinishedReview(app, destination, drafts);
  if (drafts.length === 0) {
    await say(app, input, [`you have no drafts on ${target.name}`, ...unfinished].join('\n'));
    return isBrief(app, input) ? undefined : print(wholeList(drafts));
  }
  await agree(app, input, {
    lines: [...drafts.map(draftLine), ...unfinished],
    action: `${input.publish ? 'publish' : 'delete'} ${counted(drafts.length, 'draft')} on ${target.name}`,
  });
  const current = input.yes ? drafts : await listShownDrafts(target, drafts);
  if (input.publish) {
    await publishDrafts(target, current, {
      ids: drafts.map(({ id }) => id), start: app.now().getTime(), isRepeated: false, mayBeGone: false, others: [],
    });
    await say(app, input, `published ${counted(drafts.length, 'draft')} on ${target.name}`);
    return isBrief(app, input) ? undefined : print(wholeList(drafts));
  }
  const { failure } = await change({
    steps: drafts, name: ({ id }) => `draft ${id}`,
    make: async (draft) => {
      await deleteDraft(target, draft.id);
      return { message: `deleted draft ${draft.id}`, record: draft, address: null };
    },
  });
  if (failure) throw failure;
};

const publishableDrafts = (
  app: App, { name }: Target, all: readonly DraftNote[],
): Pick<Publication, 'drafts' | 'left'> => {
  const { activity, agent } = app;
  const drafts = agent ? all.filter(({ id }) => agent.drafts.has(id)) : all;
  const left = all.length - drafts.length;
  const reason = `not published: ${counted(left, 'draft')} that you did not store; the user can publish all with `
    + `\`colloquy discussions drafts ${name} --publish\``;
  if (left > 0) activity.omitted = { reason, isPosted: true };
  return { drafts, left };
};

/** Its drafts are among those of the command, which knows no review. */
const unfinishedReview = async (
  app: App, destination: Destination, drafts: readonly DraftNote[],
): Promise<string[]> => {
  const recorded = await readRecorded(await openReviewJournal(app, destination));
  if (!recorded) return [];
  const { name } = destination;
  const own = madeIds(recorded.accepted?.done ?? new Map(), 'draft');
  const count = drafts.filter(({ id }) => own.has(id)).length;
  const review = `a review of ${name}`;
  const subject = count === 0 ? review : `${count} of them ${count === 1 ? 'belongs' : 'belong'} to ${review} that`;
  return [`${subject} was not ${recorded.accepted ? 'posted whole' : 'finished'}`, resumeHint(name)];
};

const checkFlags = ({ publish, discard, verdict, summary, recover }: Input): void => {
  if (publish && discard) throw usage('--publish and --discard cannot be combined', 'use only one of them');
  if (publish || verdict === undefined && summary === undefined && !recover) return;
  throw usage('--verdict, --summary and --recover require --publish', 'pass --publish');
};

interface Publication {
  readonly destination: Destination;
  readonly target: Target;
  /** As it was before the drafts were listed; null if nothing is approved. */
  readonly approved: MergeRequest | null;
  readonly drafts: readonly DraftNote[];
  readonly left: number;
  readonly verdict: GivenVerdict;
}

/** As a review without new comments: if it stops, `discussions review --resume` continues it. */
const publishWithVerdict = async (
  app: App, input: Input, { destination, target, approved, drafts, left, verdict }: Publication,
): Promise<void> => {
  const publish = reviewPublisher(app, input);
  const { name } = target;
  const journal = await openReviewJournal(app, destination);
  await journal.locked(async () => {
    if (await readRecorded(journal)) {
      throw usage(`an earlier review of ${name} was not finished`, resumeHint(name));
    }
    if (drafts.length > 0 && (await ownDrafts(target)).length === 0) {
      throw new Problem('not_found', `the drafts on ${name} were published or deleted by another program`);
    }
    const steps = await acceptedSteps(app, input, { destination, target, approved, drafts, left, verdict });
    const kept = input.dryRun ? noJournal : journal;
    await kept.begin(await draftsHead(target));
    await kept.add({ type: 'accepted', steps });
    await verdict.recorded();
    app.activity.recovery = resumeHint(name);
    const failure = await publish({ target, journal: kept }, { steps, ...nothingSent })
      .catch((error: Error) => error);
    if (failure && !await isGivenUp(app, input, kept)) throw withResumeHint(failure, resumeHint(name));
    await kept.remove();
    app.activity.recovery = null;
    if (failure) throw failure;
  });
};

const acceptedSteps = async (
  app: App, input: Input, { target, approved, drafts, left, verdict }: Publication,
): Promise<readonly ReviewStep[]> => {
  const plan = await planVerdict(target, verdict, { hasDrafts: true, keepsOthers: left > 0 });
  const accepted = drafts.map(acceptedDraft);
  const publish = drafts.length === 0 ? [] : [{ number: 0, action: 'publish', accepted } as const];
  const steps = withVerdictSteps(publish, plan, { sha: approved?.sha ?? null, accepted });
  const count = drafts.length === 0 ? [] : [`publish ${counted(drafts.length, 'draft')}`];
  const action = [...count, reviewSummary(steps)].filter((text) => text !== '').join(' and ');
  const shown = [...drafts.map(draftLine), ...stepLines(steps)];
  await agree(app, input, {
    lines: shown, action: `${action} on ${target.name}`,
    recheck: async () => { await listShownDrafts(target, drafts); },
  });
  return steps;
};

const draftsHead = async (target: Target): Promise<ReviewHead> => ({
  version: 1, command: reviewCommand, user: await reviewerOf(target),
  review: { name: target.name, files: [], threads: [] },
  shas: { base_sha: '', start_sha: '', head_sha: '' }, page: '',
});
