import { contract } from '../../contract/contract.js';
import { apiPrefix, bodyLimit, type NoteableKind, noteableKinds } from '../../contract/conventions.js';
import type { Endpoint } from '../../contract/endpoint.js';
import type { Discussion, Note } from '../../contract/shapes/note.js';
import { fillPath } from '../../wire/encode.js';
import { type Params, readHttpDate } from '../../wire/http.js';
import {
  countCharacters, isQuickActionsOnly, type Marker, readMarker, withMarker, withoutMarkers,
} from '../../wire/note-text.js';
import { anySignal, type Time, unlessAborted } from '../../wire/time.js';
import { type Call, listMethod } from '../calls.js';
import { isMissing } from '../errors.js';
import type { CallOptions, ClientOptions } from '../options.js';
import { readPage, responseItems } from '../page.js';
import { type Exchange, responseError } from '../response.js';

export interface Noteable {
  readonly kind: NoteableKind;
  readonly path: Params;
}

export interface WritePlace extends Noteable {
  readonly makes: 'comment' | 'thread' | 'reply';
}

/** Where an endpoint that creates notes creates one. @throws TypeError for any other endpoint */
const notePlace = (endpoint: Endpoint, { id, noteable_id, discussion_id }: Params): WritePlace => {
  const path = { id, noteable_id };
  for (const kind of noteableKinds) {
    const threads = contract.discussions[kind];
    if (endpoint === threads.create) return { kind, makes: 'thread', path };
    if (endpoint === threads.addNote) return { kind, makes: 'reply', path: { ...path, discussion_id } };
    if (kind !== 'commit' && endpoint === contract.notes[kind].create) return { kind, makes: 'comment', path };
  }
  throw new TypeError(`${endpoint.method} ${endpoint.paths[0]} creates no note`);
};

export const noteableKey = ({ kind, path: { id, noteable_id } }: Noteable): string => [kind, id, noteable_id].join(' ');

/** Options that only the program gives. */
export interface CreateOptions extends CallOptions {
  /** Several programs write parts of the note: their markers stay in the text, and copies are left to the caller. */
  readonly isShared?: boolean;
}

export interface NoteRequest {
  readonly endpoint: Endpoint;
  readonly params: Params;
  readonly place: WritePlace;
  readonly text: string;
  readonly marker: Marker | null;
  /** Whether the marker has a key, so that earlier runs may have created the note. */
  readonly isKeyed: boolean;
  readonly isFoundLater: boolean;
  readonly isShared: boolean;
  /** Whether the service may sort the note among older ones. */
  readonly isBackdated: boolean;
  /** Whether to send the note again if it is not found after a timeout. */
  readonly resend: boolean;
  readonly signal: AbortSignal | undefined;
  /** How long ago an earlier program may have sent the note, in milliseconds. */
  readonly lookBack: number | undefined;
}

/** @param nextId an id that no other call has @throws TypeError for an empty key */
export const noteRequest = (
  endpoint: Endpoint, params: Params, given: CreateOptions, options: ClientOptions, nextId: () => string,
): NoteRequest => {
  const { isShared = false, visibleMarker: isVisible = false } = given;
  const text = isShared ? String(params['body']) : withoutMarkers(String(params['body']));
  const wanted = markerFor(given, options, nextId);
  const whole = wanted === null ? text : withMarker(text, wanted, { isVisible });
  const isTooLong = wanted !== null && wanted['key'] === undefined && countCharacters(whole) > bodyLimit;
  // A text that is too long only with its marker is sent without one, unless the marker has a key.
  const [marker, body] = isTooLong ? [null, text] : [wanted, whole];
  return {
    endpoint, place: notePlace(endpoint, params), text, marker,
    params: { ...params, body },
    isKeyed: marker?.['key'] !== undefined, isFoundLater: given.key !== undefined || given.marker !== undefined,
    isShared,
    isBackdated: (params['created_at'] ?? null) !== null, resend: options.resend ?? marker !== null,
    signal: anySignal(options.signal, given.signal), lookBack: given.lookBack,
  };
};

const markerFor = (given: CallOptions, options: ClientOptions, nextId: () => string): Marker | null => {
  const { key, marker, once = options.once } = given;
  if (key === '') throw new TypeError('the key is empty');
  if (key !== undefined) return { key: key.toWellFormed(), ...marker };
  if (marker?.['key'] !== undefined) return marker;
  return marker !== undefined || once === 'marker' ? { ...marker, id: nextId() } : null;
};

/** Whether the service makes a note of a text. A marker would turn others, blank ones and quick actions, into notes. */
export const isNoteText = ({ kind }: WritePlace, body: unknown): boolean =>
  typeof body === 'string' && body.trim() !== '' && (kind === 'snippet' || !isQuickActionsOnly(body));

export const noteRequestLine = ({ endpoint, params }: NoteRequest): string =>
  `${endpoint.method} ${apiPrefix}${fillPath(endpoint.paths[0], params)}`;

/** Notes that look the same are created one after the other. */
export const queueOf = ({ place, marker, text }: NoteRequest): string => JSON.stringify(
  [noteableKey(place), marker === null ? [place.path, text] : [marker['key'], marker['fp'], marker['id']]]);

/** What identifies a note: its key, the fingerprint of its finding, or the id of its call. Other values are data. */
export const identityOf = ({ key, fp, id }: Marker): string => JSON.stringify([key ?? null, fp ?? null, id ?? null]);

/** The identity in the marker of a note; null for a note without a marker and one of the service. */
export const identityIn = ({ system, body }: Note): string | null => {
  const { marker } = system ? { marker: null } : readMarker(String(body));
  return marker === null ? null : identityOf(marker);
};

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
  const repeating: Call = async (endpoint, params, signal = options.signal) => {
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
    const [date, readAt] = [readHttpDate(response.headers['date']), time.now()];
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
  const complete = async (noteable: Noteable): Promise<readonly FoundNote[]> => {
    const found = await threadsOn(noteable).complete(true) as readonly Discussion[];
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
  const lookUpOwner = async (): Promise<number> => {
    const { exchange, read } = await repeating(contract.lookups.user, {});
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
    again: async (
      { kind, path: { id, noteable_id } }: Noteable, { note, discussion }: FoundNote, signal?: AbortSignal,
    ): Promise<FoundNote | null> => {
      const [endpoint, at] = discussion === null && kind !== 'commit'
        ? [contract.notes[kind].get, { note_id: note.id }]
        : [contract.discussions[kind].get, { discussion_id: discussion?.id }];
      const { read } = await repeating(endpoint, { id, noteable_id, ...at }, signal).catch(nullIfMissing) ?? {};
      if (!read) return null;
      const found = discussion === null ? [{ note: read() as Note, discussion }] : foundNotes(read() as Discussion);
      return found.find((one) => one.note.id === note.id) ?? null;
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
    owner: (signal?: AbortSignal): Promise<number> => unlessAborted(owner ??= lookUpOwner().catch((error: unknown) => {
      owner = null;
      throw error;
    }), signal),
  };
};

export type Reads = ReturnType<typeof createReads>;

export const nullIfMissing = (error: unknown): null => {
  if (isMissing(error)) return null;
  throw error;
};

const foundNotes = (discussion: Discussion): FoundNote[] => discussion.notes.map((note) => ({ note, discussion }));

const createdAt = (note: Note | undefined): number | null => note ? Date.parse(note.created_at) || null : null;
