import type { App, CacheFolder, SeenPlace, Sighting } from '../app.js';
import { firstWords, keyOf, mostItems, put } from './record.js';

/** So many places are kept, those seen last. */
const mostPlaces = 30;

/** Keeps what a run has seen for the completion of the next. */
export const remember = async ({ cache, seen }: Pick<App, 'cache' | 'seen'>): Promise<void> => {
  let isNew = false;
  for (const place of seen.values()) {
    await cache.change(fileOf(place), (text) => {
      const before = placeIn(text);
      isNew ||= before === null;
      return withPlace(before, place);
    });
  }
  if (isNew) for (const file of files(cache).slice(mostPlaces)) cache.remove(file);
};

/** The text of a file that held `before`, with what was seen now. */
const withPlace = (before: SeenPlace | null, place: SeenPlace): string => {
  const items = before && keyOf(before) === keyOf(place) ? before.items : new Map<string, Sighting>();
  for (const [value, text, ...id] of place.items.values()) put(items, [value, firstWords(text), ...id]);
  return JSON.stringify({ ...place, items: [...items.values()] });
};

/** Every place that is remembered, the one seen last first. */
export const rememberedPlaces = (cache: CacheFolder): SeenPlace[] =>
  files(cache).map((file) => placeIn(cache.read(file))).filter((place) => place !== null);

const prefix = 'seen-';

const files = (cache: CacheFolder): string[] => cache.names().filter((name) => name.startsWith(prefix));

/** A name that two places are unlikely to share; where they do, the one seen last is kept. */
const fileOf = (place: Pick<SeenPlace, 'base' | 'container' | 'name'>): string =>
  `${prefix}${digest(keyOf(place), 0x811c9dc5)}${digest(keyOf(place), 0x9dc5811c)}.json`;

/** FNV-1a: node:crypto takes longer to load than all that is remembered takes to write. */
const digest = (text: string, start: number): string => {
  let hash = start;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
};

/** A file that another version wrote, or nobody, counts as none. */
const placeIn = (text: string | null): SeenPlace | null => {
  try {
    const { base, container, name, items } = JSON.parse(text ?? '') as Record<string, unknown>;
    if (typeof base !== 'string' || typeof container !== 'string' || typeof name !== 'string') return null;
    const sightings = (items as unknown[]).filter(isSighting).slice(-mostItems);
    return { base, container, name, items: new Map(sightings.map((one) => [one[0], one])) };
  } catch {
    return null;
  }
};

const isSighting = (item: unknown): item is Sighting =>
  Array.isArray(item) && typeof item[0] === 'string' && typeof item[1] === 'string';
