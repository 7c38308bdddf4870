import type { Command } from 'commander';
import { contract } from '../../../contract/contract.js';
import type { App } from '../../app.js';
import { defineCommand, epicArgument, handler } from '../../flags/command.js';
import { flagFor } from '../../flags/field.js';
import type { GlobalFlags } from '../../flags/global.js';
import { sayIfDryRun } from '../../io/messages.js';
import { plainLine } from '../../io/plain.js';
import { changePrinter } from '../../output/change-printer.js';
import { recordPrinter } from '../../output/record-printer.js';
import { selectableNames } from '../../output/view.js';
import { parentOf } from '../../targets/epic.js';
import { linkedEpicView } from '../../views/records.js';

interface Input extends GlobalFlags {
  readonly title: string;
  readonly confidential?: boolean;
}

const { params } = contract.epics.create;

export const epicsCreateCommand = (app: App): Command =>
  defineCommand('create', 'create a child epic', [
    "epics create '&1' --title 'Second quarter' -g acme", "epics create '&1' --title Secret --confidential -g acme",
  ], selectableNames(linkedEpicView))
    .addArgument(epicArgument())
    .addOption(flagFor('title', params.title).makeOptionMandatory())
    .addOption(flagFor('confidential', params.confidential))
    .action(handler<Input>((flags, epic: string) => epicsCreate(app, flags, epic)));

const epicsCreate = async (app: App, input: Input, epic: string): Promise<void> => {
  const print = changePrinter(app, input, recordPrinter(app, input, linkedEpicView));
  const { client, path, titled } = await parentOf(app, input, epic);
  const { title, confidential } = input;
  if (input.dryRun) await sayIfDryRun(app, input, `create "${title}" under ${await titled()}`);
  const [created, parentName] = await Promise.all([client.epics.create({ ...path, title, confidential }), titled()]);
  await print(`created &${created.iid} "${plainLine(created.title)}" under ${parentName}`, created, created.url);
};
