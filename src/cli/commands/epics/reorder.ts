import type { Command } from 'commander';
import type { Page } from '../../../client/pagination/pages.js';
import type { App } from '../../app.js';
import { usage } from '../../errors/failure.js';
import { childArgument, defineCommand, epicArgument, handler } from '../../flags/command.js';
import type { GlobalFlags } from '../../flags/global.js';
import { say } from '../../io/messages.js';
import { listPrinter, type Listed } from '../../output/list-printer.js';
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
  const print = listPrinter(app, input, epicView);
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
  await say(app, input, isMoved ? `moved ${child.name} ${describePlace(input)}`
    : `nothing changed: ${child.name} is already there`);
  await print(wholeList(siblings));
};

const describePlace = ({ before, after }: Input): string =>
  [after && `after ${after}`, before && `before ${before}`].filter(Boolean).join(' and ');

/** The response contains all siblings in their new order. */
const wholeList = <T>(items: readonly T[]): Listed<T> => ({
  async *pages(): AsyncIterable<Page<T>> {
    yield { items, page: 1, perPage: null, total: items.length, pages: 1, more: false };
  },
});
