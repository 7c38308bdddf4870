import type { Endpoint } from '../../contract/endpoint.js';
import type { Note } from '../../contract/shapes/note.js';
import { isParams, type Params } from '../../wire/forms.js';
import { readMarker, withMarker, withoutMarkers, type Marker } from '../../wire/marker.js';
import { isStoredAs } from '../../wire/note-text.js';
import type { Place } from './place.js';
import type { FoundNote } from './reads.js';

/** One note to create. */
export interface NoteRequest {
  readonly endpoint: Endpoint;
  readonly params: Params;
  readonly place: Place;
  /** The text without its marker. */
  readonly text: string;
  /** Null if the note is recognized by its text. */
  readonly marker: Marker | null;
  /** Whether the marker has a key, so that earlier runs may have created the note. */
  readonly isKeyed: boolean;
  /** Whether later calls find the note by its marker. */
  readonly isFoundLater: boolean;
  /** Whether the service may sort the note among older ones. */
  readonly isBackdated: boolean;
  /** Whether to send the note again if it is not found after a timeout. */
  readonly resend: boolean;
  readonly signal: AbortSignal | undefined;
  /** How long ago an earlier program may have sent the note, in milliseconds. */
  readonly lookBack: number | undefined;
}

type Given = Pick<NoteRequest, 'resend' | 'signal' | 'lookBack' | 'isFoundLater'> & { readonly isVisible: boolean };

/** The wanted of a call: the body becomes that of the note, with the marker. */
export const noteRequest = (
  endpoint: Endpoint, params: Params, place: Place, marker: Marker | null, { isVisible, ...given }: Given,
): NoteRequest => {
  const text = withoutMarkers(String(params['body']));
  return {
    endpoint, place, text, marker, ...given,
    params: { ...params, body: marker === null ? text : withMarker(text, marker, { isVisible }) },
    isKeyed: marker?.['key'] !== undefined,
    isBackdated: (params['created_at'] ?? null) !== null,
  };
};

/** What identifies a note: its key, the fingerprint of its finding, or the id of its call. Other values are data. */
export const identityOf = ({ key, fp, id }: Marker): string => JSON.stringify([key ?? null, fp ?? null, id ?? null]);

/** The identity in the marker of a note; null for a note without a marker and one of the service. */
export const identityIn = ({ system, body }: Note): string | null => {
  const { marker } = system ? { marker: null } : readMarker(String(body));
  return marker === null ? null : identityOf(marker);
};

/** Whether a note has the author, the place and the text of a wanted, for notes without a marker. */
export const looksLike = ({ params, place, text }: NoteRequest, { note }: FoundNote, owner: number): boolean =>
  !note.system && note.author.id === owner && isStoredAs(text, String(note.body))
  // A reply has the position of its thread and is sent without one.
  && (place.makes === 'reply' || placeOnDiff(params['position']) === placeOnDiff(note.position));

const placeOnDiff = (position: unknown): string => {
  if (!isParams(position)) return '';
  const { old_path: oldPath, new_path: newPath, old_line: oldLine, new_line: newLine, x, y } = position;
  return JSON.stringify([newPath ?? oldPath, oldLine, newLine, x, y].map((value) => value ?? null));
};
