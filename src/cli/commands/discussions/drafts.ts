import type { Command } from 'commander';
import { DraftNote } from '../../../contract/lookups/draft-notes.js';
import { counted } from '../../../text/messages.js';
import { firstWords } from '../../../text/plain.js';
import type { App } from '../../app.js';
import { agree, recordChanger } from '../../changes/run.js';
import { Problem, usage } from '../../command-line/failure.js';
import { defineCommand, handler, refArgument, withRefFlags } from '../../command-line/command.js';
import { withListFlags, type ListFlags } from '../../command-line/flags.js';
import type { RefFlags } from '../../command-line/ref.js';
import { deleteDraft, draftPlace, listDrafts, publishDrafts } from '../../notes/review/draft-notes.js';
import { openNamedTarget, type Target } from '../../service/targets/target.js';
import { say } from '../../terminal/io/messages.js';
import { isBrief } from '../../terminal/output/record-printer.js';
import { listPrinter, wholeList } from '../../terminal/output/list-printer.js';
import { selectableNames, type View } from '../../terminal/output/view.js';

interface Input extends ListFlags, RefFlags {
  readonly ref: string | undefined;
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

export const discussionsDraftsCommand = (app: App): Command =>
  withListFlags(withRefFlags(defineCommand('drafts', 'List, publish or discard your draft notes on a merge request', [
    'discussions drafts mr/12',
    'discussions drafts mr/12 --publish',
  ], selectableNames(draftView)), ['merge_request']))
    .addArgument(refArgument())
    .option('--publish', 'publish all of them, together')
    .option('--discard', 'delete all of them')
    .action(handler<Input>((flags, ref?: string) => discussionsDrafts(app, { ...flags, ref })));

const discussionsDrafts = async (app: App, input: Input): Promise<void> => {
  if (input.publish && input.discard) throw usage('--publish and --discard cannot be combined', 'use only one of them');
  const print = listPrinter(app, input, draftView);
  const change = recordChanger(app, input, draftView, true);
  const target = await openNamedTarget(app, input, input.ref);
  if (target.kind !== 'merge_request') {
    throw usage(`${target.name} has no drafts`, 'name a merge request, such as mr/12');
  }
  const drafts = await listDrafts(target);
  if (drafts === null) {
    throw new Problem('not_found', 'the service has no draft notes', 'use a service of version 15.10 or newer');
  }
  if (!input.publish && !input.discard) return print(wholeList(drafts), target.web);
  await agree(app, input, {
    lines: drafts.map(({ note, position }) => `${draftPlace(position)} ${firstWords(note)}`.trim()),
    action: `${input.publish ? 'publish' : 'delete'} ${counted(drafts.length, 'draft')} on ${target.name}`,
  });
  if (drafts.length === 0) return print(wholeList(drafts));
  if (input.publish) {
    await publishDrafts(target, drafts, {
      ids: drafts.map(({ id }) => id), start: app.now().getTime(), isRepeated: false, mayBeGone: false, others: [],
    });
    await say(app, input, `published ${counted(drafts.length, 'draft')} on ${target.name}`);
    return isBrief(app, input) ? undefined : print(wholeList(drafts));
  }
  const { failure } = await change(discarding(target, drafts));
  if (failure) throw failure;
};

const discarding = (target: Target, drafts: readonly DraftNote[]) => ({
  steps: drafts, name: ({ id }: DraftNote) => `draft ${id}`,
  make: async (draft: DraftNote) => {
    await deleteDraft(target, draft.id);
    return { message: `deleted draft ${draft.id}`, record: draft, address: null };
  },
});
