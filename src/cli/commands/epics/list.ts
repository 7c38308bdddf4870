import type { Command } from 'commander';
import type { App } from '../../app.js';
import { defineCommand, epicArgument, handler } from '../../flags/command.js';
import { withListFlags, type ListFlags } from '../../flags/list.js';
import { listPrinter, pageSize } from '../../output/list-printer.js';
import { selectableNames } from '../../output/view.js';
import { parentOf } from '../../targets/epic.js';
import { epicView } from '../../views/records.js';

export const epicsListCommand = (app: App): Command =>
  withListFlags(defineCommand('list', 'list the child epics of an epic',
    ["epics list '&1' -g acme", 'epics list epic/1 -g acme --json=id,title'], selectableNames(epicView)))
    .addArgument(epicArgument())
    .action(handler<ListFlags>((flags, epic: string) => epicsList(app, flags, epic)));

const epicsList = async (app: App, input: ListFlags, epic: string): Promise<void> => {
  const print = listPrinter(app, input, epicView);
  const { client, path } = await parentOf(app, input, epic);
  await print(client.epics.list({ ...path, per_page: pageSize(input) }));
};
