import type { Command } from 'commander';
import type { App } from '../../app.js';
import { defineCommand, handler, refArgument, threadArgument, withRefFlags } from '../../flags/command.js';
import type { GlobalFlags } from '../../flags/global.js';
import { selectableNames } from '../../output/view.js';
import { parseRefArguments, type RefArguments, type RefFlags } from '../../refs/ref.js';
import { targetOf } from '../../targets/target.js';
import { threadOf } from '../../targets/threads.js';
import { webPagesFor } from '../../views/cells.js';
import { discussionView, threadPrinter } from '../../views/discussion.js';

interface Input extends GlobalFlags, RefFlags, RefArguments {}

export const discussionsGetCommand = (app: App): Command =>
  withRefFlags(defineCommand('get', 'show a thread as a conversation', [
    'discussions get mr/12 0287db',
    'discussions get https://gitlab.example.com/acme/app/-/issues/7#note_345',
    "discussions get issue/7 345 --jq '.notes[].body'",
  ], selectableNames(discussionView)))
    .addArgument(refArgument())
    .addArgument(threadArgument())
    .action(handler<RefFlags>((flags, ref?: string, thread?: string) =>
      discussionsGet(app, { ...flags, ...parseRefArguments(flags, ref, thread) })));

const discussionsGet = async (app: App, input: Input): Promise<void> => {
  const print = threadPrinter(app, input);
  const target = await targetOf(app, input, input.ref);
  const { client, kind, path } = target;
  const discussion_id = await threadOf(target, input.childId);
  const thread = await client.discussions[kind].get({ ...path, discussion_id });
  await print(thread, target, await webPagesFor(app, input, target));
};
