import type { Epic } from '../../../contract/epics.js';
import { counted } from '../../../text/messages.js';
import type { App } from '../../app.js';
import { failureOfSteps, nothingChanged, printUnsentRequests, runSteps, sayPlanned } from '../../changes/run.js';
import { isPlaced, movesTo, reorderParams, type Move } from '../../epics/plan.js';
import { Problem, usage } from '../../command-line/failure.js';
import { defineCommand, epicArgument, handler, optionalChildArgument } from '../../command-line/command.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { say } from '../../terminal/io/messages.js';
import { plainLine } from '../../../text/plain.js';
import { changePrinter, type PrintChange } from '../../terminal/output/record-printer.js';
import { listPrinter, wholeList } from '../../terminal/output/list-printer.js';
import { selectableNames } from '../../terminal/output/view.js';
import { distinct, parentOf, siblingOf, type Child, type Parent } from '../../service/targets/epic.js';
import { epicNames, epicView, withNames } from '../../epics/names.js';

interface Input extends GlobalFlags {
  readonly before?: string;
  readonly after?: string;
  readonly first?: boolean;
  readonly last?: boolean;
  readonly order?: string;
}

export const epicsReorderCommand = (app: App) =>
  defineCommand('reorder', 'Move a child epic among its siblings, or put the children in an order', [
    "epics reorder '&1' '&4' --before '&2' -g acme", "epics reorder '&1' id:504 --first -g acme",
    "epics reorder '&1' --order '&3,&2,id:504' -g acme",
  ], selectableNames(epicView(epicNames())))
    .addArgument(epicArgument())
    .addArgument(optionalChildArgument())
    .option('--before <sibling>', 'sibling to place the child before')
    .option('--after <sibling>', 'sibling to place the child after')
    .option('--first', 'place the child before all its siblings')
    .option('--last', 'place the child after all its siblings')
    .option('--order <children>', 'children in their new order, separated by commas; the others follow them')
    .action(handler<Input>((flags, epic: string, child?: string) => epicsReorder(app, flags, epic, child)));

const epicsReorder = async (app: App, input: Input, epic: string, word: string | undefined): Promise<void> => {
  const names = epicNames();
  const print = changePrinter(app, input, (on) => {
    const printList = listPrinter(on, input, epicView(names));
    return (siblings: readonly Epic[]) => printList(withNames(wholeList(siblings), names));
  });
  checkFlags(input, word);
  const parent = await parentOf(app, input, epic);
  names.begin(parent.client, parent.path.id);
  if (input.order !== undefined) return reorderAll(app, input, parent, input.order.split(','), print);
  const child = await siblingOf(parent, word!);
  const { params, place } = await placeOf(parent, child, input);
  await sayPlanned(app, input, `move ${child.name} ${place}`);
  const before = await parent.children();
  const reordering = { child_epic_id: child.id, ...params };
  const siblings = before.length === 1 ? before : await parent.client.epics.reorder({ ...parent.path, ...reordering });
  if (!isPlaced(siblings, reordering)) throw misplaced(child);
  const isMoved = siblings.some(({ id }, index) => id !== before[index]?.id);
  const message = isMoved ? `moved ${child.name} ${place}` : `nothing changed: ${child.name} is already there`;
  await print(message, siblings, siblings.find(({ id }) => id === child.id)?.web_url ?? child.page);
};

const checkFlags = ({ before, after, first, last, order }: Input, word: string | undefined): void => {
  const isBeside = before !== undefined || after !== undefined;
  const ways = [order !== undefined && '--order', first && '--first', last && '--last',
    isBeside && (before === undefined ? '--after' : '--before')].filter(Boolean);
  if (ways.length > 1) throw usage(`${ways[0]} and ${ways[1]} cannot be combined`, 'use only one of them');
  if (order !== undefined) {
    if (word === undefined) return;
    throw usage('--order and a child cannot be combined', 'name all children with --order');
  }
  if (word === undefined) throw usage('no child given', 'name the child to move, or several with --order');
  if (ways.length === 0) {
    throw usage('no position given', 'pass --before SIBLING, --after SIBLING, --first or --last');
  }
};

/**
 * The wire names the sibling's side, the flags name the child's side (behavior: epics.reorder-before,
 * epics.reorder-after). @returns also the place as in "moved &4 …": `before &2 "Login"` @throws Problem
 */
const placeOf = async (parent: Parent, child: Pick<Child, 'id'>, flags: Input) => {
  const others = (await parent.children()).filter(({ id }) => id !== child.id);
  if (flags.first) return { params: { move_after_id: others[0]?.id }, place: 'to the start' };
  if (flags.last) return { params: { move_before_id: others.at(-1)?.id }, place: 'to the end' };
  const next = flags.before === undefined ? undefined : await siblingOf(parent, flags.before);
  const previous = flags.after === undefined ? undefined : await siblingOf(parent, flags.after);
  return {
    params: { move_after_id: next?.id, move_before_id: previous?.id },
    place: [previous && `after ${previous.name}`, next && `before ${next.name}`].filter(Boolean).join(' and '),
  };
};

/** With the fewest calls. Each move depends on those before it, so a failure ends them. */
const reorderAll = async (
  app: App, input: Input, parent: Parent, words: readonly string[], print: PrintChange<readonly Epic[]>,
): Promise<void> => {
  const named = await distinct(words.map((word) => word.trim()), (word) => siblingOf(parent, word));
  const current = await parent.children();
  const ids = current.map(({ id }) => id);
  const moves = movesTo(ids, named.map(({ id }) => id));
  const nameOf = nameIn(current, named);
  for (const move of moves) await sayPlanned(app, input, `move ${moveText(move, nameOf)}`);
  const siblings = await makeMoves(app, input, parent, moves, nameOf) ?? current;
  if (input.dryRun && moves.length > 0) return;
  checkOrder(siblings, named);
  const message = moves.length === 0 ? `${nothingChanged(input)}: the children are in this order already`
    : `put ${counted(named.length, 'child', 'children')} in order with ${counted(moves.length, 'move')}`;
  await print(message, siblings, (await parent.epic())?.web_url ?? null);
};

/** Resolves to the children in their new order; null if there is no move. */
const makeMoves = async (
  app: App, input: GlobalFlags, parent: Parent, moves: readonly Move[], nameOf: (id: number) => string,
): Promise<readonly Epic[] | null> => {
  const outcomes = await runSteps(app, input, moves, {
    make: (move) => parent.client.epics.reorder({ ...parent.path, ...reorderParams(move) }),
    ends: () => true, progress: (number, count) => `move ${number} of ${count} …`,
  });
  await printUnsentRequests(app, input, outcomes);
  const failure = failureOfSteps(outcomes, ({ child }) => nameOf(child));
  const made = outcomes.filter(({ status }) => status === 'done');
  if (failure === null) return made.at(-1)?.result ?? null;
  for (const { step } of made) await say(app, input, `moved ${moveText(step, nameOf)}`);
  await say(app, input, `made ${made.length} of ${moves.length} moves; run the command again to make the others`);
  throw failure;
};

const moveText = (move: Move, nameOf: (id: number) => string): string =>
  `${nameOf(move.child)} ${'after' in move ? `after ${nameOf(move.after)}` : `before ${nameOf(move.before)}`}`;

const nameIn = (siblings: readonly Epic[], named: readonly Child[]) => (id: number): string => {
  const title = siblings.find((one) => one.id === id)?.title ?? '';
  return named.find((child) => child.id === id)?.name ?? `id:${id} "${plainLine(title)}"`;
};

/** @throws Problem if the named children are not in this order at the start, as after a change by somebody else */
const checkOrder = (siblings: readonly Epic[], named: readonly Child[]): void => {
  const wrong = named.find((child, at) => siblings[at]?.id !== child.id);
  if (wrong !== undefined) throw misplaced(wrong);
};

const misplaced = ({ name }: Child): Problem =>
  new Problem('rejected', `${name} is not in the requested position; its siblings changed during the run`,
    'run the command again');
