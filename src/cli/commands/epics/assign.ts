import type { Command } from 'commander';
import type { App } from '../../app.js';
import { childArgument, defineCommand, epicArgument, handler } from '../../flags/command.js';
import type { GlobalFlags } from '../../flags/global.js';
import { consent, say, sayIfDryRun } from '../../io/messages.js';
import { changePrinter } from '../../output/change-printer.js';
import { recordPrinter } from '../../output/record-printer.js';
import { selectableNames } from '../../output/view.js';
import { childOf, nameOfEpic, parentOf, type Child, type Parent } from '../../targets/epic.js';
import { epicView } from '../../views/records.js';

export const epicsAssignCommand = (app: App): Command =>
  defineCommand('assign', 'assign a child epic to a parent epic', [
    "epics assign '&1' '&4' -g acme",
    "epics assign '&1' 'acme/team&4' -g acme --yes",
    "epics assign '&1' id:501 -g acme",
  ], selectableNames(epicView))
    .addArgument(epicArgument())
    .addArgument(childArgument())
    .action(handler<object>((flags, epic: string, child: string) => epicsAssign(app, flags, epic, child)));

const epicsAssign = async (app: App, input: GlobalFlags, epic: string, word: string): Promise<void> => {
  const print = changePrinter(app, input, recordPrinter(app, input, epicView));
  const parent = await parentOf(app, input, epic);
  const child = await childOf(parent, word);
  const parentName = await parent.titled();
  const former = child.isHere ? null : await formerParent(app, input, parent, child);
  if (former === null) await sayIfDryRun(app, input, `assign ${child.name} to ${parentName}`);
  else await consent(app, input, `move ${child.name} from ${former} to ${parentName}`);
  const assigned = await parent.client.epics.assign({ ...parent.path, child_epic_id: child.id });
  await print(`assigned ${child.name} to ${parentName}`, assigned, assigned.web_url ?? child.page);
};

/** The parent that the child would leave: the service moves it without a warning. */
const formerParent = async (
  app: App, input: GlobalFlags, target: Parent, { name, parent }: Child,
): Promise<string | null> => {
  if (parent === undefined) await say(app, input, `cannot tell whether ${name} already has a parent`);
  return typeof parent === 'number' ? nameOfEpic(target, parent) : null;
};
