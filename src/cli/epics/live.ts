import { ApiError } from '../../client/errors.js';
import type { Epic } from '../../contract/epics.js';
import { once } from '../service/connection/batch.js';
import { nullIfUnsupported } from '../service/connection/unsupported.js';
import { Problem } from '../command-line/failure.js';
import { plainLine } from '../../text/plain.js';
import type { Progress } from '../terminal/io/messages.js';
import { epicAmong, refBeside, type Parent } from '../service/targets/epic.js';
import { epicNames, type EpicNames } from './names.js';
import type { Forest } from './plan.js';
import { readEpicTree, type EpicNode, type EpicTree } from './tree.js';

export type EpicFacts = Pick<Epic, 'id' | 'iid' | 'group_id' | 'parent_id' | 'title'>
  & Partial<Pick<Epic, 'references' | 'web_url' | 'created_at' | 'confidential' | '_links'>>;

export interface Live {
  readonly root: number;
  readonly forest: Forest;
  readonly epics: ReadonlyMap<number, EpicFacts>;
  readonly names: Pick<EpicNames, 'refOf'>;
}

export interface LiveReader {
  readonly live: Live;
  /** Does not add the epic. @throws Problem */
  readonly find: (word: string) => Promise<EpicFacts>;
  /** Adds an epic outside the hierarchy, everything below it, and the children of its parent. */
  readonly add: (epic: EpicFacts) => Promise<void>;
  readonly addChildren: (epic: EpicFacts) => Promise<void>;
  /** From the list of the group, which has fields that lists of children may lack. */
  readonly details: (epic: number) => Promise<EpicFacts | undefined>;
}

const unknownRoot = 0;

type Reading = Live & {
  readonly names: EpicNames;
  readonly parent: Parent;
  readonly progress: Pick<Progress, 'show'>;
  readonly epics: Map<number, EpicFacts>;
  readonly listed: () => Promise<ReadonlyMap<number, EpicFacts> | null>;
};

/** With the ancestors as far as the group's list has them. @throws Problem */
export const readLiveLinks = async (parent: Parent, progress: Pick<Progress, 'show'>): Promise<LiveReader> => {
  const tree = await readEpicTree(parent.client, parent.path, { isExact: true, progress });
  checkTree(tree, parent.name);
  const root = tree.epic?.id ?? tree.children[0]?.epic.parent_id ?? unknownRoot;
  const names = epicNames();
  names.begin(parent.client, parent.path.id, tree.epic);
  const reading: Reading = {
    names, root, forest: { parents: new Map(), children: new Map() }, epics: new Map(), parent, progress,
    listed: groupList(parent),
  };
  if (tree.epic) reading.epics.set(root, tree.epic);
  addTree(reading, root, tree);
  await addAncestors(reading, root, tree.epic?.parent_id ?? null);
  await names.learn([...reading.epics.values()]);
  return {
    live: reading,
    find: (word) => find(reading, word),
    add: (epic) => add(reading, epic),
    addChildren: (epic) => addChildren(reading, epic),
    details: async (epic) => (await reading.listed())?.get(epic),
  };
};

const groupList = ({ client, path }: Parent): Reading['listed'] => once(async () => {
  const epics = await nullIfUnsupported(client.lookups.epics({ id: path.id }).complete());
  return epics && new Map(epics.map((epic) => [epic.id, epic]));
});

/** @throws Problem for a cycle, which this program cannot change safely */
const checkTree = ({ repeated: [first] }: EpicTree, name: string): void => {
  if (!first) return;
  throw new Problem('failure', `the hierarchy below ${name} has a cycle at &${first.epic.iid} "${first.epic.title}"`,
    'remove that epic from one of its parents first');
};

export const addTree = (
  { forest, epics }: Pick<Reading, 'forest' | 'epics'>, top: number, { children }: Pick<EpicTree, 'children'>,
): void => {
  const pending: [number, readonly EpicNode[]][] = [[top, children]];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [parent, nodes] = next;
    forest.children.set(parent, nodes.map(({ epic }) => epic.id));
    for (const { epic, children: below } of nodes) {
      epics.set(epic.id, epic);
      forest.parents.set(epic.id, parent);
      if (below) pending.push([epic.id, below]);
    }
  }
};

const addAncestors = async (reading: Reading, epic: number, above: number | null): Promise<void> => {
  const { forest, epics } = reading;
  let [child, parent] = [epic, above];
  while (parent !== null && !forest.parents.has(child)) {
    forest.parents.set(child, parent);
    const facts: EpicFacts | undefined = epics.get(parent) ?? (await reading.listed())?.get(parent);
    if (!facts) return;
    epics.set(parent, facts);
    [child, parent] = [parent, facts.parent_id];
  }
  if (!forest.parents.has(child)) forest.parents.set(child, null);
};

const add = async (reading: Reading, epic: EpicFacts): Promise<void> => {
  const { forest, epics, parent: { client }, progress } = reading;
  if (forest.children.has(epic.id)) return;
  const path = { id: String(epic.group_id), iid: epic.iid };
  const tree = await readEpicTree(client, path, { isExact: true, progress });
  checkTree(tree, `&${epic.iid}`);
  epics.set(epic.id, epic);
  addTree(reading, epic.id, tree);
  await addAncestors(reading, epic.id, epic.parent_id);
  await reading.names.learn([...reading.epics.values()]);
  const parent = epic.parent_id === null ? undefined : epics.get(epic.parent_id);
  if (parent) await addChildren(reading, parent);
};

const addChildren = async (reading: Reading, epic: EpicFacts): Promise<void> => {
  const { forest, epics, parent: { client } } = reading;
  if (forest.children.has(epic.id)) return;
  const children = await client.epics.list({ id: String(epic.group_id), iid: epic.iid }).complete();
  epics.set(epic.id, epic);
  forest.children.set(epic.id, children.map(({ id }) => id));
  for (const child of children) {
    epics.set(child.id, child);
    forest.parents.set(child.id, epic.id);
  }
  await reading.names.learn([epic, ...children]);
};

const find = async (reading: Reading, word: string): Promise<EpicFacts> => {
  const { parent } = reading;
  const ref = refBeside(parent, word);
  const iid = Number(ref.id);
  if (ref.isGlobal) return findById(reading, iid, word);
  const group = ref.container ?? parent.path.id;
  const found = await known(reading, group, iid, word) ?? await lookUp(parent, group, iid, word);
  if (found) return found;
  throw new Problem('not_found', `cannot find the global id of ${word}: the service does not report it`,
    'name it by its global id: id:501');
};

const known = async (
  { parent, epics, root }: Reading, group: string, iid: number, word: string,
): Promise<EpicFacts | undefined> => {
  const here = group === parent.path.id ? epics.get(root)?.group_id : undefined;
  if (here === undefined) return epicAmong(parent.client, [...epics.values()], group, iid, word);
  return [...epics.values()].find((epic) => epic.iid === iid && epic.group_id === here);
};

const findById = async ({ epics, listed, parent }: Reading, id: number, word: string): Promise<EpicFacts> => {
  const found = epics.get(id) ?? (await listed())?.get(id);
  if (found) return found;
  throw new Problem('not_found', `cannot find ${word} in group ${parent.path.id}`, 'name it by its group: group&1');
};

/**
 * Null if the service cannot look up epics. Some versions report a missing epic as forbidden (behavior:
 * epics.unknown-parent).
 */
const lookUp = async ({ client }: Parent, group: string, iid: number, word: string): Promise<EpicFacts | null> => {
  try {
    return await nullIfUnsupported(client.lookups.epic({ id: group, iid }));
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 403 && error.status !== 404)) throw error;
    throw new Problem('not_found', `${word} is missing, or the token cannot read it`, 'check the reference',
      { cause: error });
  }
};

/** `&4 "Login"`, with its group if that is another one than at the top. */
export const nameIn = ({ epics, names }: Pick<Live, 'epics' | 'names'>, id: number): string => {
  const epic = epics.get(id);
  if (!epic) return `id:${id}`;
  return `${names.refOf(epic)} "${plainLine(epic.title)}"`;
};

export type CreatedEpic = Pick<EpicFacts, 'id' | 'iid' | 'group_id' | 'title'> & { readonly url: string | null };
