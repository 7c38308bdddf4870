import type { App } from '../app.js';
import { reportProblems } from '../changes/problems.js';
import type { GlobalFlags } from '../command-line/flags.js';
import { nullIfFailed } from '../service/connection/unsupported.js';
import { ancestorsOf, type Child, type Parent } from '../service/targets/epic.js';
import { conflictsOf, serviceFacts } from './conflicts.js';
import type { LinkStep } from './forest.js';
import { addTree, type EpicFacts } from './live.js';
import { epicNames } from './names.js';
import { depthLimits } from './plan.js';
import { readEpicTree } from './tree.js';

interface StrictFlags extends GlobalFlags { readonly strict?: boolean }

/** The option of the commands that add one link each. */
export const strictOption = [
  '--strict', 'fail before the first change if the service may reject the hierarchy',
] as const;

/**
 * Warns of children that the service may not accept below the parent. Nothing is said where it does not report the
 * epics. @throws Problem with `--strict`, for all of them
 */
export const checkNewLinks = async (
  app: App, flags: StrictFlags, parent: Parent, children: readonly Child[],
): Promise<void> => {
  const links = await linksAbove(parent);
  if (links === null) return;
  for (const child of children) await addBelow(parent, links, child);
  const steps = children.filter(({ isHere, epic }) => epic !== null && !isHere)
    .map(({ id, parent: from }): LinkStep => typeof from === 'number'
      ? { action: 'move', epic: id, parent: links.root, from } : { action: 'assign', epic: id, parent: links.root });
  await report(app, flags, parent, links, steps);
};

/** @param confidential undefined if the new epic is like its parent */
export const checkNewEpic = async (
  app: App, flags: StrictFlags, parent: Parent, { title, confidential }: NewEpic,
): Promise<void> => {
  const links = await linksAbove(parent);
  if (links === null) return;
  const step: LinkStep = { action: 'create', epic: -1, title, parent: links.root };
  await report(app, flags, parent, links, [step], new Map(confidential === undefined ? [] : [[-1, confidential]]));
};

interface NewEpic { readonly title: string; readonly confidential?: boolean | undefined }

type Links = NonNullable<Awaited<ReturnType<typeof linksAbove>>>;

/** Null if the service does not report the parent. */
const linksAbove = async (parent: Parent) => {
  const top = await parent.epic();
  if (top === null) return null;
  const parents = new Map<number, number | null>();
  let below = top.id;
  for (const above of await ancestorsOf(parent)) {
    parents.set(below, above);
    below = above;
  }
  parents.set(below, null);
  const names = epicNames();
  names.begin(parent.client, parent.path.id, top);
  return {
    names, root: top.id, forest: { parents, children: new Map<number, readonly number[]>() },
    epics: new Map<number, EpicFacts>([[top.id, top]]),
  };
};

/** One more level than the service can accept is enough. */
const addBelow = async ({ client }: Parent, links: Links, { epic, isHere }: Child): Promise<void> => {
  if (epic === null || isHere) return;
  const path = { id: String(epic.group_id), epic_iid: epic.iid };
  const tree = await nullIfFailed(readEpicTree(client, path, { depth: depthLimits.current }));
  links.epics.set(epic.id, epic);
  await links.names.learn([epic]);
  if (tree) addTree(links, epic.id, tree);
  links.forest.parents.set(epic.id, epic.parent_id);
};

const report = async (
  app: App, flags: StrictFlags, parent: Parent, links: Links, steps: readonly LinkStep[],
  given?: ReadonlyMap<number, boolean>,
): Promise<void> => {
  const details = async (epic: number) => (await parent.groupEpics()).find(({ id }) => id === epic);
  const service = serviceFacts(parent.client, links, details);
  const conflicts = await conflictsOf(steps, links, service, given);
  await reportProblems(app, flags, conflicts,
    { isStrict: flags.strict, code: 'rejected', what: `epics cannot be below ${await parent.titled()}` });
};
