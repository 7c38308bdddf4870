import * as Type from '@sinclair/typebox';
import type { Pages } from '../../client/pages.js';
import { type Discussion, Note } from '../../contract/shapes/note.js';
import { firstWords, plainLine } from '../../text/plain.js';
import type { App } from '../app.js';
import { nullIfMissing, nullIfUnsupported } from '../service/connection/unsupported.js';
import type { Target } from '../service/targets/target.js';
import { hasHiddenThreads, listed } from '../service/targets/threads.js';
import type { View } from '../terminal/output/view.js';
import { positionText } from './position/position.js';
import { shortId } from './thread-id.js';
import { mayBeOpen, resolvedNote, shownText, threadState } from './views/note.js';

export type WatchedNoteable = ReturnType<typeof watchedNoteable>;

/** Only all threads show a resolution, which does not change `updated_at` (behavior: resolving.keeps-time). */
const longestBetweenFullLooks = 60_000;

/**
 * A look requests the most recently changed notes, and all threads if these have changed, a minute has passed, or the
 * service does not list notes. @param since the first look reports later changes; none when null
 */
export const watchedNoteable = (app: App, target: Target, interval: number, since: number | null) => {
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
  const isResolved = async (): Promise<boolean> =>
    threads !== null && noneIsOpen(threads.values()) && noneIsOpen(await listed(target).complete())
    && !await hasHiddenThreads(target);
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
  const threads = await client.discussions[kind].list({ ...path, per_page: 100 }).all();
  return new Map(threads.map((thread) => [thread.id, thread]));
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

const changeKinds = ['created', 'updated', 'deleted', 'resolved', 'unresolved'] as const;
type ChangeKind = (typeof changeKinds)[number];

/** `resolved` and `unresolved` concern the thread, whose first note the event has. */
export const WatchEvent = Type.Object({
  event: Type.Union(changeKinds.map((kind) => Type.Literal(kind))), ref: Type.String(), discussion_id: Type.String(),
  note: Note,
});
export type WatchEvent = Omit<Type.Static<typeof WatchEvent>, 'event' | 'note'>
  & { readonly event: ChangeKind; readonly note: Note };

export const watchEventView: View<WatchEvent> = {
  columns: [], id: ({ discussion_id }) => discussion_id, shape: WatchEvent, emptyText: '',
};

export type Threads = ReadonlyMap<string, Discussion>;

export const eventsBetween = (ref: string, before: Threads, after: Threads): WatchEvent[] => {
  const all = new Map([...before, ...after]);
  return [...all.keys()].flatMap((id) => eventsOfThread(before.get(id), after.get(id))
    .map(([event, note]) => ({ event, ref, discussion_id: id, note })));
};

type Change = readonly [ChangeKind, Note];

const eventsOfThread = (before: Discussion | undefined, after: Discussion | undefined): Change[] => {
  const old = new Map(before?.notes.map((note) => [note.id, note]));
  const notes = after?.notes ?? [];
  const kept = new Set(notes.map(({ id }) => id));
  return [
    ...notes.flatMap((note) => noteChanges(old.get(note.id), note)),
    ...[...old.values()].filter(({ id }) => !kept.has(id)).map((note): Change => ['deleted', note]),
    ...stateChange(before, after),
  ];
};

/** Resolving a single note moves its `updated_at` too (behavior: resolving.keeps-time). */
const noteChanges = (old: Note | undefined, note: Note): Change[] => {
  if (!old) return [['created', note]];
  const isEdited = old.body !== note.body
    || (old.updated_at !== note.updated_at && old.resolved === note.resolved);
  return isEdited ? [['updated', note]] : [];
};

/** A new thread that is resolved already is reported as created and resolved. */
const stateChange = (before: Discussion | undefined, after: Discussion | undefined): Change[] => {
  const [first] = after?.notes ?? [];
  if (!after || !first) return [];
  const [was, is] = [before ? threadState(before) : 'open', threadState(after)];
  if (is === 'resolved' && was !== 'resolved') return [['resolved', first]];
  return is === 'open' && was === 'resolved' ? [['unresolved', first]] : [];
};

/** Reports changes as far as the threads show them. @param since milliseconds since 1970 */
export const eventsSince = (ref: string, threads: Threads, since: number): WatchEvent[] => {
  const isLater = (time: string | null | undefined) => typeof time === 'string' && Date.parse(time) >= since;
  return [...threads.values()].flatMap((thread) => {
    const changes = thread.notes.flatMap((note): Change[] =>
      isLater(note.created_at) ? [['created', note]] : isLater(note.updated_at) ? [['updated', note]] : []);
    const isResolved = threadState(thread) === 'resolved' && isLater(resolvedNote(thread)?.resolved_at);
    const resolved = isResolved ? thread.notes.slice(0, 1).map((note): Change => ['resolved', note]) : [];
    return [...changes, ...resolved].map(([event, note]) => ({ event, ref, discussion_id: thread.id, note }));
  });
};

/** One escaped line such as `ada wrote in thread 1a2b3c4d of mr/12 (src/a.ts:5): first words`. */
export const watchSentence = ({ event, ref, discussion_id, note }: WatchEvent): string => {
  const [author, resolver] = [plainLine(note.author.username), plainLine(note.resolved_by?.username)];
  const place = plainLine(positionText(note.position));
  const thread = `thread ${plainLine(shortId(discussion_id))} of ${ref}${place === '' ? '' : ` (${place})`}`;
  const words = firstWords(shownText(note.body));
  switch (event) {
    case 'created': return note.system ? `${author} ${words} (${ref})` : `${author} wrote in ${thread}: ${words}`;
    case 'updated': return `${author} edited note ${note.id} in ${thread}: ${words}`;
    case 'deleted': return `note ${note.id} by ${author} was deleted from ${thread}: ${words}`;
    case 'resolved': return resolver === '' ? `${thread} was resolved` : `${resolver} resolved ${thread}`;
    case 'unresolved': return `${thread} was reopened`;
  }
};
