import type { App } from '../app.js';

const shortLength = 8;

/** Commands take it for the whole id. */
export const shortId = (id: string): string => id.slice(0, shortLength);

/** By id; longer for ids that start alike. */
export const shortIds = (ids: Iterable<string>): ReadonlyMap<string, string> => {
  const sorted = [...new Set(ids)].sort();
  return new Map(sorted.map((id, i) => {
    const alike = Math.max(sharedLength(id, sorted[i - 1]), sharedLength(id, sorted[i + 1]));
    return [id, id.slice(0, Math.max(shortLength, alike + 1))];
  }));
};

const sharedLength = (id: string, other = ''): number => {
  let length = 0;
  while (length < id.length && id[length] === other[length]) length++;
  return length;
};

/** In a message: the whole id where a program may read it. */
export const threadName = ({ err }: Pick<App, 'err'>, id: string | null | undefined): string =>
  id ? `thread ${err.isTerminal ? shortId(id) : id}` : 'a thread';
