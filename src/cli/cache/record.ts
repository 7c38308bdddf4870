import { apiPrefix } from '../../contract/conventions.js';
import type { NoteableKind } from '../../contract/noteables.js';
import type { HttpRequest } from '../../wire/http.js';
import type { App, Seen, SeenPlace, Sighting } from '../app.js';
import { plainLine } from '../io/plain.js';
import { printRef } from '../refs/ref.js';

export const newSeen = (): Seen => new Map();

/** So many things are kept of a place, those seen last. */
export const mostItems = 200;

/** So much of a text is kept at first: its first words are looked for when a run ends, in what it still knows then. */
const mostText = 240;
const mostWords = 60;

const threads = /^\/(?:projects|groups)\/([^/]+)\/(?:-\/|repository\/)?(\w+)\/([^/]+)\/discussions(?:\/[^/]+)?$/;
const epics = /^\/groups\/([^/]+)\/(?:-\/)?epics\/\d+(\/epics)?$/;

const kinds: Readonly<Record<string, NoteableKind>> = {
  merge_requests: 'merge_request', issues: 'issue', snippets: 'snippet', epics: 'epic', commits: 'commit',
};

/** Takes down the threads and epics of an answer; of their text the start alone. */
export const sight = (seen: Seen, base: string, { target, method }: HttpRequest, answer: unknown): void => {
  if (method === 'DELETE') return;
  const path = target.slice(apiPrefix.length).split('?', 1)[0]!;
  const [, container, word, id] = threads.exec(path) ?? [];
  if (container !== undefined) {
    const kind = kinds[word!];
    if (kind) add(seen, base, container, nameOf(kind, decodeURIComponent(id!)), listOf(answer).flatMap(threadOf));
    return;
  }
  const [, group, children] = epics.exec(path) ?? [];
  if (group !== undefined) add(seen, base, group, 'epics',
    listOf(answer).flatMap((one) => epicOf(one, children !== undefined)));
};

const nameOf = (kind: NoteableKind, id: string): string =>
  printRef({ kind, id, ...(kind === 'epic' && { isGlobal: true as const }) });

const listOf = (answer: unknown): readonly unknown[] => Array.isArray(answer) ? answer : [answer];

const add = (seen: Seen, base: string, container: string, name: string, found: readonly Sighting[]): void => {
  if (found.length === 0) return;
  const place: SeenPlace = { base, container: decodeURIComponent(container), name, items: new Map() };
  const key = keyOf(place);
  const { items } = seen.get(key) ?? seen.set(key, place).get(key)!;
  for (const one of found) put(items, one);
};

/** One text for a place. */
export const keyOf = ({ base, container, name }: Pick<SeenPlace, 'base' | 'container' | 'name'>): string =>
  `${base} ${container} ${name}`;

/** Adds to what is kept of a place; what was seen longest ago makes room. */
export const put = (items: Map<string, Sighting>, one: Sighting): void => {
  items.delete(one[0]);
  items.set(one[0], one);
  if (items.size > mostItems) items.delete(items.keys().next().value!);
};

const threadOf = (answer: unknown): Sighting[] => {
  const { id, notes } = answer as { id?: unknown; notes?: readonly { body?: unknown; system?: unknown }[] };
  if (typeof id !== 'string' || !Array.isArray(notes)) return [];
  return [[id, startOf(notes.find(({ system }) => system !== true)?.body ?? notes[0]?.body)]];
};

/** A child may be of another group, where its number means something else: it goes by its global id. */
const epicOf = (answer: unknown, isChild: boolean): Sighting[] => {
  const { id, iid, title } = answer as { id?: unknown; iid?: unknown; title?: unknown };
  if (typeof id !== 'number' || typeof iid !== 'number') return [];
  return [[isChild ? `id:${id}` : `epic/${iid}`, startOf(title), id]];
};

const startOf = (text: unknown): string => typeof text === 'string' ? text.slice(0, mostText) : '';

/** The first words of a text, on one line and safe for a terminal. */
export const firstWords = (text: string): string => [...plainLine(text)].slice(0, mostWords).join('');

/** Keeps what a run has seen so far for the completion of the next run. */
export const keepSeen = async ({ cache, seen }: Pick<App, 'cache' | 'seen'>): Promise<void> => {
  if (seen.size === 0) return;
  const sights = new Map(seen);
  seen.clear();
  await (await import('./places.js')).remember({ cache, seen: sights });
};
