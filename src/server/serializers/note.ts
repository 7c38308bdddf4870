import type { Dialect } from '../../contract/endpoint.js';
import { noteables, type NoteableKind } from '../../contract/noteables.js';
import type { Discussion, Note, NoteableType } from '../../contract/shapes/note.js';
import type { LineEnd, LineRange, Position } from '../../contract/shapes/position.js';
import type { User } from '../../contract/shapes/scalars.js';
import { json, jsonArray, jsonObject, ownUrl, type Json } from '../http/json.js';
import { systemUploads } from '../repositories/appearance.js';
import type { NoteableRow } from '../repositories/noteables.js';
import type { FragmentRow, NewNote, ShownNoteRow } from '../repositories/notes.js';

interface Person {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly state: string;
}

/** behavior: notes.author, notes.author-locked */
export const userJson = (person: Person, dialect: Dialect): Json<User> => {
  const known = serialized[dialect].get(person);
  if (known !== undefined) return known;
  const text = jsonObject<User>(userFields(person, dialect));
  serialized[dialect].set(person, text);
  return text;
};

/** The row of a caller is the same object in many requests. */
const serialized: Readonly<Record<Dialect, WeakMap<Person, Json<User>>>> =
  { document: new WeakMap(), live: new WeakMap() };

export const userFields = (person: Person, dialect: Dialect): { readonly [K in keyof User]: Json<User[K]> } => {
  const [name, username] = [json(person.name), json(person.username)];
  return {
    id: json(person.id),
    ...(dialect === 'live' ? { username, name } : { name, username }),
    state: json(person.state),
    ...(dialect === 'live' && { locked: json(false) }),
    avatar_url: ownUrl(`${systemUploads}/user/avatar/${person.id}/avatar.png`),
    web_url: ownUrl(`/${person.username}`),
  };
};

export type NotedRow = Pick<NoteableRow, 'kind' | 'global_id' | 'iid' | 'project_id'>;

/** Oldest first. An individual note has no type (behavior: threads.keys, threads.individual-note). */
export const discussionJson = (notes: readonly ThreadPart[]): Json<Discussion> => jsonObject<Discussion>({
  id: json(notes[0]!.discussion_id),
  individual_note: json(notes[0]!.type === null),
  notes: jsonArray(notes.map((note) => withId(note.id, note.fragment))),
});

export interface ThreadPart {
  readonly id: number;
  readonly discussion_id: string;
  readonly type: string | null;
  readonly fragment: string;
}

export const withId = (id: number, fragment: string): Json<Note> => `{"id":${id},${fragment}`;

/** Only the response to a change contains these fields (behavior: notes.commands-changes). */
export const withChanges = (id: number, fragment: string, changes: Readonly<Record<string, unknown>>): Json<Note> =>
  withId(id, fragmentWith(fragment, changes));

/** Of the live dialect. A text cannot contain the replaced member. */
export const fragmentWith = (fragment: string, changes: Readonly<Record<string, unknown>>): string =>
  Object.keys(changes).length === 0 ? fragment
    : fragment.replace('"commands_changes":{}', () => `"commands_changes":${json(changes)}`);

interface NotePeople { readonly author: Person; readonly resolver: Person | null }

export const peopleOf = (note: ShownNoteRow): NotePeople => ({
  author: { id: note.author_id, username: note.author_username, name: note.author_name, state: note.author_state },
  resolver: note.resolved_by === null ? null : {
    id: note.resolved_by, username: note.resolver_username!, name: note.resolver_name!, state: note.resolver_state!,
  },
});

/**
 * Raise it with every change of the JSON of a note: stored fragments of another version are serialized again when read.
 * `test/server/serializers/note.test.ts` fails where this was forgotten.
 */
const version = 1;

export const fragmentFormat = (dialect: Dialect): string => `${dialect} ${version}`;

/** Of this serializer. */
export const isCurrent = (note: Pick<FragmentRow, 'fragment' | 'dialect'>, dialect: Dialect): boolean =>
  note.fragment !== null && note.dialect === fragmentFormat(dialect);

/** The stored JSON if it is current, else serialized. */
export const withFragment = (noteable: NotedRow, note: ShownNoteRow, dialect: Dialect): ShownNoteRow & ThreadPart => {
  const fragment = isCurrent(note, dialect) ? note.fragment! : fragmentOf(noteable, note, peopleOf(note), dialect);
  return { ...note, fragment };
};

export const noteJson = (noteable: NotedRow, note: ShownNoteRow, dialect: Dialect): Json<Note> =>
  withId(note.id, withFragment(noteable, note, dialect).fragment);

/** behavior: notes.keys, notes.more-keys, notes.noteable-id, notes.noteable-id-commit */
export const fragmentOf = (
  noteable: NotedRow, note: NotedNote, people: NotePeople, dialect: Dialect,
): string => jsonObject<NoteBody>({
  ...leadingFields(note, people, dialect),
  noteable_id: json(dialect === 'live' && noteable.kind === 'commit' ? null : noteable.global_id),
  noteable_type: json(noteables[noteable.kind].type[dialect] as NoteableType),
  ...(dialect === 'live' && { project_id: json(noteable.project_id) }),
  ...diffFields(noteable, note, dialect),
  resolvable: json(isResolvable(noteable, note)),
  ...resolution(noteable, note, people, dialect),
  ...trailingFields(noteable, dialect),
}).slice(1);

type NoteBody = Omit<Note, 'id'>;

type NotedNote = Omit<NewNote, 'fragment' | 'dialect' | 'starts' | 'noteable'>;

/** In a thread, on a resolvable kind, not a system note (behavior: resolving.kinds, resolving.comments). */
export const isResolvable = (noteable: NotedRow, note: Pick<ShownNoteRow, 'type' | 'system'>): boolean =>
  noteables[noteable.kind].resolvable && note.type !== null && !note.system;

type Fields = Partial<{ [K in keyof Note]: Json<Note[K]> }>;

const leadingFields = (note: NotedNote, { author }: NotePeople, dialect: Dialect) => ({
  type: json(note.type),
  body: json(note.body),
  attachment: json<unknown>(note.attachment),
  author: userJson(author, dialect),
  created_at: json(note.created_at),
  updated_at: json(note.updated_at),
  system: json(note.system === 1),
});

/**
 * The head of the position in the document, and the commit that a live note was made on (behavior:
 * notes.commit-id-head, notes.commit-id).
 */
const diffFields = (noteable: NotedRow, note: NotedNote, dialect: Dialect): Fields => {
  if (note.type !== 'DiffNote' || note.position === null) return {};
  const position = JSON.parse(note.position) as Position;
  const commit = note.commit_id ?? (dialect === 'document' ? position.head_sha : null);
  return {
    ...(noteable.kind === 'merge_request' && { commit_id: json(commit) }),
    position: json(dialect === 'document' ? documentPosition(position, noteable.kind) : position),
  };
};

/** Leaves out what is null in the live service (behavior: positions.no-nulls, positions.nulls). */
const documentPosition = (position: Position, kind: NoteableKind): Position => {
  const range = kind === 'merge_request' && position.position_type === 'text' ? position.line_range : null;
  const shown = position.position_type !== 'text' ? position
    : { ...position, line_range: range ? documentRange(range) : null };
  return Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== null)) as Position;
};

/** behavior: positions.range-ends */
const documentRange = ({ start, end }: LineRange): LineRange =>
  ({ ...(start && { start: codeAndType(start) }), ...(end && { end: codeAndType(end) }) });

const codeAndType = ({ line_code, type }: LineEnd): LineEnd =>
  ({ ...(line_code && { line_code }), ...(type && { type }) });

/**
 * In the document on every merge request note; live only if it can be resolved (behavior: resolving.keys,
 * resolving.keys-if-resolvable, resolving.resolver).
 */
const resolution = (
  noteable: NotedRow, note: NotedNote, { resolver }: NotePeople, dialect: Dialect,
): Fields => {
  const shows = dialect === 'live' ? isResolvable(noteable, note) : noteable.kind === 'merge_request';
  return shows ? {
    resolved: json(note.resolved_at !== null),
    resolved_by: resolver === null ? json(null) : userJson(resolver, dialect),
    ...(dialect === 'live' && { resolved_at: json(note.resolved_at) }),
  } : {};
};

/**
 * `noteable_iid` is null in the documentation; live it is the iid of an issue or merge request (behavior:
 * notes.noteable-iid-null, notes.noteable-iid). The other fields are constant (behavior: notes.never-internal).
 */
const trailingFields = (noteable: NotedRow, dialect: Dialect): Fields => {
  if (dialect === 'document') return { noteable_iid: json(null) };
  const hasIid = noteable.kind === 'issue' || noteable.kind === 'merge_request';
  return {
    confidential: json(false),
    internal: json(false),
    imported: json(false),
    imported_from: json('none'),
    noteable_iid: json(hasIid ? noteable.iid : null),
    commands_changes: json({}),
  };
};
