import { Option } from 'commander';
import type { App } from '../../app.js';
import { codeOfSeveral, failureOfSeveral, errorReason, type Failed } from '../../changes/report.js';
import { failureOf, Problem, usage } from '../../command-line/failure.js';
import { defineCommand, handler } from '../../command-line/command.js';
import { type GlobalFlags, globalsHeading, type ListFlags, withListFlags } from '../../command-line/flags.js';
import type { Owner } from '../../notes/filters/people.js';
import { type InboxScope, inboxView, readInbox } from '../../notes/inbox.js';
import { openClient } from '../../service/connection/client.js';
import { currentUser, nullIfUnsupported } from '../../service/connection/unsupported.js';
import { settingsOf } from '../../service/settings/settings.js';
import { listPrinter, wholeList } from '../../terminal/output/list-printer.js';
import { withProgress } from '../../terminal/io/messages.js';
import { selectableNames } from '../../terminal/output/view.js';

interface Input extends Omit<ListFlags, 'project'> {
  readonly project?: string | readonly string[];
  readonly new?: boolean;
}

export const discussionsInboxCommand = (app: App) =>
  withListFlags(defineCommand('inbox', 'List the open merge requests that you review, are assigned to or wrote', [
    '# List the merge requests with threads for you\ndiscussions inbox',
    '# List those of two projects with new notes\ndiscussions inbox -p acme/app -p acme/site --new',
    "# Print the web addresses of those that wait for you\ndiscussions inbox -q '.[] | select(.waiting > 0) | .url'",
  ], selectableNames(inboxView)))
    .addOption(new Option('-p, --project <id|path>', 'only those of this project; repeatable')
      .argParser((text: string, before: readonly string[] | undefined) => [...before ?? [], text])
      .helpGroup(globalsHeading))
    .addOption(new Option('-g, --group <id|path>', 'only those of the projects of this group')
      .helpGroup(globalsHeading))
    .option('--new', 'only those with notes since you last looked')
    .action(handler<Input>((flags) => discussionsInbox(app, flags)));

const discussionsInbox = async (app: App, { project = [], group, new: isNew, ...flags }: Input): Promise<void> => {
  const print = listPrinter(app, flags, inboxView);
  const scope = await scopeOf(app, flags, [project].flat(), group);
  const settings = await settingsOf(app, flags);
  const client = await openClient(app, flags, settings);
  const { found, failed } = await withProgress(app, flags, 'reading merge requests', () =>
    readInbox(app, client, settings.url?.href ?? '', ownerOf(client), scope));
  await print(wholeList(isNew ? found.filter((entry) => entry.new > 0) : found));
  if (failed.length > 0) throw failureOfSome(failed);
};

/** Reads the flags as other commands do, but the settings do not narrow the inbox. */
const scopeOf = async (
  app: App, flags: GlobalFlags, projects: readonly string[], group: string | undefined,
): Promise<InboxScope> => {
  const named = await Promise.all(projects.map(async (project) =>
    (await settingsOf(app, { ...flags, project })).project));
  const groups = group === undefined ? [] : [(await settingsOf(app, { ...flags, group })).group];
  return { projects: [...new Set(named)].filter((one) => one !== null), groups: groups.filter((one) => one !== null) };
};

const ownerOf = async (client: Awaited<ReturnType<typeof openClient>>): Promise<Owner> => {
  const owner = await nullIfUnsupported(currentUser(client));
  if (owner) return owner;
  throw usage('the service does not report the owner of the token', 'use `discussions list` with --participant');
};

const failureOfSome = (failed: readonly Failed[]): Error => {
  const [first, ...others] = failed as readonly [Failed, ...Failed[]];
  if (others.length > 0) {
    return failureOfSeveral(codeOfSeveral(failed), `cannot read ${failed.length} projects or groups`, failed);
  }
  const failure = failureOf(first.error)!;
  return new Problem(failure.code, `cannot read ${first.name}: ${errorReason(first.error)}`, failure);
};
