import { apiPrefix, collectionName, type NoteableKind, noteableKinds } from '../contract/conventions.js';
import { firstWords } from '../text/plain.js';
import type { HttpRequest } from '../wire/http.js';
import { digest, visibleText } from '../wire/note-text.js';
import type { App, CacheFolder, Completion, CompletionRecord, CompletionRecords } from './app.js';
import { printRef } from './command-line/ref.js';

export const newCompletionRecords = (): CompletionRecords => new Map();

export const maxItems = 200;

/** Kept until the end of the run, when its first words are extracted. In characters. */
const maxText = 240;

const threads = /^\/(?:projects|groups)\/([^/]+)\/(?:-\/|repository\/)?(\w+)\/([^/]+)\/discussions(?:\/[^/]+)?$/;
const epics = /^\/groups\/([^/]+)\/(?:-\/)?epics(?:\/\d+(\/epics)?)?$/;

const titled = /^(?:\/projects\/([^/]+))?\/(merge_requests|issues)(?:\/\d+)?$/;

const kindOfCollection = new Map(noteableKinds.map((kind) => [collectionName(kind), kind]));

const diffs = /^\/projects\/([^/]+)\/(?:repository\/)?(\w+)\/([^/]+)\/(?:diffs?|changes|versions\/\d+)$/;

export const recordCompletions = (
  records: CompletionRecords, base: string, { target, method }: HttpRequest, body: unknown,
): void => {
  if (method === 'DELETE') return;
  const path = target.slice(apiPrefix.length).split('?', 1)[0]!;
  const [, container, word, id] = threads.exec(path) ?? diffs.exec(path) ?? [];
  if (container !== undefined) {
    const kind = kindOfCollection.get(word!);
    if (!kind) return;
    const name = printRef({ kind, id: decodeURIComponent(id!), ...(kind === 'epic' && { isGlobal: true as const }) });
    const found = diffs.test(path) ? { files: changesIn(body).flatMap(fileCompletions) }
      : discussionItems(asList(body));
    addToRecord(records, base, container, name, found);
    return;
  }
  const [, owner, collection] = titled.exec(path) ?? [];
  if (collection !== undefined) {
    const kind = kindOfCollection.get(collection)!;
    for (const one of asList(body)) addTitle(records, base, { kind, owner }, one);
    return;
  }
  const [, group, children] = epics.exec(path) ?? [];
  if (group !== undefined) addToRecord(records, base, group, 'epics',
    { items: asList(body).flatMap((one) => epicCompletions(one, children !== undefined, decodeURIComponent(group))) });
};

export const titlesName = 'titles';

interface TitledPlace { readonly kind: NoteableKind; readonly owner: string | undefined }

const addTitle = (records: CompletionRecords, base: string, { kind, owner }: TitledPlace, body: unknown): void => {
  const { iid, title, references } = (body ?? {}) as {
    iid?: unknown; title?: unknown; references?: { full?: unknown } | null;
  };
  const [, project] = /^(.+)[!#]\d+$/.exec(String(references?.full)) ?? [];
  const container = owner ?? (project && encodeURIComponent(project));
  if (typeof iid !== 'number' || container === undefined) return;
  const item: Completion = [printRef({ kind, id: String(iid) }), shortText(title)];
  addToRecord(records, base, container, titlesName, { items: [item] });
};

const asList = (body: unknown): readonly unknown[] => Array.isArray(body) ? body : [body];

type Lists<T> = Readonly<Record<(typeof completionLists)[number], T>>;

const addToRecord = (
  records: CompletionRecords, base: string, container: string, name: string, found: Partial<Lists<Completion[]>>,
): void => {
  const added = completionLists.filter((list) => found[list] !== undefined && found[list].length > 0);
  if (added.length === 0) return;
  const lists = { items: new Map(), notes: new Map(), authors: new Map(), files: new Map() };
  const record: CompletionRecord = { base, container: decodeURIComponent(container), name, ...lists };
  const key = recordKey(record);
  const known = records.get(key) ?? records.set(key, record).get(key)!;
  for (const list of added) for (const one of found[list]!) addItem(known[list], one);
};

const completionLists = ['items', 'notes', 'authors', 'files'] as const;

export const recordKey = ({ base, container, name }: Pick<CompletionRecord, 'base' | 'container' | 'name'>): string =>
  `${base} ${container} ${name}`;

export const addItem = (items: Map<string, Completion>, one: Completion): void => {
  items.delete(one[0]);
  items.set(one[0], one);
  if (items.size > maxItems) items.delete(items.keys().next().value!);
};

interface SeenNote {
  readonly id?: unknown;
  readonly body?: unknown;
  readonly system?: unknown;
  readonly author?: { readonly username?: unknown; readonly name?: unknown } | null;
  readonly position?: SeenFile | null;
}
interface SeenFile { readonly new_path?: unknown; readonly old_path?: unknown }

const discussionItems = (threads: readonly unknown[]): Lists<Completion[]> => {
  const found = threads.map((thread) => thread as { readonly id?: unknown; readonly notes?: unknown } | null)
    .flatMap((thread) => thread && Array.isArray(thread.notes)
      ? [{ id: thread.id, notes: thread.notes as SeenNote[] }] : []);
  const notes = found.flatMap((thread) => thread.notes).filter(({ system }) => system !== true);
  return {
    items: found.flatMap(({ id, notes: all }): Completion[] => typeof id !== 'string' ? []
      : [[id, startOfNote(all.find(({ system }) => system !== true) ?? all[0])]]),
    notes: notes.flatMap((note): Completion[] =>
      typeof note.id === 'number' ? [[String(note.id), startOfNote(note)]] : []),
    authors: notes.flatMap(({ author }): Completion[] =>
      typeof author?.username === 'string' ? [[author.username, shortText(author.name)]] : []),
    files: notes.flatMap(({ position }) => position ? fileCompletions(position) : []),
  };
};

const changesIn = (body: unknown): readonly SeenFile[] => {
  const { changes, diffs } = (body ?? {}) as { changes?: unknown; diffs?: unknown };
  const found = Array.isArray(body) ? body : Array.isArray(changes) ? changes : diffs;
  return Array.isArray(found) ? found as SeenFile[] : [];
};

const fileCompletions = (file: SeenFile): Completion[] => {
  const path = file.new_path ?? file.old_path;
  return typeof path === 'string' ? [[path, '']] : [];
};

/** An epic that may belong to another group is named by its global id. */
const epicCompletions = (body: unknown, isChild: boolean, group: string): Completion[] => {
  const { id, iid, title, web_url } = body as { id?: unknown; iid?: unknown; title?: unknown; web_url?: unknown };
  if (typeof id !== 'number' || typeof iid !== 'number') return [];
  return [[isChild || isElsewhere(web_url, group) ? `id:${id}` : `epic/${iid}`, shortText(title), id]];
};

/** The list of a group contains the epics of its subgroups too. */
const isElsewhere = (page: unknown, group: string): boolean => typeof page === 'string'
  && !/^\d+$/.test(group) && page.includes('/groups/') && !page.includes(`/groups/${group}/-/epics/`);

const startOfNote = (note: SeenNote | undefined): string =>
  shortText(typeof note?.body === 'string' ? visibleText(note.body) : undefined);

const shortText = (text: unknown): string => typeof text === 'string' ? text.slice(0, maxText) : '';

const maxRecords = 30;

export const storeRecords = async (cache: CacheFolder, completions: CompletionRecords): Promise<void> => {
  let isNew = false;
  for (const record of completions.values()) {
    await cache.change(fileOf(record), (text) => {
      const before = parseRecord(text);
      isNew ||= before === null;
      return mergedText(before, record);
    });
  }
  if (isNew) for (const file of files(cache).slice(maxRecords)) cache.remove(file);
};

const mergedText = (before: CompletionRecord | null, { base, container, name, ...lists }: CompletionRecord): string => {
  const known = before && recordKey(before) === recordKey({ base, container, name }) ? before : null;
  const merged = completionLists.map((list) => {
    const items = known?.[list] ?? new Map<string, Completion>();
    for (const [value, text, ...id] of lists[list].values()) addItem(items, [value, firstWords(text), ...id]);
    return [list, [...items.values()]] as const;
  });
  return JSON.stringify({
    base, container, name, ...Object.fromEntries(merged.filter(([list, { length }]) => list === 'items' || length > 0)),
  });
};

export const storedRecords = (cache: CacheFolder): CompletionRecord[] =>
  files(cache).map((file) => parseRecord(cache.read(file))).filter((record) => record !== null);

const prefix = 'seen-';

const files = (cache: CacheFolder): string[] => cache.names().filter((name) => name.startsWith(prefix));

/** Two records are unlikely to share a name; if they do, the newer one replaces the other. */
const fileOf = (record: Pick<CompletionRecord, 'base' | 'container' | 'name'>): string =>
  `${prefix}${digest(recordKey(record))}.json`;

/** Null for a missing file and for one with other content, as another version may write. */
const parseRecord = (text: string | null): CompletionRecord | null => {
  try {
    const { base, container, name, items, ...more } = JSON.parse(text ?? '') as Record<string, unknown>;
    if (typeof base !== 'string' || typeof container !== 'string' || typeof name !== 'string') return null;
    const listIn = (found: unknown) =>
      new Map((found as unknown[]).filter(isCompletion).slice(-maxItems).map((one) => [one[0], one]));
    return {
      base, container, name, items: listIn(items), notes: listIn(more['notes'] ?? []),
      authors: listIn(more['authors'] ?? []), files: listIn(more['files'] ?? []),
    };
  } catch {
    return null;
  }
};

const isCompletion = (item: unknown): item is Completion =>
  Array.isArray(item) && typeof item[0] === 'string' && typeof item[1] === 'string';

const lastSaves = new WeakMap<CompletionRecords, Promise<void>>();

/** One save after another: the last one of a run also waits for those of a list, so that the process can end. */
export const saveCompletions = ({ cache }: Pick<App, 'cache'>): Promise<void> => {
  const { completions } = cache;
  const saved = (lastSaves.get(completions) ?? Promise.resolve()).then(async () => {
    if (completions.size === 0) return;
    const records = new Map(completions);
    completions.clear();
    await storeRecords(cache, records);
  });
  lastSaves.set(completions, saved);
  return saved;
};
