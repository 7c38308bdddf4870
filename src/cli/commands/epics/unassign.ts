import type { Command } from 'commander';
import type { App } from '../../app.js';
import { childArgument, defineCommand, epicArgument, handler } from '../../flags/command.js';
import type { GlobalFlags } from '../../flags/global.js';
import { consent } from '../../io/messages.js';
import { changePrinter } from '../../output/change-printer.js';
import { recordPrinter } from '../../output/record-printer.js';
import { selectableNames } from '../../output/view.js';
import { childOf, parentOf } from '../../targets/epic.js';
import { epicView } from '../../views/records.js';

export const epicsUnassignCommand = (app: App): Command =>
  defineCommand('unassign', 'remove a child epic from its parent',
    ["epics unassign '&1' '&4' -g acme", "epics unassign '&1' id:501 -g acme --yes"], selectableNames(epicView))
    .addArgument(epicArgument())
    .addArgument(childArgument())
    .action(handler<object>((flags, epic: string, child: string) => epicsUnassign(app, flags, epic, child)));

const epicsUnassign = async (app: App, input: GlobalFlags, epic: string, word: string): Promise<void> => {
  const print = changePrinter(app, input, recordPrinter(app, input, epicView));
  const parent = await parentOf(app, input, epic);
  const child = await childOf(parent, word);
  const parentName = await parent.titled();
  await consent(app, input, `remove ${child.name} from ${parentName}`);
  const removed = await parent.client.epics.unassign({ ...parent.path, child_epic_id: child.id });
  await print(`removed ${child.name} from ${parentName}`, removed, removed.web_url ?? child.page);
};
