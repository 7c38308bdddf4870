import type { Command } from 'commander';
import type { Epic } from '../../../contract/epics.js';
import type { App } from '../../app.js';
import { usage } from '../../errors/failure.js';
import { childArgument, defineCommand, epicArgument, handler } from '../../flags/command.js';
import type { GlobalFlags } from '../../flags/global.js';
import { changePrinter } from '../../output/change-printer.js';
import { listPrinter, wholeList } from '../../output/list-printer.js';
import { selectableNames } from '../../output/view.js';
import { childOf, parentOf } from '../../targets/epic.js';
import { epicView } from '../../views/records.js';

interface Input extends GlobalFlags {
  readonly before?: string;
  readonly after?: string;
}

export const epicsReorderCommand = (app: App): Command =>
  defineCommand('reorder', 'move a child epic before or after a sibling', [
    "epics reorder '&1' '&4' --before '&2' -g acme", "epics reorder '&1' id:504 --after id:502 -g acme",
  ], selectableNames(epicView))
    .addArgument(epicArgument())
    .addArgument(childArgument())
    .option('--before <sibling>', 'sibling to place the child before')
    .option('--after <sibling>', 'sibling to place the child after')
    .action(handler<Input>((flags, epic: string, child: string) => epicsReorder(app, flags, epic, child)));

const epicsReorder = async (app: App, input: Input, epic: string, word: string): Promise<void> => {
  const printList = listPrinter(app, input, epicView);
  const print = changePrinter(app, input, (siblings: readonly Epic[]) => printList(wholeList(siblings)));
  const { before, after } = input;
  if (before === undefined && after === undefined) {
    throw usage('no position given', 'pass --before SIBLING or --after SIBLING');
  }
  const parent = await parentOf(app, input, epic);
  const child = await childOf(parent, word);
  const siblings = await parent.client.epics.reorder({
    ...parent.path, child_epic_id: child.id,
    // The wire names the sibling's side, the flags name the child's side (wire-facts 6.5.1).
    move_after_id: before === undefined ? undefined : (await childOf(parent, before)).id,
    move_before_id: after === undefined ? undefined : (await childOf(parent, after)).id,
  });
  const isMoved = siblings.some(({ id }, index) => id !== child.order[index]);
  const message = isMoved ? `moved ${child.name} ${describePlace(input)}`
    : `nothing changed: ${child.name} is already there`;
  await print(message, siblings, siblings.find(({ id }) => id === child.id)?.web_url ?? child.page);
};

const describePlace = ({ before, after }: Input): string =>
  [after && `after ${after}`, before && `before ${before}`].filter(Boolean).join(' and ');
