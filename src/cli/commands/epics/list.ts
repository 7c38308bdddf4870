import type { Client } from '../../../client/methods.js';
import type { Epic } from '../../../contract/epics.js';
import type { App } from '../../app.js';
import { defineCommand, epicArgument, handler } from '../../command-line/command.js';
import { withListFlags, type ListFlags } from '../../command-line/flags.js';
import { showingProgress } from '../../terminal/io/messages.js';
import { listPrinter, pageSize, wholeList } from '../../terminal/output/list-printer.js';
import { selectableNames } from '../../terminal/output/view.js';
import { groupOf, parentOf, type Parent } from '../../service/targets/epic.js';
import { epicNames, epicView, withNames } from '../../epics/names.js';

interface Input extends ListFlags { readonly recursive?: boolean }

export const epicsListCommand = (app: App) =>
  withListFlags(defineCommand('list', 'List the child epics of an epic, or the epics of a group',
    ["epics list '&1' -g acme", 'epics list -g acme', 'epics list epic/1 -g acme --recursive --json id,title'],
    selectableNames(epicView(epicNames()))))
    .addArgument(epicArgument('[epic]'))
    .option('--recursive', 'also list the children of the children, or the epics of subgroups')
    .action(handler<Input>((flags, epic?: string) => epicsList(app, flags, epic)));

const epicsList = async (app: App, input: Input, epic: string | undefined): Promise<void> => {
  if (epic === undefined) return listGroup(app, input);
  const names = epicNames();
  const print = listPrinter(app, input, epicView(names));
  const { client, path } = await parentOf(app, input, epic);
  names.begin(client, path.id);
  await print(withNames(input.recursive ? wholeList(await epicsBelow(app, input, client, path))
    : client.epics.list({ ...path, per_page: pageSize(input) }), names));
};

const epicsBelow = (app: App, input: Input, client: Client, path: Parent['path']): Promise<readonly Epic[]> =>
  showingProgress(app, input, async (progress) => {
    const { readEpicTree, epicsIn } = await import('../../epics/tree.js');
    return epicsIn((await readEpicTree(client, path, { progress })).children);
  });

const listGroup = async (app: App, input: Input): Promise<void> => {
  const names = epicNames();
  const print = listPrinter<Epic>(app, input, { ...epicView(names), emptyText: 'no epics' });
  const { client, id } = await groupOf(app, input);
  const include_descendant_groups = input.recursive ?? false;
  names.begin(client, id);
  await print(withNames(
    client.lookups.epics({ id, include_descendant_groups, per_page: pageSize(input) }), names));
};
