import { apiPrefix } from '../../contract/conventions.js';
import { collectionOf, noteableKinds, type NoteableKind } from '../../contract/noteables.js';
import type { HttpRequest } from '../../wire/http.js';
import type { App, Completion, CompletionRecord, CompletionRecords } from '../app.js';
import { plainLine } from '../io/plain.js';
import { printRef } from '../refs/ref.js';

export const newCompletionRecords = (): CompletionRecords => new Map();

/** Items per record; the oldest are dropped. */
export const maxItems = 200;

/** Characters of a text kept until the end of the run, when its first words are extracted. */
const maxText = 240;
const maxCharacters = 60;

const threads = /^\/(?:projects|groups)\/([^/]+)\/(?:-\/|repository\/)?(\w+)\/([^/]+)\/discussions(?:\/[^/]+)?$/;
const epics = /^\/groups\/([^/]+)\/(?:-\/)?epics\/\d+(\/epics)?$/;

const kindOfCollection = new Map(noteableKinds.map((kind) => [collectionOf(kind), kind]));

/** Records the threads and epics of a response body for completion, with the start of their texts. */
export const recordCompletions = (
  records: CompletionRecords, base: string, { target, method }: HttpRequest, body: unknown,
): void => {
  if (method === 'DELETE') return;
  const path = target.slice(apiPrefix.length).split('?', 1)[0]!;
  const [, container, word, id] = threads.exec(path) ?? [];
  if (container !== undefined) {
    const kind = kindOfCollection.get(word!);
    if (!kind) return;
    const name = nameOf(kind, decodeURIComponent(id!));
    addToRecord(records, base, container, name, listOf(body).flatMap(threadOf));
    return;
  }
  const [, group, children] = epics.exec(path) ?? [];
  if (group !== undefined) addToRecord(records, base, group, 'epics',
    listOf(body).flatMap((one) => epicOf(one, children !== undefined)));
};

const nameOf = (kind: NoteableKind, id: string): string =>
  printRef({ kind, id, ...(kind === 'epic' && { isGlobal: true as const }) });

const listOf = (body: unknown): readonly unknown[] => Array.isArray(body) ? body : [body];

const addToRecord = (
  records: CompletionRecords, base: string, container: string, name: string, found: readonly Completion[],
): void => {
  if (found.length === 0) return;
  const record: CompletionRecord = { base, container: decodeURIComponent(container), name, items: new Map() };
  const key = recordKey(record);
  const { items } = records.get(key) ?? records.set(key, record).get(key)!;
  for (const one of found) addItem(items, one);
};

/** A key that identifies a record. */
export const recordKey = ({ base, container, name }: Pick<CompletionRecord, 'base' | 'container' | 'name'>): string =>
  `${base} ${container} ${name}`;

/** Adds an item as the newest and drops the oldest over the limit. */
export const addItem = (items: Map<string, Completion>, one: Completion): void => {
  items.delete(one[0]);
  items.set(one[0], one);
  if (items.size > maxItems) items.delete(items.keys().next().value!);
};

const threadOf = (body: unknown): Completion[] => {
  const { id, notes } = body as { id?: unknown; notes?: readonly { body?: unknown; system?: unknown }[] };
  if (typeof id !== 'string' || !Array.isArray(notes)) return [];
  return [[id, startOf(notes.find(({ system }) => system !== true)?.body ?? notes[0]?.body)]];
};

/** A child is named by its global id: it may belong to another group. */
const epicOf = (body: unknown, isChild: boolean): Completion[] => {
  const { id, iid, title } = body as { id?: unknown; iid?: unknown; title?: unknown };
  if (typeof id !== 'number' || typeof iid !== 'number') return [];
  return [[isChild ? `id:${id}` : `epic/${iid}`, startOf(title), id]];
};

const startOf = (text: unknown): string => typeof text === 'string' ? text.slice(0, maxText) : '';

/** The first words of a text, on one line and safe for a terminal. */
export const firstWords = (text: string): string => [...plainLine(text)].slice(0, maxCharacters).join('');

/** Moves the records of this run into the completion cache. */
export const saveCompletions = async ({ cache, completions }: Pick<App, 'cache' | 'completions'>): Promise<void> => {
  if (completions.size === 0) return;
  const records = new Map(completions);
  completions.clear();
  await (await import('./store.js')).storeRecords({ cache, completions: records });
};
