import { contract } from '../../../contract/contract.js';
import type { LinkedEpic } from '../../../contract/epics.js';
import type { App } from '../../app.js';
import { sayPlanned } from '../../changes/run.js';
import { commandLine, linkedEpicView } from '../../epics/names.js';
import { checkNewEpic, strictOption } from '../../epics/conflicts.js';
import { isPlaced, reorderParams } from '../../epics/plan.js';
import { isSameTitle } from '../../epics/document-nodes.js';
import { withFollowing } from '../../service/connection/dry-run.js';
import { Problem, usage } from '../../command-line/failure.js';
import { defineCommand, epicArgument, handler } from '../../command-line/command.js';
import { flagFor, type GlobalFlags } from '../../command-line/flags.js';
import { say } from '../../terminal/io/messages.js';
import { plainLine } from '../../../text/plain.js';
import { changePrinter, recordPrinter } from '../../terminal/output/record-printer.js';
import { selectableNames } from '../../terminal/output/view.js';
import { parentOf, siblingOf, type Parent } from '../../service/targets/epic.js';

interface Input extends GlobalFlags {
  readonly title: string;
  readonly confidential?: boolean;
  readonly before?: string;
  readonly after?: string;
  readonly strict?: boolean;
}

const { params } = contract.epics.create;

export const epicsCreateCommand = (app: App) =>
  defineCommand('create', 'Create a child epic, before its siblings or at a place among them', [
    "epics create '&1' --title 'Second quarter' -g acme", "epics create '&1' --title Secret --confidential -g acme",
    "epics create '&1' --title Launch --after '&4' -g acme",
  ], selectableNames(linkedEpicView))
    .addArgument(epicArgument())
    .addOption(flagFor('title', params.title).makeOptionMandatory())
    .addOption(flagFor('confidential', params.confidential))
    .option(...strictOption)
    .option('--before <sibling>', 'sibling to place the new epic before')
    .option('--after <sibling>', 'sibling to place the new epic after')
    .action(handler<Input>((flags, epic: string) => epicsCreate(app, flags, epic)));

const epicsCreate = async (app: App, input: Input, epic: string): Promise<void> => {
  const print = changePrinter(app, input, (on) => recordPrinter(on, input, linkedEpicView));
  const { title, confidential } = input;
  if (input.before !== undefined && input.after !== undefined) {
    throw usage('--before and --after cannot be combined', 'use only one of them');
  }
  const parent = await parentOf(app, input, epic);
  const { client, path, titled } = parent;
  const place = await placeOf(parent, input);
  await checkNewEpic(app, input, parent, input);
  if (input.dryRun) await sayPlanned(app, input, `create "${title}" under ${await titled()}${place?.text ?? ''}`);
  const creation = withFollowing(client.epics.create({ ...path, title, confidential }),
    async () => place && moveNew(parent, { id: unknownId }, title, place.beside));
  const [created, parentName] = await Promise.all([creation, titled()]);
  const name = `&${created.iid} "${plainLine(created.title)}"`;
  // After this failure the new epic exists all the same.
  const failure = place && await moveNew(parent, created, name, place.beside).then(() => null, (error: Error) => error);
  const message = `created ${name} under ${parentName}`;
  await print(`${message}${failure ? '' : place?.text ?? ''}`, created, created.url);
  await warnOfCopies(app, input, parent, created);
  if (!failure) return;
  const move = commandLine(['epics', 'reorder', parent.ref, `id:${created.id}`, ...place.flags], input);
  await say(app, input, `the new epic is not moved; to move it: ${move}`);
  throw failure;
};

/** A dry run prints it in place of the id that the service will give to the epic. */
const unknownId = 'NEW_EPIC_ID' as never;

const moveNew = async (
  { client, path }: Parent, { id }: Pick<LinkedEpic, 'id'>, name: string,
  beside: { readonly after: number } | { readonly before: number },
): Promise<void> => {
  const reordering = reorderParams({ child: id, ...beside });
  if (isPlaced(await client.epics.reorder({ ...path, ...reordering }), reordering)) return;
  throw new Problem('rejected', `${name} is not in the requested position`);
};

/** How far apart two epics of one title may be created to be a mistake, in milliseconds. */
const closeTimes = 60_000;

/** Another program may have created the same epic at once, or the service has stored a repeated request too. */
const warnOfCopies = async (
  app: App, flags: GlobalFlags, { client, path }: Parent, { id, title }: LinkedEpic,
): Promise<void> => {
  const siblings = await client.epics.list(path).all().catch(() => []);
  const at = Date.parse(siblings.find((epic) => epic.id === id)?.created_at ?? '');
  const copies = siblings.filter((epic) => epic.id !== id && isSameTitle(epic.title, title)
    && Math.abs(Date.parse(epic.created_at) - at) < closeTimes);
  for (const copy of copies) {
    await say(app, flags, `warning: "${plainLine(title)}" was created twice, as id:${id} and as id:${copy.id}; `
      + 'delete one of them in the web interface');
  }
};

/** Null if no place is given. @throws Problem for a sibling that is not a child of the parent */
const placeOf = async (parent: Parent, { before, after }: Input) => {
  const word = before ?? after;
  if (word === undefined) return null;
  const sibling = await siblingOf(parent, word);
  const name = before === undefined ? 'after' : 'before';
  const beside = before === undefined ? { after: sibling.id } : { before: sibling.id };
  return { beside, text: ` ${name} ${sibling.name}`, flags: [`--${name}`, `id:${sibling.id}`] };
};
