import { contract } from '../../contract/contract.js';
import type { Endpoint } from '../../contract/endpoint.js';
import type { Discussion, Note } from '../../contract/shapes/note.js';
import type { Params } from '../../wire/forms.js';
import type { Call } from '../calls.js';
import { ApiError } from '../errors.js';
import { itemsOf, readPage } from '../pagination/page.js';
import type { Exchange } from '../response.js';
import { repeatAfterServerErrors, type RetryPolicy } from '../retry.js';
import type { Time } from '../time.js';
import type { Place } from './place.js';

/** A note that was read, with its thread if the list contains it. */
export interface FoundNote {
  readonly note: Note;
  readonly discussion: Discussion | null;
}

/** Notes that were read with one request. */
export interface NotesRead {
  readonly found: readonly FoundNote[];
  /** The `Date` of the response in milliseconds; null if it has none. */
  readonly date: number | null;
  /** When the oldest item was created; null if the following pages can contain newer ones. */
  readonly oldest: number | null;
}

/** Reads notes where a call creates one. */
export interface Reads {
  /**
   * The notes of a place, the newest first as far as the service can sort: the comments of a noteable, its threads from
   * the last page backwards, or one thread.
   */
  readonly newest: (place: Place, signal?: AbortSignal) => AsyncIterable<NotesRead>;
  /** All notes of the noteable of a place, with their threads. */
  readonly all: (place: Place, signal?: AbortSignal) => AsyncIterable<NotesRead>;
  /** Deletes a note; resolves too if it is gone already. */
  readonly remove: (place: Place, found: FoundNote, signal?: AbortSignal) => Promise<void>;
  /** The id of the user of the token. */
  readonly owner: (signal?: AbortSignal) => Promise<number>;
}

const perPage = 100;

/** @param policy also limits how often a read is repeated after a 500 or a damaged response */
export const createReads = (call: Call, policy: RetryPolicy, time: Time): Reads => {
  const perform = (endpoint: Endpoint, params: Params, signal?: AbortSignal) => {
    const read = async () => {
      const { exchange, read: result } = await call(endpoint, params, signal);
      return { exchange, result: result() };
    };
    return repeatAfterServerErrors(read, policy, time, { signal });
  };

  const page = async (endpoint: Endpoint, params: Params, signal?: AbortSignal) => {
    const requested = { ...params, per_page: perPage };
    const { exchange, result } = await perform(endpoint, requested, signal);
    return { exchange, ...readPage(exchange, itemsOf(exchange, result), requested) };
  };

  async function* forward(endpoint: Endpoint, params: Params, signal?: AbortSignal) {
    for (let next: Params | null = {}; next !== null;) {
      const current = await page(endpoint, { ...params, ...next }, signal);
      yield current;
      next = current.next;
    }
  }

  const lastPages = new Map<string, number>();

  async function* backward({ kind, path, noteable }: Place, signal?: AbortSignal): AsyncGenerator<NotesRead> {
    const threads = contract.discussions[kind].list;
    let current = await page(threads, { ...path, page: lastPages.get(noteable) ?? 1 }, signal);
    if (current.page.pages === null) return yield* allThreads({ kind, path }, signal);
    while (current.page.page !== current.page.pages) {
      current = await page(threads, { ...path, page: current.page.pages }, signal);
      if (current.page.pages === null) return yield* allThreads({ kind, path }, signal);
    }
    lastPages.set(noteable, current.page.page);
    yield threadsRead(current);
    for (let at = current.page.page - 1; at >= 1; at--) {
      yield threadsRead(await page(threads, { ...path, page: at }, signal));
    }
  }

  async function* allThreads({ kind, path }: Pick<Place, 'kind' | 'path'>, signal?: AbortSignal) {
    const { id, noteable_id } = path;
    for await (const each of forward(contract.discussions[kind].list, { id, noteable_id }, signal)) {
      yield { ...threadsRead(each), oldest: null };
    }
  }

  async function* comments(list: Endpoint, path: Params, signal?: AbortSignal): AsyncGenerator<NotesRead> {
    for await (const { exchange, page: { items } } of forward(list, { ...path, sort: 'desc' }, signal)) {
      const notes = items as readonly Note[];
      yield {
        found: notes.map((note) => ({ note, discussion: null })),
        date: dateOf(exchange), oldest: createdAt(notes.at(-1)),
      };
    }
  }

  async function* thread({ kind, path }: Place, signal?: AbortSignal): AsyncGenerator<NotesRead> {
    const { exchange, result } = await perform(contract.discussions[kind].get, path, signal);
    yield { found: notesOf(result as Discussion), date: dateOf(exchange), oldest: null };
  }

  let owner: Promise<number> | null = null;
  const lookUpOwner = async (signal?: AbortSignal): Promise<number> =>
    ((await perform(contract.lookups.user, {}, signal)).result as { readonly id: number }).id;

  return {
    newest: (place, signal) => {
      const { kind, makes, path } = place;
      if (makes === 'reply') return thread(place, signal);
      return makes === 'comment' && kind !== 'commit'
        ? comments(contract.notes[kind].list, path, signal) : backward(place, signal);
    },
    all: allThreads,
    remove: async ({ kind, path }, { note, discussion }, signal) => {
      const discussion_id = discussion?.id ?? path['discussion_id'];
      const [endpoint, at] = discussion_id === undefined && kind !== 'commit'
        ? [contract.notes[kind].delete, path] : [contract.discussions[kind].deleteNote, { ...path, discussion_id }];
      await perform(endpoint, { ...at, note_id: note.id }, signal).catch((error: unknown) => {
        if (!(error instanceof ApiError && error.status === 404)) throw error;
      });
    },
    owner: (signal) => owner ??= lookUpOwner(signal).catch((error: unknown) => {
      owner = null;
      throw error;
    }),
  };
};

const threadsRead = ({ exchange, page }: {
  readonly exchange: Exchange; readonly page: { readonly items: readonly unknown[] };
}): NotesRead => {
  const threads = page.items as readonly Discussion[];
  return {
    found: threads.flatMap(notesOf), date: dateOf(exchange), oldest: createdAt(threads[0]?.notes[0]),
  };
};

const notesOf = (discussion: Discussion): FoundNote[] => discussion.notes.map((note) => ({ note, discussion }));

const dateOf = ({ response }: Exchange): number | null => Date.parse(response.headers['date'] ?? '') || null;

const createdAt = (note: Note | undefined): number | null => note ? Date.parse(note.created_at) || null : null;
