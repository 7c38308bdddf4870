import { contract } from '../../contract/contract.js';
import { apiPrefix, bodyLimit, type NoteableKind, noteableKinds } from '../../contract/conventions.js';
import type { Endpoint } from '../../contract/endpoint.js';
import type { Note } from '../../contract/shapes/note.js';
import type { Params } from '../../wire/http.js';
import {
  countCharacters, isQuickActionsOnly, type Marker, readMarker, withMarker, withoutMarkers,
} from '../../wire/note-text.js';
import { fillPath } from '../../wire/encode.js';
import { anySignal } from '../../wire/timers.js';
import type { CallOptions, ClientOptions } from '../options.js';

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
