import type { Client } from '../../client/methods.js';
import { Epic, LinkedEpic } from '../../contract/epics.js';
import { shellWord } from '../../text/quoting.js';
import type { GlobalFlags } from '../command-line/flags.js';
import { mapInParallel } from '../service/connection/batch.js';
import { nullIfFailed } from '../service/connection/unsupported.js';
import { mapPages, type Listed } from '../terminal/output/list-printer.js';
import type { View } from '../terminal/output/view.js';

type NamedEpic = Pick<Epic, 'id' | 'iid' | 'group_id'> & Partial<Pick<Epic, 'references' | 'web_url'>>;

/** Names of epics that a command finds again if it gets the same group. */
export interface EpicNames {
  /**
   * @param client null to look nothing up @param home id or path of the group of the command
   * @param top an epic of that group
   */
  readonly begin: (client: Client | null, home: string, top?: NamedEpic | null) => void;
  /** Finds out the paths of groups, which some services leave out: one request for each of those. */
  readonly learn: (epics: readonly NamedEpic[]) => Promise<void>;
  /** `&2`, `acme/sub&2` in another group, or `id:501` if the path of that is unknown. */
  readonly refOf: (epic: NamedEpic) => string;
  readonly pathOf: (epic: Pick<Epic, 'group_id'>) => string | undefined;
}

export const epicNames = (): EpicNames => {
  const paths = new Map<number, string | null>();
  let client: Client | null = null;
  let home = '';
  let homeId: number | null = null;
  const lookUp = async (group: number): Promise<void> => {
    paths.set(group, client && validPath((await nullIfFailed(client.lookups.group({ id: group })))?.full_path));
  };
  const pathOf: EpicNames['pathOf'] = ({ group_id: group }) => paths.get(group) ?? undefined;
  return {
    begin: (of, name, top = null) => {
      [client, home] = [of, name];
      const isNumber = /^\d+$/.test(name);
      homeId = isNumber ? Number(name) : top?.group_id ?? null;
      if (top && !isNumber) paths.set(top.group_id, name);
    },
    learn: async (epics) => {
      for (const epic of epics) {
        const path = reportedPath(epic);
        if (path !== null) paths.set(epic.group_id, path);
      }
      const unknown = new Set(epics.map(({ group_id: group }) => group).filter((group) => !paths.has(group)));
      await mapInParallel([...unknown], lookUp);
    },
    pathOf,
    refOf: (epic) => {
      const path = pathOf(epic);
      if (epic.group_id === homeId || path === home) return `&${epic.iid}`;
      return path === undefined ? `id:${epic.id}` : `${path}&${epic.iid}`;
    },
  };
};

export const withNames = <T extends NamedEpic>(list: Listed<T>, { learn }: EpicNames): Listed<T> => ({
  ...list,
  ...mapPages(list, async (epics) => {
    await learn(epics);
    return epics;
  }),
});

const validPath = (path: string | undefined): string | null =>
  path !== undefined && /^[\w.-]+(\/[\w.-]+)*$/.test(path) ? path : null;

const reportedPath = ({ references, web_url }: NamedEpic): string | null =>
  validPath(/^(.+)&\d+$/.exec(references?.full ?? '')?.[1] ?? groupInAddress(web_url ?? ''));

const groupInAddress = (address: string): string | undefined => {
  const [, rest] = /\/groups\/(.+)$/.exec(address) ?? [];
  const [path, id] = rest?.split('/-/epics/', 2) ?? [];
  return id !== undefined && /^\d/.test(id) ? path : undefined;
};

/** For a shell, and for the same service as this run. */
export const commandLine = (words: readonly string[], { url, profile }: GlobalFlags): string => [
  'colloquy', ...words, ...(url === undefined ? [] : ['--url', url]),
  ...(profile === undefined ? [] : ['--profile', profile]),
].map(shellWord).join(' ');

/** @param names that know the epics before they are printed */
export const epicView = ({ refOf, pathOf }: EpicNames): View<Epic> => ({
  columns: [
    { name: 'epic', cell: refOf, tone: () => 'strong', link: ({ web_url }) => web_url ?? null },
    { name: 'id', cell: ({ id }) => String(id) },
    { name: 'group', cell: (epic) => pathOf(epic) ?? String(epic.group_id), hideOrder: 1 },
    { name: 'start', cell: ({ start_date }) => start_date ?? '', hideOrder: 2 },
    { name: 'due', cell: ({ due_date }) => due_date ?? '', hideOrder: 3 },
    { name: 'title', cell: ({ title }) => title, minWidth: 20 },
  ],
  id: ({ id }) => String(id),
  shape: Epic,
  emptyText: 'no child epics',
});

export const linkedEpicView: View<LinkedEpic> = {
  columns: [
    { name: 'epic', cell: ({ reference }) => reference, tone: () => 'strong', link: ({ url }) => url },
    { name: 'id', cell: ({ id }) => String(id) },
    { name: 'title', cell: ({ title }) => title, minWidth: 20 },
    { name: 'url', cell: ({ url }) => url },
  ],
  id: ({ id }) => String(id),
  shape: LinkedEpic,
  emptyText: 'no epics',
};
