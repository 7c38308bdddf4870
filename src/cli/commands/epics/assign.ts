import type { Command } from 'commander';
import type { App } from '../../app.js';
import { acting, childArgument, epicArgument, verb } from '../../flags/command.js';
import type { GlobalFlags } from '../../flags/global.js';
import { consent, say } from '../../io/messages.js';
import { recordPrinter } from '../../output/record-printer.js';
import { fieldNames } from '../../output/view.js';
import { childOf, parentOf, type Child } from '../../targets/epic.js';
import { epicView } from '../../views/parts.js';

export const epicsAssignCommand = (app: App): Command =>
  verb('assign', 'make an epic a child of an epic', [
    "epics assign '&1' '&4' -g acme",
    "epics assign '&1' 'acme/team&4' -g acme --yes",
    "epics assign '&1' id:501 -g acme",
  ], fieldNames(epicView.shape))
    .addArgument(epicArgument())
    .addArgument(childArgument())
    .action(acting<object>((flags, epic: string, child: string) => epicsAssign(app, flags, epic, child)));

const epicsAssign = async (app: App, input: GlobalFlags, epic: string, word: string): Promise<void> => {
  const print = recordPrinter(app, input, epicView);
  const parent = await parentOf(app, input, epic);
  const child = await childOf(parent, word);
  if (!child.isHere) await warn(app, input, child, parent.name);
  const assigned = await parent.client.epics.assign({ ...parent.path, child_epic_id: child.id });
  await say(app, input, `assigned ${child.name} to ${parent.name}`);
  await print(assigned);
};

/** The service takes a child away from another parent without a word. */
const warn = async (app: App, input: GlobalFlags, { name, parent }: Child, newParent: string): Promise<void> => {
  if (parent === undefined) {
    await say(app, input, `whether ${name} has another parent can't be looked up by its global id`);
  }
  if (typeof parent === 'number') {
    await consent(app, input, `move ${name} from epic id:${parent} to ${newParent}`);
  }
};
