import type { Command } from 'commander';
import type { App } from '../../app.js';
import { acting, verb, withRefFlags, refArgument, threadArgument } from '../../flags/command.js';
import type { GlobalFlags } from '../../flags/global.js';
import { recordPrinter } from '../../output/record-printer.js';
import { targetOf, type RefFlags } from '../../refs/target.js';
import { named, type Named } from '../../refs/words.js';
import { threadOf } from '../../threads/find.js';
import { discussionView } from '../../views/discussion.js';

interface Input extends GlobalFlags, RefFlags, Named {}

export const discussionsGetCommand = (app: App): Command =>
  withRefFlags(verb('get', 'show one thread as a conversation', [
    'discussions get mr/12 0287db',
    'discussions get https://gitlab.example.com/acme/app/-/issues/7#note_345',
    'discussions get issue/7 345 --json',
  ]))
    .addArgument(refArgument())
    .addArgument(threadArgument())
    .action(acting<RefFlags>((flags, ref?: string, thread?: string) =>
      discussionsGet(app, { ...flags, ...named(flags, ref, thread) })));

const discussionsGet = async (app: App, input: Input): Promise<void> => {
  const print = recordPrinter(app, input, discussionView);
  const target = await targetOf(app, input, input.ref);
  const { client, kind, path } = target;
  const discussion_id = await threadOf(target, input.below);
  await print(await client.discussions[kind].get({ ...path, discussion_id }));
};
