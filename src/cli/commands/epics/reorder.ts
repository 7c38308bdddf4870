import type { Command } from 'commander';
import type { Epic } from '../../../contract/epics.js';
import type { App } from '../../app.js';
import { Problem, usage } from '../../errors/failure.js';
import { childArgument, defineCommand, epicArgument, handler } from '../../flags/command.js';
import type { GlobalFlags } from '../../flags/global.js';
import { sayIfDryRun } from '../../io/messages.js';
import { changePrinter } from '../../output/change-printer.js';
import { listPrinter, wholeList } from '../../output/list-printer.js';
import { selectableNames } from '../../output/view.js';
import { childOf, parentOf, type Child, type Parent } from '../../targets/epic.js';
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
  const child = await siblingOf(parent, word);
  const [next, previous] = [before && await siblingOf(parent, before), after && await siblingOf(parent, after)];
  const place = [previous && `after ${previous.name}`, next && `before ${next.name}`].filter(Boolean).join(' and ');
  await sayIfDryRun(app, input, `move ${child.name} ${place}`);
  const siblings = await parent.client.epics.reorder({
    ...parent.path, child_epic_id: child.id,
    // The wire names the sibling's side, the flags name the child's side (wire-facts 6.5.1).
    move_after_id: next ? next.id : undefined,
    move_before_id: previous ? previous.id : undefined,
  });
  const isMoved = siblings.some(({ id }, index) => id !== child.order[index]);
  const message = isMoved ? `moved ${child.name} ${place}` : `nothing changed: ${child.name} is already there`;
  await print(message, siblings, siblings.find(({ id }) => id === child.id)?.web_url ?? child.page);
};

/** @throws Problem for an epic that is not a child of the parent */
const siblingOf = async (parent: Parent, word: string): Promise<Child> => {
  const child = await childOf(parent, word);
  if (child.isHere) return child;
  throw new Problem('not_found', `${child.name} is not a child of ${await parent.titled()}`,
    `run \`colloquy epics list '${parent.name}'\` to list the children`);
};
