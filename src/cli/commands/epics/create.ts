import type { Command } from 'commander';
import { contract } from '../../../contract/contract.js';
import type { App } from '../../app.js';
import { defineCommand, epicArgument, handler } from '../../flags/command.js';
import { flagFor } from '../../flags/field.js';
import type { GlobalFlags } from '../../flags/global.js';
import { changePrinter } from '../../output/change-printer.js';
import { recordPrinter } from '../../output/record-printer.js';
import { selectableNames } from '../../output/view.js';
import { parentOf } from '../../targets/epic.js';
import { linkedEpicView } from '../../views/records.js';

interface Input extends GlobalFlags {
  readonly title: string;
  readonly confidential?: boolean;
}

const { title, confidential } = contract.epics.create.params;

export const epicsCreateCommand = (app: App): Command =>
  defineCommand('create', 'create a child epic', [
    "epics create '&1' --title 'Second quarter' -g acme", "epics create '&1' --title Secret --confidential -g acme",
  ], selectableNames(linkedEpicView))
    .addArgument(epicArgument())
    .addOption(flagFor('title', title).makeOptionMandatory())
    .addOption(flagFor('confidential', confidential))
    .action(handler<Input>((flags, epic: string) => epicsCreate(app, flags, epic)));

const epicsCreate = async (app: App, input: Input, epic: string): Promise<void> => {
  const print = changePrinter(app, input, recordPrinter(app, input, linkedEpicView));
  const { client, path, name } = await parentOf(app, input, epic);
  const created = await client.epics.create({ ...path, title: input.title, confidential: input.confidential });
  await print(`created &${created.iid} under ${name}`, created, created.url);
};
