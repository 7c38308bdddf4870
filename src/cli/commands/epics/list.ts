import type { Command } from 'commander';
import type { Epic } from '../../../contract/epics.js';
import type { App } from '../../app.js';
import { defineCommand, handler, optionalEpicArgument } from '../../flags/command.js';
import { withListFlags, type ListFlags } from '../../flags/list.js';
import { listPrinter, pageSize } from '../../output/list-printer.js';
import { selectableNames } from '../../output/view.js';
import { groupOf, parentOf } from '../../targets/epic.js';
import { epicView } from '../../views/records.js';

export const epicsListCommand = (app: App): Command =>
  withListFlags(defineCommand('list', 'list the child epics of an epic, or the epics of a group and its subgroups',
    ["epics list '&1' -g acme", 'epics list -g acme', 'epics list epic/1 -g acme --json id,title'],
    selectableNames(epicView)))
    .addArgument(optionalEpicArgument())
    .action(handler<ListFlags>((flags, epic?: string) => epicsList(app, flags, epic)));

const epicsList = async (app: App, input: ListFlags, epic: string | undefined): Promise<void> => {
  if (epic === undefined) return listGroup(app, input);
  const print = listPrinter(app, input, epicView);
  const { client, path } = await parentOf(app, input, epic);
  await print(client.epics.list({ ...path, per_page: pageSize(input) }));
};

const listGroup = async (app: App, input: ListFlags): Promise<void> => {
  const print = listPrinter<Epic>(app, input, { ...epicView, emptyText: 'no epics' });
  const { client, id } = await groupOf(app, input);
  await print(client.lookups.epics({ id, per_page: pageSize(input) }));
};
