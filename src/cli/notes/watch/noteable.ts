import type { Pages } from '../../../client/pages.js';
import type { Discussion, Note } from '../../../contract/shapes/note.js';
import type { App } from '../../app.js';
import { nullIfMissing, nullIfUnsupported } from '../../service/connection/unsupported.js';
import type { Target } from '../../service/targets/target.js';
import { listed } from '../../service/targets/threads.js';
import { mayBeOpen } from '../views/note.js';
import { eventsBetween, eventsSince, type Threads, type WatchEvent } from './events.js';

export interface WatchedNoteable {
  readonly name: string;
  readonly isResolved: () => Promise<boolean>;
  readonly look: () => Promise<WatchEvent[]>;
}

/** Only all threads show a resolution, which does not change `updated_at` (behavior: resolving.keeps-time). */
const longestBetweenFullLooks = 60_000;

/**
 * A look requests the most recently changed notes, and all threads if these have changed, a minute has passed, or the
 * service does not list notes. @param since the first look reports later changes; none when null
 */
export const watchedNoteable = (
  app: App, target: Target, interval: number, since: number | null,
): WatchedNoteable => {
  const { name } = target;
  let threads: Threads | null = null;
  let recent: string | null = null;
  let lastFullLook = -Infinity;
  const isDue = (now: number) => now < lastFullLook || now + interval - lastFullLook > longestBetweenFullLooks;
  const look = async (): Promise<WatchEvent[]> => {
    const now = app.now().getTime();
    const latest = await recentNotes(target);
    if (threads !== null && latest !== null && latest === recent && !isDue(now)) return [];
    const after = await addMissing(target, await threadsById(target), threads);
    const first = since === null ? [] : eventsSince(name, after, since);
    const events = threads ? eventsBetween(name, threads, after) : first;
    threads = after;
    recent = latest;
    lastFullLook = now;
    return events;
  };
  const noneIsOpen = (all: Iterable<Discussion>) => [...all].every((thread) => !mayBeOpen(thread));
  const isResolved = async () =>
    threads !== null && noneIsOpen(threads.values()) && noneIsOpen(await listed(target).complete());
  return { name, isResolved, look };
};

const recentNotes = async ({ client, kind, path }: Target): Promise<string | null> => {
  if (kind === 'commit') return null;
  const order = { order_by: 'updated_at', sort: 'desc', per_page: 20 } as const;
  const notes = await nullIfUnsupported(firstPage(client.notes[kind].list({ ...path, ...order })));
  return notes && JSON.stringify(notes.map(({ id, updated_at, resolved }) => [id, updated_at, resolved]));
};

const firstPage = async (list: Pages<Note>): Promise<readonly Note[]> => {
  for await (const { items } of list.pages()) return items;
  return [];
};

const threadsById = async ({ client, kind, path }: Target): Promise<Map<string, Discussion>> => {
  const threads = new Map<string, Discussion>();
  for await (const thread of client.discussions[kind].list({ ...path, per_page: 100 })) threads.set(thread.id, thread);
  return threads;
};

/** A list can skip a thread if another one is deleted between two pages, so missing threads are requested. */
const addMissing = async (
  { client, kind, path }: Target, listed: Map<string, Discussion>, before: Threads | null,
): Promise<Threads> => {
  for (const id of before?.keys() ?? []) {
    if (listed.has(id)) continue;
    const thread = await nullIfMissing(client.discussions[kind].get({ ...path, discussion_id: id }));
    if (thread) listed.set(id, thread);
  }
  return listed;
};
