import type { App } from '../app.js';
import type { CacheFolder } from '../cache.js';
import { keyOf, mostItems, put, type SeenPlace, type Sighting } from './seen.js';

/** So many places are kept, those seen last. */
const mostPlaces = 30;

/** Keeps what a run has seen for the completion of the next. */
export const remember = async ({ cache, seen }: Pick<App, 'cache' | 'seen'>): Promise<void> => {
  for (const place of seen.values()) {
    const file = await fileOf(place);
    const { items } = placeIn(cache, file) ?? { items: new Map<string, Sighting>() };
    for (const one of place.items.values()) put(items, one);
    cache.write(file, JSON.stringify({ ...place, items: [...items.values()] }));
  }
  for (const file of files(cache).slice(mostPlaces)) cache.remove(file);
};

/** Every place that is remembered, the one seen last first. */
export const rememberedPlaces = (cache: CacheFolder): SeenPlace[] =>
  files(cache).map((file) => placeIn(cache, file)).filter((place) => place !== null);

const prefix = 'seen-';

const files = (cache: CacheFolder): string[] => cache.names().filter((name) => name.startsWith(prefix));

const fileOf = async (place: Pick<SeenPlace, 'base' | 'container' | 'name'>): Promise<string> => {
  const { createHash } = await import('node:crypto');
  return `${prefix}${createHash('sha256').update(keyOf(place)).digest('hex').slice(0, 16)}.json`;
};

/** A file that another version wrote, or nobody, counts as none. */
const placeIn = (cache: CacheFolder, file: string): SeenPlace | null => {
  try {
    const { base, container, name, items } = JSON.parse(cache.read(file) ?? '') as Record<string, unknown>;
    if (typeof base !== 'string' || typeof container !== 'string' || typeof name !== 'string') return null;
    const sightings = (items as unknown[]).filter(isSighting).slice(-mostItems);
    return { base, container, name, items: new Map(sightings.map((one) => [one[0], one])) };
  } catch {
    return null;
  }
};

const isSighting = (item: unknown): item is Sighting =>
  Array.isArray(item) && typeof item[0] === 'string' && typeof item[1] === 'string';
