import { contract } from '../../contract/contract.js';
import type { Endpoint } from '../../contract/endpoint.js';
import type { Discussion, Note } from '../../contract/shapes/note.js';
import type { Params } from '../../wire/http.js';
import { type Call, listMethod } from '../calls.js';
import type { ClientOptions } from '../options.js';
import { isMissing } from '../errors.js';
import { responseItems, readPage } from '../page.js';
import { type Exchange, responseError } from '../response.js';
import type { Time } from '../time.js';
import { noteableKey, type Noteable, type WritePlace } from './note-request.js';

export interface FoundNote {
  readonly note: Note;
  readonly discussion: Discussion | null;
}

/** Notes that were read with one request, or with several if the service does not count its pages. */
export interface RecentNotes {
  readonly found: readonly FoundNote[];
  /** How many milliseconds the clock of the service is ahead; null if the response has no date. */
  readonly ahead: number | null;
  /** The time is that of the local clock, not of the service. */
  readonly readAt: number;
  /** When the oldest item was created; null if the following pages can contain newer ones. */
  readonly oldest: number | null;
}

/** Requests are repeated after server errors too, whatever the policy says. */
export const createReads = (call: Call, time: Time, options: ClientOptions) => {
  const repeating: Call = async (endpoint, params, signal) => {
    const result = await call(endpoint, params, signal, { serverErrors: true });
    result.read();
    return result;
  };

  const page = async (endpoint: Endpoint, params: Params, signal?: AbortSignal) => {
    const requested = { ...params, per_page: 100 };
    const { exchange, read } = await repeating(endpoint, requested, signal);
    return { exchange, ...readPage(exchange, responseItems(exchange, read()), requested) };
  };

  const responseTimes = ({ response }: Exchange): Pick<RecentNotes, 'ahead' | 'readAt'> => {
    const [date, readAt] = [Date.parse(response.headers['date'] ?? ''), time.now()];
    return { ahead: Number.isNaN(date) ? null : date - readAt, readAt };
  };

  const lastPages = new Map<string, number>();

  const threadsOn = ({ kind, path: { id, noteable_id } }: Noteable, signal?: AbortSignal) =>
    listMethod(contract.discussions[kind].list, repeating, options)({ id, noteable_id, per_page: 100 }, { signal });

  async function* all(noteable: Noteable, signal?: AbortSignal): AsyncGenerator<readonly FoundNote[]> {
    for await (const { items, pages } of threadsOn(noteable, signal).pages()) {
      if (pages !== null) lastPages.set(noteableKey(noteable), pages);
      yield (items as readonly Discussion[]).flatMap(foundNotes);
    }
  }

  /** To say that there are no others; other programs may add some at the same time. */
  const complete = async (noteable: Noteable, signal?: AbortSignal): Promise<readonly FoundNote[]> => {
    const found = await threadsOn(noteable, signal).complete(true) as readonly Discussion[];
    // Hidden threads make the last page a later one, which `backward` then requests.
    lastPages.set(noteableKey(noteable), Math.max(1, Math.ceil(found.length / 100)));
    return found.flatMap(foundNotes);
  };

  async function* backward(place: WritePlace, signal?: AbortSignal): AsyncGenerator<RecentNotes> {
    const threads = contract.discussions[place.kind].list;
    let current = await page(threads, { ...place.path, page: lastPages.get(noteableKey(place)) ?? 1 }, signal);
    while (current.page.pages !== null && current.page.page !== current.page.pages) {
      current = await page(threads, { ...place.path, page: current.page.pages }, signal);
    }
    if (current.page.pages === null) {
      const times = responseTimes(current.exchange);
      for await (const found of all(place, signal)) yield { found, ...times, oldest: null };
      return;
    }
    lastPages.set(noteableKey(place), current.page.page);
    for (let at = current.page.page; ; current = await page(threads, { ...place.path, page: at }, signal)) {
      const items = current.page.items as readonly Discussion[];
      const oldest = createdAt(items[0]?.notes[0]);
      yield { found: items.flatMap(foundNotes), ...responseTimes(current.exchange), oldest };
      if (--at < 1) return;
    }
  }

  async function* comments(list: Endpoint, path: Params, signal?: AbortSignal): AsyncGenerator<RecentNotes> {
    for (let next: Params | null = {}; next !== null;) {
      const current = await page(list, { ...path, sort: 'desc', ...next }, signal);
      const notes = current.page.items as readonly Note[];
      const found = notes.map((note) => ({ note, discussion: null }));
      yield { found, ...responseTimes(current.exchange), oldest: createdAt(notes.at(-1)) };
      next = current.next;
    }
  }

  async function* thread({ kind, path }: WritePlace, signal?: AbortSignal): AsyncGenerator<RecentNotes> {
    const { exchange, read } = await repeating(contract.discussions[kind].get, path, signal);
    yield { found: foundNotes(read() as Discussion), ...responseTimes(exchange), oldest: null };
  }

  let owner: Promise<number> | null = null;
  const lookUpOwner = async (signal?: AbortSignal): Promise<number> => {
    const { exchange, read } = await repeating(contract.lookups.user, {}, signal);
    const { id } = read() as { readonly id: number };
    if (Number.isInteger(id)) return id;
    throw responseError(exchange, 'the response does not say which user the token belongs to');
  };

  return {
    /** As far as the service can sort: comments, threads from the last page backwards, or one thread. */
    newest: (place: WritePlace, signal?: AbortSignal): AsyncIterable<RecentNotes> => {
      const { kind, makes, path } = place;
      if (makes === 'reply') return thread(place, signal);
      return makes === 'comment' && kind !== 'commit'
        ? comments(contract.notes[kind].list, path, signal) : backward(place, signal);
    },
    all, complete,
    /** Reads the thread of a note that was read before; null if the note is gone. */
    again: async (
      { kind, path }: Noteable, { note, discussion }: FoundNote, signal?: AbortSignal,
    ): Promise<FoundNote | null> => {
      const given = { ...path, discussion_id: discussion!.id };
      const { read } = await repeating(contract.discussions[kind].get, given, signal).catch(nullIfMissing) ?? {};
      return (read ? foundNotes(read() as Discussion) : []).find((one) => one.note.id === note.id) ?? null;
    },
    /** Deletes a note; resolves too if it is gone already. */
    remove: async (
      { kind, path }: Noteable, { note, discussion }: FoundNote, signal?: AbortSignal,
    ): Promise<void> => {
      const discussion_id = discussion?.id ?? path['discussion_id'];
      const [endpoint, at] = discussion_id === undefined && kind !== 'commit'
        ? [contract.notes[kind].delete, path] : [contract.discussions[kind].deleteNote, { ...path, discussion_id }];
      await repeating(endpoint, { ...at, note_id: note.id }, signal).catch(nullIfMissing);
    },
    owner: (signal?: AbortSignal): Promise<number> => owner ??= lookUpOwner(signal).catch((error: unknown) => {
      owner = null;
      throw error;
    }),
  };
};

export type Reads = ReturnType<typeof createReads>;

export const nullIfMissing = (error: unknown): null => {
  if (isMissing(error)) return null;
  throw error;
};

const foundNotes = (discussion: Discussion): FoundNote[] => discussion.notes.map((note) => ({ note, discussion }));

const createdAt = (note: Note | undefined): number | null => note ? Date.parse(note.created_at) || null : null;
