import type { Routes } from '../../client/routes.js';
import type { CacheFolder } from '../cache.js';

const file = 'paths.json';
const most = 200;

/**
 * Which of an endpoint's paths each service knows, kept from one call to the next. The file is read when an endpoint
 * with several paths is called, and written when the first was not the one.
 */
export const knownPaths = (cache: CacheFolder): Routes => {
  let known: Map<string, string> | null = null;
  const all = () => known ??= new Map(entriesIn(cache.read(file)));
  return {
    get: (key) => all().get(key),
    set: (key, path) => {
      all().set(key, path);
      return cache.change(file, (text) => {
        const entries = entriesIn(text).filter(([other]) => other !== key);
        return JSON.stringify([...entries, [key, path]].slice(-most));
      });
    },
  };
};

const entriesIn = (text: string | null): [string, string][] => {
  try {
    const entries: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(entries) ? entries.filter(isEntry) : [];
  } catch {
    return [];
  }
};

const isEntry = (entry: unknown): entry is [string, string] =>
  Array.isArray(entry) && entry.length === 2 && entry.every((part) => typeof part === 'string');
