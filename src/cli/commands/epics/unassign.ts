import { NoResultError } from '../../../client/errors.js';
import type { Epic } from '../../../contract/epics.js';
import type { App } from '../../app.js';
import { agree, recordChanger } from '../../changes/run.js';
import { commandLine, epicNames, epicView, type EpicNames } from '../../epics/names.js';
import { childArguments, defineCommand, epicArgument, handler } from '../../command-line/command.js';
import { Problem } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { say } from '../../terminal/io/messages.js';
import { selectableNames } from '../../terminal/output/view.js';
import { checkLink, distinct, parentOf, siblingOf, type Child, type Parent } from '../../service/targets/epic.js';

export const epicsUnassignCommand = (app: App) =>
  defineCommand('unassign', 'Remove child epics from their parent', [
    "epics unassign '&1' '&4' -g acme", "epics unassign '&1' '&4' id:501 -g acme --yes",
  ], selectableNames(epicView(epicNames())))
    .addArgument(epicArgument())
    .addArgument(childArguments())
    .action(handler<object>((flags, epic: string, ...children: string[]) =>
      epicsUnassign(app, flags, epic, children)));

const epicsUnassign = async (app: App, input: GlobalFlags, epic: string, words: readonly string[]): Promise<void> => {
  const names = epicNames();
  const change = recordChanger(app, input, epicView(names), words.length > 1);
  const parent = await parentOf(app, input, epic);
  const children = await distinct(words, (word) => siblingOf(parent, word));
  const parentName = await parent.titled();
  names.begin(parent.client, parent.path.id, await parent.epic());
  const childNames = children.map(({ name }) => name).join(' and ');
  await agree(app, input, { lines: [], action: `remove ${childNames} from ${parentName}` });
  const { done, failure } = await change({
    steps: children, name: ({ name }) => name,
    make: async (child) => {
      await checkBelow(parent, child);
      const record = await remove(parent, child);
      await checkLink(parent, child, record, false);
      await names.learn([record]);
      return { message: `removed ${child.name} from ${parentName}`, record, address: record.web_url ?? child.page };
    },
  });
  const removed = done.map(({ id }) => id);
  if (done.length > 0) await say(app, input, `to undo: ${await undoCommand(input, parent, removed, names)}`);
  if (failure !== null) throw failure;
};

/** Older services do not check the parent (behavior: epics.unassign-unknown). @throws Problem */
const checkBelow = async ({ client, path, titled }: Parent, { id, name }: Child): Promise<void> => {
  if ((await client.epics.list(path).complete()).some((one) => one.id === id)) return;
  throw new Problem('failure', `${name} is not a child of ${await titled()} any more: another user moved it`,
    'run the command again without it');
};

/** The removed child. A repeated request has no result if an earlier attempt succeeded. */
const remove = async ({ client, path, children }: Parent, { id }: Child): Promise<Epic> => {
  try {
    return await client.epics.unassign({ ...path, child_epic_id: id });
  } catch (error) {
    const known = (await children()).find((one) => one.id === id);
    if (!(error instanceof NoResultError) || !known) throw error;
    return { ...known, parent_id: null };
  }
};

/** The command that puts removed children back where they were among their siblings. */
const undoCommand = async (
  input: GlobalFlags, parent: Parent, removed: readonly number[], { refOf }: EpicNames,
): Promise<string> => {
  const children = await parent.children();
  const order = children.map(({ id }) => id);
  const last = order.findLastIndex((id) => removed.includes(id));
  const back = children.filter(({ id }) => removed.includes(id)).map((child) => {
    const ref = refOf(child);
    return ref.startsWith('&') ? wordOf(child.id) : ref;
  });
  const assign = commandLine(['epics', 'assign', parent.ref, ...back], input);
  if (last < removed.length) return assign;
  const place = removed.length === 1 ? [...back, '--after', wordOf(order[last - 1]!)]
    : ['--order', order.slice(0, last + 1).map(wordOf).join(',')];
  return `${assign} && ${commandLine(['epics', 'reorder', parent.ref, ...place], input)}`;
};

const wordOf = (id: number): string => `id:${id}`;
