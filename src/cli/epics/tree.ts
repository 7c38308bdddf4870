import type { Client } from '../../client/methods.js';
import type { Page, Pages } from '../../client/pages.js';
import type { Epic } from '../../contract/epics.js';
import { maxParallel, mapInParallel } from '../service/connection/batch.js';
import { nullIfUnsupported } from '../service/connection/unsupported.js';
import type { Progress } from '../terminal/io/messages.js';

export interface EpicNode {
  readonly epic: Epic;
  /** In the order of the service; null if they were not read because of the depth limit. */
  readonly children: readonly EpicNode[] | null;
}

/** As in a cycle. It is left out there, so that the tree ends. */
interface Repeated {
  readonly epic: Epic;
  readonly parent: Epic | null;
}

export interface EpicTree {
  /** The epic at the top; null for a group, and if the service has no lookup of an epic. */
  readonly epic: Epic | null;
  readonly children: readonly EpicNode[];
  readonly repeated: readonly Repeated[];
}

export const epicsIn = (nodes: readonly EpicNode[]): Epic[] =>
  nodes.flatMap(({ epic, children }) => [epic, ...epicsIn(children ?? [])]);

export interface TreeOptions {
  readonly depth?: number | undefined;
  /** Reads the children of every epic. Else epics with children outside the group and its subgroups may lack them. */
  readonly isExact?: boolean;
  readonly progress?: Pick<Progress, 'show'>;
}

/** No service allows so many levels. A deeper tree is cut here, like one with a depth limit. */
const maxDepth = 100;

/** The list of the group is not worth its requests for a tree with so few parents. */
const smallWalk = maxParallel;

/**
 * Small trees are read parent by parent. For large ones, the list of epics of the group tells which epics have
 * children; only their lists of children are read, which alone have the order. Without that list, all children are
 * read.
 * @throws the error of the first request that fails: there is no partial tree
 */
export const readEpicTree = async (
  client: Client, path: { readonly id: string; readonly iid: number }, options: TreeOptions = {},
): Promise<EpicTree> => {
  const [epic, children] = await Promise.all([
    nullIfUnsupported(client.lookups.epic(path)),
    readAll(client.epics.list(path), options.isExact),
  ]);
  let group: Promise<GroupList | null> | undefined;
  const groupOnce = () =>
    group ??= options.isExact ? Promise.resolve(null) : groupList(client, path.id, options.progress);
  const top = epic?.id ?? children[0]?.parent_id ?? null;
  return readLevels({ client, group: groupOnce, epic, top, children }, options);
};

/**
 * Includes subgroups, in the order of the group's list. A cycle starts at its oldest epic.
 * @throws the error of the first request that fails, even if the service cannot list the epics of a group
 */
export const readGroupTree = async (
  client: Client, id: string, options: Omit<TreeOptions, 'isExact'> = {},
): Promise<EpicTree> => {
  const epics = await allOf(client.lookups.epics({ id }).pages(), options.progress);
  const group = async () => ({ requests: 0, all: async () => epics });
  return readLevels({ client, group, epic: null, top: null, children: rootsOf(epics) }, options);
};

interface GroupList {
  readonly requests: number;
  readonly all: () => Promise<readonly Epic[]>;
}

/** For a list whose length the service does not report, because it is long (behavior: pages.totals). */
const unreportedPages = 100;

const groupList = async (
  client: Client, id: string, progress: TreeOptions['progress'],
): Promise<GroupList | null> => {
  const pages = client.lookups.epics({ id }).pages()[Symbol.asyncIterator]();
  const first = await nullIfUnsupported(pages.next());
  if (first === null) return null;
  if (first.done) return { requests: 0, all: async () => [] };
  const { items, pages: count, more } = first.value;
  const rest = { [Symbol.asyncIterator]: () => pages };
  return {
    requests: more ? count ?? unreportedPages : 1,
    all: async () => [...items, ...await allOf(rest, progress)],
  };
};

const allOf = async (pages: AsyncIterable<Page<Epic>>, progress: TreeOptions['progress']): Promise<Epic[]> => {
  const epics: Epic[] = [];
  for await (const { items, page, pages: count, more } of pages) {
    for (const epic of items) epics.push(epic);
    if (more) await progress?.show(`epics of the group: page ${page}${count === null ? '' : ` of ${count}`} …`);
  }
  return epics;
};

interface Reading {
  readonly client: Client;
  readonly group: () => Promise<GroupList | null>;
  readonly epic: Epic | null;
  readonly top: number | null;
  readonly children: readonly Epic[];
}

const readAll = (epics: Pages<Epic>, isExact: boolean | undefined): Promise<Epic[]> =>
  isExact ? epics.complete() : epics.all();

const readLevels = async (
  { client, group, epic, top, children }: Reading, { depth = Infinity, isExact, progress }: TreeOptions,
): Promise<EpicTree> => {
  const tree = growingTree(top);
  const first = tree.add(epic, children);
  let level = first;
  let requests = 0;
  let known: ReturnType<typeof knownEpics> | null = null;
  // An odd record has no group; children are mostly in that of the others.
  const likelyGroup = [...epic ? [epic] : [], ...children].find(({ group_id }) => group_id > 0)?.group_id;
  for (let levels = 1; level.length > 0 && levels < Math.min(depth, maxDepth); levels++) {
    if (known === null && requests + level.length > smallWalk) {
      const list = await group();
      if (list !== null && requests + level.length > list.requests) known = knownEpics(await list.all());
    }
    for (const node of level) node.children = [];
    const parents = level.filter(({ epic: { id } }) => known?.mayHaveChildren(id) ?? true);
    requests += parents.length;
    const lists = await mapInParallel(parents, async ({ epic: { group_id, iid } }, signal, at) => {
      await progress?.show(`children of epics: ${at + 1} of ${parents.length} on level ${levels} …`);
      const pages = client.epics.list({ id: String(group_id || likelyGroup), iid }, { signal });
      const list = await readAll(pages, isExact);
      return known ? list.map(known.withDetails) : list;
    });
    level = parents.flatMap((parent, at) => parent.children = tree.add(parent.epic, lists[at]!));
  }
  return { epic, children: first, repeated: tree.repeated };
};

const knownEpics = (epics: readonly Epic[]) => {
  const byId = new Map(epics.map((epic) => [epic.id, epic]));
  const parents = new Set(epics.map(({ parent_id }) => parent_id));
  return {
    /** Also true for an epic that is not in the list. */
    mayHaveChildren: (id: number) => parents.has(id) || !byId.has(id),
    /** Adds fields that lists of children leave out, such as the state. */
    withDetails: (epic: Epic): Epic => ({ ...byId.get(epic.id), ...epic }),
  };
};

interface GrowingNode extends EpicNode { children: GrowingNode[] | null }

const growingTree = (top: number | null) => {
  const seen = new Set<number | null>([top]);
  const repeated: Repeated[] = [];
  return {
    repeated,
    add: (parent: Epic | null, epics: readonly Epic[]): GrowingNode[] => epics.flatMap((epic) => {
      if (seen.has(epic.id)) {
        repeated.push({ epic, parent });
        return [];
      }
      seen.add(epic.id);
      return [{ epic, children: null }];
    }),
  };
};

const rootsOf = (epics: readonly Epic[]): readonly Epic[] => {
  const byId = new Map(epics.map((epic) => [epic.id, epic]));
  const parentOf = ({ parent_id }: Epic): Epic | undefined => parent_id === null ? undefined : byId.get(parent_id);
  const done = new Set<Epic>();
  const roots = new Set<Epic>();
  for (const epic of byId.values()) {
    const line = new Set<Epic>();
    let above: Epic | undefined = epic;
    for (; above && !done.has(above) && !line.has(above); above = parentOf(above)) line.add(above);
    if (above && line.has(above)) roots.add(oldestInCycle(above, parentOf));
    for (const one of line) {
      done.add(one);
      if (!parentOf(one)) roots.add(one);
    }
  }
  return [...byId.values()].filter((epic) => roots.has(epic));
};

const oldestInCycle = (start: Epic, parentOf: (epic: Epic) => Epic | undefined): Epic => {
  let oldest = start;
  for (let epic = parentOf(start)!; epic !== start; epic = parentOf(epic)!) if (epic.id < oldest.id) oldest = epic;
  return oldest;
};
