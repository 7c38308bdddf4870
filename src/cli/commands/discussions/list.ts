import type { Command } from 'commander';
import type { App } from '../../app.js';
import { acting, refArgument, verb, withRefFlags } from '../../flags/command.js';
import type { GlobalFlags } from '../../flags/global.js';
import { listPrinter, pageSize } from '../../output/list-printer.js';
import { targetOf, type RefFlags } from '../../refs/target.js';
import { discussionView } from '../../views/discussion.js';

interface Input extends GlobalFlags, RefFlags {
  readonly ref: string | undefined;
}

export const discussionsListCommand = (app: App): Command =>
  withRefFlags(verb('list', 'list the threads of a merge request, issue, snippet, epic or commit', [
    'discussions list mr/12 -p acme/app',
    "discussions list '#7' --limit 20 --json=id,notes",
    'discussions list https://gitlab.example.com/acme/app/-/merge_requests/12',
  ]))
    .addArgument(refArgument())
    .action(acting<Input>((flags, ref?: string) => discussionsList(app, { ...flags, ref })));

const discussionsList = async (app: App, input: Input): Promise<void> => {
  const print = listPrinter(app, input, discussionView);
  const { client, kind, path } = await targetOf(app, input, input.ref);
  await print(client.discussions[kind].list({ ...path, per_page: pageSize(input) }));
};
