import type { Client } from '../../client/methods.js';
import { ApiError, ConnectionError, ResponseError } from '../../client/errors.js';
import type { Epic } from '../../contract/epics.js';
import type { App } from '../app.js';
import { open } from '../connection/session.js';
import { nullIfUnsupported } from '../connection/unsupported.js';
import { Problem, usage } from '../errors/failure.js';
import type { GlobalFlags } from '../flags/global.js';
import { plainLine } from '../io/plain.js';
import { isUrl, noteableUrl, parseRef, refFromUrl, type Ref } from '../refs/ref.js';
import { withRemotes } from '../settings/remotes.js';
import { settingsOf } from '../settings/settings.js';

/** A parent epic with its client. */
export interface Parent {
  readonly client: Client;
  readonly path: { readonly id: string; readonly epic_iid: number };
  readonly base: string | null;
  /** As it stands in messages: `acme&1`. */
  readonly name: string;
  /** The name with the title: `acme&1 "Roadmap"`. Without the title if the lookup fails. */
  readonly titled: () => Promise<string>;
}

/** An epic to link, move or remove as a child. */
export interface Child {
  readonly id: number;
  /** Its present parent; undefined where that is not known. */
  readonly parent: number | null | undefined;
  /** Whether it is among the children of the parent at hand. */
  readonly isHere: boolean;
  /** The children of the parent at hand by their global ids, in their present order. */
  readonly order: readonly number[];
  /** As it stands in messages: `&4 "Login"`, or without the title if it is unknown. */
  readonly name: string;
  /** Its web page; null if the path of its group is unknown. */
  readonly page: string | null;
}

/** The parent epic that a word names: `&1`, `epic/1`, `group&1`, `epic/id:500` or a URL. @throws Problem */
export const parentOf = async (app: App, flags: GlobalFlags, word: string): Promise<Parent> => {
  const given = await settingsOf(app, flags);
  const ref = epicRef(word, given.url?.href ?? null);
  const settings = ref.container === undefined && given.group === null ? await withRemotes(app, given) : given;
  const id = ref.container ?? settings.group;
  if (id === null) throw usage(`no group given for ${word}`, 'name it with --group, or set COLLOQUY_GROUP');
  const client = await open(app, flags, settings, ref.base);
  const path = ref.isGlobal ? await internalPath(client, id, Number(ref.id)) : { id, epic_iid: Number(ref.id) };
  const base = ref.base ?? settings.url?.href ?? null;
  const name = ref.isGlobal ? word : `${id}&${ref.id}`;
  return { client, path, base, name, titled: async () => withTitle(name, await titleOf(client, path)) };
};

/** The group of the settings, by id or path. @throws Problem if there is none */
export const groupOf = async (app: App, flags: GlobalFlags): Promise<{ client: Client; id: string }> => {
  const given = await settingsOf(app, flags);
  const settings = given.group === null ? await withRemotes(app, given) : given;
  const { group: id } = settings;
  if (id === null) throw usage('no epic or group given', "name an epic: '&1', or a group with --group");
  return { client: await open(app, flags, settings), id };
};

const withTitle = (name: string, title: string | undefined): string =>
  title === undefined ? name : `${name} "${plainLine(title)}"`;

const titleOf = async (client: Client, { id, epic_iid }: Parent['path']): Promise<string | undefined> =>
  (await nullIfFailed(client.lookups.epic({ id, iid: epic_iid })))?.title;

/** The result of a lookup for a message: its failure must not hide that the change of the command was made. */
const nullIfFailed = async <T>(answer: Promise<T>): Promise<T | null> => {
  try {
    return await answer;
  } catch (error) {
    if ([ApiError, ResponseError, ConnectionError].some((failure) => error instanceof failure)) return null;
    throw error;
  }
};

/** The child or sibling that a word names: `id:501`, `&3`, `group&3` or a URL. @throws Problem */
export const childOf = async (parent: Parent, word: string): Promise<Child> => {
  const global = /^id:([1-9]\d{0,15})$/.exec(word)?.[1];
  const ref: Pick<Ref, 'id' | 'isGlobal' | 'container' | 'base'> =
    global ? { id: global, isGlobal: true } : epicRef(word, parent.base);
  if (ref.base !== undefined && parent.base !== null && ref.base !== parent.base) {
    throw usage(`${word} is not on the service of ${parent.name}, ${parent.base}`,
      'name an epic of the same service: &1, group&1, epic/1, id:501 or a URL');
  }
  const children = await parent.client.epics.list(parent.path).all();
  const order = children.map(({ id }) => id);
  if (ref.isGlobal) {
    const here = children.find(({ id }) => id === Number(ref.id));
    const name = withTitle(word, here?.title);
    return { id: Number(ref.id), parent: here?.parent_id, isHere: here !== undefined, order, name, page: null };
  }
  const group = ref.container ?? parent.path.id;
  const here = await amongChildren(parent.client, children, group, Number(ref.id), word);
  const epic = here ?? await nullIfUnsupported(parent.client.lookups.epic({ id: group, iid: Number(ref.id) }));
  const page = parent.base === null || /^\d+$/.test(group) ? null
    : noteableUrl(parent.base, group, { kind: 'epic', id: ref.id });
  if (epic) {
    const name = withTitle(isUrl(word) ? `${group}&${ref.id}` : word, epic.title);
    return { id: epic.id, parent: epic.parent_id, isHere: here !== undefined, order, name, page };
  }
  throw new Problem('not_found',
    `cannot find the global id of ${word}: the service does not report it, and ${parent.name} has no such child`,
    'name it by its global id: id:501');
};

/** Children of several groups may share an internal id; the group id distinguishes them. */
const amongChildren = async (
  client: Client, children: readonly Epic[], group: string, iid: number, word: string,
): Promise<Epic | undefined> => {
  const candidates = children.filter((child) => child.iid === iid);
  if (candidates.length === 0) return undefined;
  const id = /^\d+$/.test(group) ? Number(group) : (await nullIfUnsupported(client.lookups.group({ id: group })))?.id;
  if (id !== undefined) return candidates.find(({ group_id }) => group_id === id);
  if (candidates.length === 1) return candidates[0];
  throw usage(`${word} matches several children`,
    `name one by its global id: ${candidates.map((child) => `id:${child.id}`).join(', ')}`);
};

const epicRef = (word: string, base: string | null): Ref => {
  const ref = isUrl(word) ? refFromUrl(word, base) : parseRef(word);
  if (ref?.kind !== 'epic') {
    throw usage(`${JSON.stringify(word)} is not a valid epic`,
      'use one of these forms: &1, group&1, epic/1, id:501 or a URL');
  }
  return ref;
};

/**
 * The global id of an epic with an internal id. If the service has no lookup, it is the `parent_id` of the children.
 * @throws Problem if neither is available
 */
export const globalEpicId = async (client: Client, group: string, iid: number): Promise<number> => {
  const epic = await nullIfUnsupported(client.lookups.epic({ id: group, iid }));
  if (epic) return epic.id;
  for await (const { parent_id } of client.epics.list({ id: group, epic_iid: iid })) {
    if (parent_id !== null) return parent_id;
  }
  throw new Problem('not_found',
    `cannot find the global id of epic/${iid}: the service does not report it, and the epic has no children`,
    'name the epic by its global id: epic/id:501');
};

/** Where an epic is, by group and internal id, that is known by its global id. */
export interface InternalPath { readonly id: string; readonly epic_iid: number }

/**
 * The place of an epic that is known by its global id, among those that the service lists for a group.
 * @throws Problem when it is not there, or the service can't list them
 */
export const internalPath = async (client: Client, group: string, id: number): Promise<InternalPath> => {
  const epic = await nullIfUnsupported(findById(client.lookups.epics({ id: group }), id));
  if (epic) return { id: String(epic.group_id), epic_iid: epic.iid };
  throw new Problem('not_found', `cannot find an epic with the global id ${id} in group ${group}`,
    'name it by its internal id: &1 with --group, or paste its URL');
};

/**
 * How messages name an epic that is known by its global id: `&3 "Login"` if it is on the first page of the epics of the
 * group.
 */
export const nameOfEpic = async ({ client, path }: Parent, id: number): Promise<string> => {
  const firstPage = async () => {
    for await (const { items } of client.lookups.epics({ id: path.id }).pages(1)) return items;
    return [];
  };
  const epic = (await nullIfFailed(firstPage()))?.find((one) => one.id === id);
  return epic ? withTitle(`&${epic.iid}`, epic.title) : `id:${id}`;
};

const findById = async (epics: AsyncIterable<Epic>, id: number): Promise<Epic | null> => {
  for await (const epic of epics) if (epic.id === id) return epic;
  return null;
};
