import type { App } from '../../app.js';
import { agree, recordChanger, sayPlanned } from '../../changes/run.js';
import { Problem } from '../../command-line/failure.js';
import { childArguments, defineCommand, epicArgument, handler } from '../../command-line/command.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { nullIfUnsupported } from '../../service/connection/unsupported.js';
import { canAsk, say } from '../../terminal/io/messages.js';
import { selectableNames } from '../../terminal/output/view.js';
import {
  ancestorsOf, checkLink, childOf, distinct, nameOfEpic, parentOf, withPresentParent, type Child, type Parent,
} from '../../service/targets/epic.js';
import { checkNewLinks, strictOption } from '../../epics/conflicts.js';
import { epicNames, epicView } from '../../epics/names.js';

interface Input extends GlobalFlags { readonly move?: boolean; readonly strict?: boolean }

export const epicsAssignCommand = (app: App) =>
  defineCommand('assign', 'Assign child epics to a parent epic', [
    "epics assign '&1' '&4' -g acme",
    "epics assign '&1' '&4' id:501 -g acme",
    "epics assign '&1' 'acme/team&4' -g acme --move",
  ], selectableNames(epicView(epicNames())))
    .addArgument(epicArgument())
    .addArgument(childArguments())
    .option(...strictOption)
    .option('--move', 'move a child that has another parent; without it, a terminal asks')
    .action(handler<Input>((flags, epic: string, ...children: string[]) => epicsAssign(app, flags, epic, children)));

const epicsAssign = async (app: App, input: Input, epic: string, words: readonly string[]): Promise<void> => {
  const isList = words.length > 1;
  const names = epicNames();
  const change = recordChanger(app, input, epicView(names), isList);
  const parent = await parentOf(app, input, epic);
  const children = await distinct(words, async (word) => withPresentParent(parent, await childOf(parent, word)));
  await checkCycles(parent, children);
  await checkNewLinks(app, input, parent, children);
  const parentName = await parent.titled();
  names.begin(parent.client, parent.path.id, await parent.epic());
  await confirmMoves(app, input, parent, children);
  const { failure } = await change({
    // The service puts a new child first, so the last one goes first.
    steps: children.toReversed(), isReversed: true, name: ({ name }) => name,
    make: async (child) => {
      const { id, name, page, isHere } = child;
      if (isHere) throw new Problem('rejected', `${name} is a child of ${parentName} already`, reorderHint);
      const record = await parent.client.epics.assign({ ...parent.path, child_epic_id: id });
      await checkLink(parent, child, record, true);
      await names.learn([record]);
      return { message: `assigned ${name} to ${parentName}`, record, address: record.web_url ?? page };
    },
  });
  if (failure !== null) throw failure;
};

const reorderHint = 'change its place with `colloquy epics reorder`';

/** The service would assign those before it. @throws Problem for the parent itself, and for an epic above it */
const checkCycles = async (parent: Parent, children: readonly Child[]): Promise<void> => {
  const id = (await parent.epic())?.id;
  const above = await ancestorsOf(parent);
  const wrong = children.find((child) => child.id === id || above.has(child.id));
  if (!wrong) return;
  const name = await parent.titled();
  const what = `cannot assign ${wrong.name} to ${name}`;
  throw wrong.id === id
    ? new Problem('rejected', `${what}: an epic cannot be its own parent`, 'name another child; nothing was changed')
    : new Problem('rejected', `${what}, which is below it`, `name another child, or first remove ${name} from its `
      + 'parent with `colloquy epics unassign`; nothing was changed');
};

/** Names the parents that children would leave: the service moves them without a warning. @throws Problem */
const confirmMoves = async (
  app: App, input: Input, parent: Parent, children: readonly Child[],
): Promise<void> => {
  const parentName = await parent.titled();
  const moves: string[] = [];
  const names = new Map<number, string>();
  for (const child of children) {
    const former = await formerParent(app, input, parent, child, names);
    if (former !== null) moves.push(`${child.name} from ${former}`);
    await sayPlanned(app, input, former === null ? `assign ${child.name} to ${parentName}`
      : `move ${child.name} from ${former} to ${parentName}`);
  }
  if (moves.length === 0 || input.move) return;
  if (input.dryRun) {
    if (!canAsk(app, input)) await say(app, input, 'without --move, the run is refused');
    return;
  }
  const action = `move ${moves.join(' and ')} to ${parentName}`;
  await agree(app, input, { lines: [], action, flag: '--move', recheck: () => checkSameParents(parent, children) });
};

/** @throws Problem if a child has another parent than was shown */
const checkSameParents = async ({ client }: Parent, children: readonly Child[]): Promise<void> => {
  for (const { name, epic, parent } of children) {
    const now = epic && await nullIfUnsupported(client.lookups.epic({ id: String(epic.group_id), iid: epic.iid }));
    if (!now || now.parent_id === parent) continue;
    throw new Problem('failure', `${name} was moved by another user after the question`, 'run the command again');
  }
};

const formerParent = async (
  app: App, input: GlobalFlags, target: Parent, { name, parent, isHere }: Child, names: Map<number, string>,
): Promise<string | null> => {
  if (isHere || parent === null) return null;
  if (parent === undefined) {
    await say(app, input, `cannot tell whether ${name} already has a parent`);
    // The list of the group has at least the target, unless the service cannot list epics.
    return (await target.groupEpics())?.length === 0 ? null : 'an unknown parent';
  }
  const former = names.get(parent) ?? await nameOfEpic(target, parent);
  names.set(parent, former);
  return former;
};
