import { digest } from '../../wire/note-text.js';
import type { App, CacheFolder, Completion, CompletionRecord } from '../app.js';
import { firstWords } from '../../text/plain.js';
import { addItem, completionLists, maxItems, recordKey } from './record.js';

/** The oldest are removed. */
const maxRecords = 30;

export const storeRecords = async ({ cache, completions }: Pick<App, 'cache' | 'completions'>): Promise<void> => {
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

/** The newest first. */
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
