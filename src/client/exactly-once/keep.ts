import type { Discussion, Note } from '../../contract/shapes/note.js';
import { readMarker } from '../../wire/marker.js';
import { isStoredAs } from '../../wire/note-text.js';
import { MarkerLostError, ResponseError } from '../errors.js';
import { sortCopies } from './copies.js';
import { lookAfterCreate, type Creating } from './look.js';
import { addResult, removeNote } from './marked-notes.js';
import { identityOf, lineOf, type NoteRequest } from './note-request.js';
import type { FoundNote } from './reads.js';
import { threadOf } from './search.js';

export interface CreatedNote {
  readonly note: Note;
  /** The thread that the note starts; null for a comment and a reply. */
  readonly thread: Discussion | null;
  /** How the note was found; null if the first attempt created it. */
  readonly existing: ExistingNote | null;
}

interface ExistingNote {
  /** An earlier attempt stored the note, or it has the key of the call. */
  readonly by: 'attempt' | 'key';
  readonly same: boolean;
}

/** @param most how many copies may be deleted */
export const keepExisting = async (
  creating: Creating, copies: readonly FoundNote[], by: ExistingNote['by'], most = Infinity,
): Promise<CreatedNote> => {
  const { request, onEvent } = creating;
  const kept = await keepOne(creating, copies, most);
  const same = isStoredAs(request.text, readMarker(kept.note.body).text);
  onEvent({ type: 'existing', request: lineOf(request), note: kept.note.id, by, same });
  return resultOf(creating, kept, { by, same });
};

/** @throws MarkerLostError if later runs would not find the note; then it is deleted */
export const keepCreated = async (
  creating: Creating, result: Note | Discussion, attempts: number,
): Promise<CreatedNote> => {
  const { request } = creating;
  const created = noteIn(request, result);
  if (request.isFoundLater && readMarker(created.note.body).marker === null) throw await markerLost(creating, created);
  // A backdated note can be on any page: concurrent copies are found by the scan of a later run.
  if (attempts === 1 && (!request.isKeyed || request.isBackdated)) return resultOf(creating, created, null);
  try {
    const copies = await lookAfterCreate(creating, created);
    if (copies.length === 0) return await resultOf(creating, created, null);
    const kept = await keepOne(creating, copies, mostCopies(request, attempts));
    return await resultOf(creating, kept.note.id === created.note.id ? created : kept, null);
  } catch (cause) {
    if (request.signal?.aborted) throw cause;
    throw unchecked(request, created.note, cause);
  }
};

/** Without a marker, no more copies are deleted than attempts can have made. */
export const mostCopies = ({ marker }: NoteRequest, attempts: number): number =>
  marker === null ? attempts - 1 : Infinity;

export const noteIn = (request: NoteRequest, result: Note | Discussion): FoundNote => {
  const discussion = request.place.makes === 'thread' ? result as Discussion : null;
  const note = discussion ? (discussion.notes as Discussion['notes'] | undefined)?.[0] : result as Note;
  if (note && Number.isInteger(note.id)) return { note, discussion };
  throw new ResponseError('the response contains no note', lineOf(request), 201);
};

const keepOne = async (creating: Creating, copies: readonly FoundNote[], most: number): Promise<FoundNote> => {
  const { onEvent, request } = creating;
  // Older notes may have the same text: those of this call are the newest.
  const { kept, surplus, changed } = sortCopies(copies.slice(-1 - most), { most });
  const report = (type: 'changed' | 'duplicate', { note }: FoundNote) =>
    onEvent({ type, request: lineOf(request), note: note.id, kept: kept!.note.id });
  if (request.isShared) return kept!;
  for (const copy of changed) report('changed', copy);
  for (const copy of surplus) {
    await removeNote(creating, request.place, copy, request.signal);
    report('duplicate', copy);
  }
  return kept!;
};

const resultOf = async (
  creating: Creating, found: FoundNote, existing: ExistingNote | null,
): Promise<CreatedNote> => {
  const { request } = creating;
  const { note, discussion } = found;
  addResult(creating, request.place, request.marker && identityOf(request.marker), found);
  const thread = request.place.makes === 'thread' ? discussion ?? await threadOf(creating, request, note) : null;
  return { note, thread, existing };
};

const markerLost = async (creating: Creating, created: FoundNote): Promise<MarkerLostError> => {
  const { place, signal } = creating.request;
  const isDeleted = await removeNote(creating, place, created, signal).then(() => true, () => false);
  return new MarkerLostError(created.note.id, isDeleted, lineOf(creating.request));
};

/** The note is stored, and perhaps more than once. */
const unchecked = (request: NoteRequest, { id }: Note, cause: unknown): ResponseError =>
  new ResponseError(`stored note ${id}, but could not check whether it exists only once: `
    + (cause as Error).message, lineOf(request), 201, { cause });
