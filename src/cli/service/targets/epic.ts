import type { Client } from '../../../client/methods.js';
import type { Epic } from '../../../contract/epics.js';
import type { App } from '../../app.js';
import { once } from '../connection/batch.js';
import { openClient } from '../connection/client.js';
import { nullIfFailed, nullIfUnsupported } from '../connection/unsupported.js';
import { Problem, usage } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { noContainerHint } from '../../command-line/hints.js';
import { plainLine } from '../../../text/plain.js';
import { isUrl, noteableUrl, parseRef, refFromUrl, refOfKind, type Ref } from '../../command-line/ref.js';
import { withRemotes } from '../settings/remotes.js';
import { checkLogin, settingsOf } from '../settings/settings.js';
import { basesOf } from '../settings/sources.js';

export interface Parent {
  readonly client: Client;
  readonly path: { readonly id: string; readonly iid: number };
  readonly base: string | null;
  readonly name: string;
  /** As an argument of further commands, whatever their group: `acme&1` or a URL. */
  readonly ref: string;
  readonly epic: () => Promise<Epic | null>;
  /** `acme&1 "Roadmap"`, without the title if the lookup fails. */
  readonly titled: () => Promise<string>;
  readonly children: () => Promise<readonly Epic[]>;
  /** With the subgroups; empty if the service has no such list, null if it fails. */
  readonly groupEpics: () => Promise<readonly Epic[] | null>;
}

export interface Child {
  readonly id: number;
  readonly epic: Epic | null;
  readonly parent: number | null | undefined;
  readonly isHere: boolean;
  /** `&4 "Login"`, or without the title if it is unknown. */
  readonly name: string;
  readonly page: string | null;
}

/** Accepts `&1`, `epic/1`, `group&1`, `id:500`, `epic/id:500` or a URL. @throws Problem */
export const parentOf = async (app: App, flags: GlobalFlags, word: string): Promise<Parent> => {
  const given = await settingsOf(app, flags);
  const ref = epicRef(word, basesOf(given));
  const settings = ref.container === undefined && given.group === null ? await withRemotes(app, given) : given;
  const id = ref.container ?? settings.group;
  if (id === null) {
    checkLogin(app, flags, settings, ref.base);
    throw usage(`no group given for ${word}`, noContainerHint('group', given.unused.group),
      agentContainerHints.group);
  }
  const client = await openClient(app, flags, settings, ref.base);
  const path = ref.isGlobal ? await internalPath(client, id, Number(ref.id)) : { id, iid: Number(ref.id) };
  const base = ref.base ?? settings.url?.href ?? null;
  const name = ref.isGlobal ? word : `${id}&${ref.id}`;
  const epic = once(() => nullIfFailed(client.lookups.epic(path)));
  return {
    client, path, base, name, epic,
    ref: isUrl(word) ? word : `${path.id}&${path.iid}`,
    titled: async () => withTitle(name, (await epic())?.title),
    children: once(() => client.epics.list(path).complete()),
    groupEpics: once(() => nullIfFailed(groupEpics(client, path.id))),
  };
};

/** A tool has no options that name a project or a group. */
export const agentContainerHints = {
  project: 'pass it with its project, such as acme/app!12', group: 'pass it with its group, such as acme&1',
} as const;

export const groupOf = async (
  app: App, flags: GlobalFlags,
): Promise<Pick<Parent, 'client' | 'base'> & { readonly id: string }> => {
  const given = await settingsOf(app, flags);
  const settings = given.group === null ? await withRemotes(app, given) : given;
  const { group: id } = settings;
  if (id === null) {
    checkLogin(app, flags, settings);
    throw usage('no epic or group given', "name an epic: '&1', or a group with --group", 'pass ref, such as epic/1');
  }
  return { client: await openClient(app, flags, settings), id, base: settings.url?.href ?? null };
};

const groupEpics = async ({ lookups }: Client, id: string): Promise<readonly Epic[]> =>
  await nullIfUnsupported(lookups.epics({ id }).complete()) ?? [];

const withTitle = (name: string, title: string | undefined): string =>
  title === undefined ? name : `${name} "${plainLine(title)}"`;

/** Accepts `id:501`, `&3`, `group&3` or a URL. @throws Problem */
export const childOf = async (parent: Parent, word: string): Promise<Child> => {
  const ref = refBeside(parent, word);
  const children = await parent.children();
  if (ref.isGlobal) {
    const here = children.find(({ id }) => id === Number(ref.id));
    const name = withTitle(word, here?.title);
    return {
      id: Number(ref.id), epic: here ?? null, parent: here?.parent_id, isHere: here !== undefined, name, page: null,
    };
  }
  const group = ref.container ?? parent.path.id;
  const here = await epicAmong(parent.client, children, group, Number(ref.id), word);
  const epic = here ?? await nullIfUnsupported(parent.client.lookups.epic({ id: group, iid: Number(ref.id) }));
  const page = parent.base === null || /^\d+$/.test(group) ? null
    : noteableUrl(parent.base, group, { kind: 'epic', id: ref.id });
  if (epic) {
    const name = withTitle(isUrl(word) ? `${group}&${ref.id}` : word, epic.title);
    return { id: epic.id, epic, parent: epic.parent_id, isHere: here !== undefined, name, page };
  }
  throw new Problem('not_found',
    `cannot find the global id of ${word}: the service does not report it, and ${parent.name} has no such child`,
    'name it by its global id: id:501');
};

/** @throws Problem for an epic that is not a child of the parent */
export const siblingOf = async (parent: Parent, word: string): Promise<Child> => {
  const child = await childOf(parent, word);
  if (child.isHere) return child;
  throw new Problem('not_found', `${child.name} is not a child of ${await parent.titled()}`,
    `run \`colloquy epics list '${parent.name}'\` to list the children`);
};

/** The parent in a response may be outdated; then the list of the children decides. @throws Problem */
export const checkLink = async (
  { client, path, epic, titled }: Parent, { id, name }: Child, { parent_id: found }: Partial<Epic>, isChild: boolean,
): Promise<void> => {
  if (found === undefined || found === (isChild ? (await epic())?.id : null)) return;
  const children = await nullIfFailed(client.epics.list(path).complete());
  if (children?.some((one) => one.id === id) === isChild) return;
  throw new Problem('failure', `the service left ${name} ${isChild ? 'outside' : 'below'} ${await titled()}`);
};

/** In their order. @throws Problem if two words name the same epic */
export const distinct = async (
  words: readonly string[], find: (word: string) => Promise<Child>,
): Promise<readonly Child[]> => {
  const found = new Map<number, { readonly child: Child; readonly word: string }>();
  for (const word of words) {
    const child = await find(word);
    const earlier = found.get(child.id);
    if (earlier) {
      throw usage(earlier.word === word ? `${word} is given twice` : `${earlier.word} and ${word} are the same epic`,
        'name every epic once');
    }
    found.set(child.id, { child, word });
  }
  return [...found.values()].map(({ child }) => child);
};

export const refBeside = (
  { base, name }: Pick<Parent, 'base' | 'name'>, word: string,
): Pick<Ref, 'id' | 'isGlobal' | 'container'> => {
  const ref = epicRef(word, base === null ? [] : [base]);
  if (ref.base === undefined || base === null || ref.base === base) return ref;
  throw usage(`${word} is not on the service of ${name}, ${base}`,
    'name an epic of the same service: &1, group&1, epic/1, id:501 or a URL');
};

/**
 * Epics of several groups may share an internal id; the group id distinguishes them.
 * @throws Problem if the id of the group is not known, and several epics have the internal id
 */
export const epicAmong = async <T extends Pick<Epic, 'id' | 'iid' | 'group_id'>>(
  client: Client, epics: readonly T[], group: string, iid: number, word: string,
): Promise<T | undefined> => {
  const candidates = epics.filter((epic) => epic.iid === iid);
  if (candidates.length === 0) return undefined;
  const id = /^\d+$/.test(group) ? Number(group) : (await nullIfUnsupported(client.lookups.group({ id: group })))?.id;
  if (id !== undefined) return candidates.find(({ group_id }) => group_id === id);
  if (candidates.length === 1) return candidates[0];
  throw usage(`${word} matches several children`,
    `name one by its global id: ${candidates.map((child) => `id:${child.id}`).join(', ')}`);
};

const epicRef = (word: string, bases: readonly string[]): Ref => {
  const global = word.startsWith('id:') ? refOfKind('epic', word) : null;
  const ref = global ?? (isUrl(word) ? refFromUrl(word, bases) : parseRef(word));
  if (ref?.kind !== 'epic') {
    throw usage(`${JSON.stringify(word)} is not a valid epic`,
      'use one of these forms: &1, group&1, epic/1, id:501 or a URL');
  }
  return ref;
};

/** If the service has no lookup, it is the `parent_id` of the children. @throws Problem if neither is available */
export const globalEpicId = async (client: Client, group: string, iid: number): Promise<number> => {
  const epic = await nullIfUnsupported(client.lookups.epic({ id: group, iid }));
  if (epic) return epic.id;
  for await (const { parent_id } of client.epics.list({ id: group, iid })) {
    if (parent_id !== null) return parent_id;
  }
  throw new Problem('not_found',
    `cannot find the global id of epic/${iid}: the service does not report it, and the epic has no children`,
    'name the epic by its global id: epic/id:501');
};

/** @throws Problem if the group's list does not have it, or the service cannot list epics */
export const internalPath = async (client: Client, group: string, id: number) => {
  const epic = await nullIfUnsupported(findById(client.lookups.epics({ id: group }), id));
  if (epic) return { id: String(epic.group_id), iid: epic.iid };
  throw new Problem('not_found', `cannot find an epic with the global id ${id} in group ${group}`,
    'name it by its internal id: &1 with --group, or paste its URL');
};

/** The parent stays unknown if the list of the group does not have the epic. */
export const withPresentParent = async ({ groupEpics }: Parent, child: Child): Promise<Child> => {
  if (child.parent !== undefined) return child;
  const epic = (await groupEpics())?.find(({ id }) => id === child.id);
  return epic ? { ...child, epic, parent: epic.parent_id, name: withTitle(child.name, epic.title) } : child;
};

/** `&3 "Login"` if it is on the first page of the epics of the group. */
export const nameOfEpic = async ({ client, path, epic: top }: Parent, id: number): Promise<string> => {
  const firstPage = async () => {
    for await (const { items } of client.lookups.epics({ id: path.id }).pages(1)) return items;
    return [];
  };
  const epic = (await nullIfFailed(firstPage()))?.find((one) => one.id === id);
  if (!epic) return `id:${id}`;
  const isNear = epic.group_id === ((await top())?.group_id ?? epic.group_id);
  return withTitle(isNear ? `&${epic.iid}` : epic.references?.full ?? `id:${id}`, epic.title);
};

export const ancestorsOf = async ({ groupEpics, epic }: Parent): Promise<ReadonlySet<number>> => {
  const ids = new Set<number>();
  const above = (await epic())?.parent_id ?? null;
  if (above === null) return ids;
  const parents = new Map((await groupEpics())?.map(({ id, parent_id }) => [id, parent_id]));
  for (let id: number | null | undefined = above; id !== null && id !== undefined && !ids.has(id);) {
    ids.add(id);
    id = parents.get(id);
  }
  return ids;
};

const findById = async (epics: AsyncIterable<Epic>, id: number): Promise<Epic | null> => {
  for await (const epic of epics) if (epic.id === id) return epic;
  return null;
};
