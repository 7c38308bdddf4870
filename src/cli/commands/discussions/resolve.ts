import type { Command } from 'commander';
import type { App } from '../../app.js';
import { usage } from '../../errors/failure.js';
import { defineCommand, handler, refArgument, threadArgument, withRefFlags } from '../../flags/command.js';
import type { GlobalFlags } from '../../flags/global.js';
import { say } from '../../io/messages.js';
import { recordPrinter } from '../../output/record-printer.js';
import { selectableNames } from '../../output/view.js';
import { parseRefArguments, type RefArguments, type RefFlags } from '../../refs/ref.js';
import { targetOf } from '../../targets/target.js';
import { threadOf } from '../../targets/threads.js';
import { discussionView } from '../../views/discussion.js';

interface Input extends GlobalFlags, RefFlags, RefArguments {
  readonly resolved: boolean;
}

const command = (app: App, name: string, summary: string, resolved: boolean): Command =>
  withRefFlags(defineCommand(name, summary, [
    `discussions ${name} mr/12 0287db`,
    `discussions ${name} https://gitlab.example.com/acme/app/-/merge_requests/12#note_345`,
  ], selectableNames(discussionView)))
    .addArgument(refArgument())
    .addArgument(threadArgument())
    .action(handler<RefFlags>((flags, ref?: string, thread?: string) =>
      discussionsResolve(app, { ...flags, ...parseRefArguments(flags, ref, thread), resolved })));

export const discussionsResolveCommand = (app: App): Command =>
  command(app, 'resolve', 'resolve a thread of a merge request', true);

export const discussionsUnresolveCommand = (app: App): Command =>
  command(app, 'unresolve', 'reopen a resolved thread of a merge request', false);

const discussionsResolve = async (app: App, input: Input): Promise<void> => {
  const print = recordPrinter(app, input, discussionView);
  const target = await targetOf(app, input, input.ref);
  const { client, kind, path, name } = target;
  if (kind !== 'merge_request') {
    throw usage(`cannot resolve threads of ${name}`, 'choose a thread of a merge request');
  }
  const discussion_id = await threadOf(target, input.childId);
  const discussion = await client.discussions[kind].resolve({ ...path, discussion_id, resolved: input.resolved });
  await say(app, input, `${input.resolved ? 'resolved' : 'unresolved'} thread ${discussion_id}`);
  await print(discussion);
};
