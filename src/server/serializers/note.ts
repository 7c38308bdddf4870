import { epicFacts } from '../../contract/behavior/epics.js';
import { type Edition, type Fact, holdsIn } from '../../contract/behavior/fact.js';
import { discussionFacts, noteFacts, resolvingFacts } from '../../contract/behavior/notes.js';
import { hasSince, noteables, type NoteableKind, versions } from '../../contract/conventions.js';
import type { Note, NoteableType, WholeDiscussion } from '../../contract/shapes/note.js';
import type { LineEnd, LineRange, Position } from '../../contract/shapes/position.js';
import type { User } from '../../contract/shapes/scalars.js';
import { json, jsonArray, jsonObject, ownUrl, type Json } from '../http/response.js';
import { systemUploads } from '../repositories/appearance.js';
import { type NoteableRow, workItemIdOf } from '../repositories/noteables.js';
import type { FragmentRow, NewNote, NoteRow, ShownNoteRow } from '../repositories/notes.js';
import type { UserRow } from '../repositories/world.js';
import { judgedSuggestions, keptSuggestions, mayHaveSuggestion } from './suggestions.js';

type Person = Pick<UserRow, 'id' | 'username' | 'name' | 'state'>;

/** behavior: notes.author, notes.author-locked */
export const userJson = (person: Person, edition: Edition): Json<User> => {
  const users = serialized.get(edition) ?? new WeakMap<Person, Json<User>>();
  serialized.set(edition, users);
  const known = users.get(person);
  if (known !== undefined) return known;
  const text = jsonObject<User>(userFields(person, edition));
  users.set(person, text);
  return text;
};

/** The row of a caller is the same object in many requests. */
const serialized = new WeakMap<Edition, WeakMap<Person, Json<User>>>();

export const userFields = (person: Person, edition: Edition): { readonly [K in keyof User]: Json<User[K]> } => {
  const [name, username] = [json(person.name), json(person.username)];
  const showsLocked = holdsIn(noteFacts['notes.author-locked'], edition);
  return {
    id: json(person.id),
    ...(showsLocked ? { username, name } : { name, username }),
    state: json(person.state),
    ...(showsLocked && { locked: json(false) }),
    avatar_url: ownUrl(`${systemUploads}/user/avatar/${person.id}/avatar.png`),
    web_url: ownUrl(`/${person.username}`),
  };
};

export type NotedRow = Pick<NoteableRow,
  'kind' | 'global_id' | 'iid' | 'project_id' | 'state' | 'work_item_id' | 'base_sha' | 'start_sha' | 'head_sha'>;

/** Oldest first. An individual note has no type (behavior: threads.keys, threads.individual-note). */
export const discussionJson = (view: ThreadView, notes: readonly ThreadPart[]): Json<WholeDiscussion> =>
  jsonObject<WholeDiscussion>({
    id: json(notes[0]!.discussion_id),
    individual_note: json(notes[0]!.type === null),
    ...(holdsIn(discussionFacts['threads.more-keys'], view.edition) && threadResolution(view, notes)),
    notes: jsonArray(notes.map((note) => withId(note.id, note.fragment))) as Json<WholeDiscussion['notes']>,
  });

const threadResolution = (view: ThreadView, notes: readonly ThreadPart[]) => {
  const resolvable = notes.filter((note) => isResolvable(view, note));
  const isDone = resolvable.length > 0 && resolvable.every(({ resolved_at }) => resolved_at !== null);
  return { resolvable: json(resolvable.length > 0), resolved: json(isDone) };
};
export interface ThreadPart extends Pick<NoteRow, 'id' | 'discussion_id' | 'type' | 'system' | 'resolved_at'> {
  readonly fragment: string;
}

export const withId = (id: number, fragment: string): Json<Note> => `{"id":${id},${fragment}`;

/**
 * Only responses to a change list the changes, in the live dialect (behavior: notes.commands-changes). No text can
 * contain the key.
 */
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
const formats = { document: 3, live: 4 } as const;

export const fragmentFormat = ({ dialect, version }: Edition): string =>
  `${dialect} ${formats[dialect]}, service ${version}`;

export const isCurrent = (note: Pick<FragmentRow, 'fragment' | 'dialect'>, edition: Edition): boolean =>
  note.fragment !== null && note.dialect === fragmentFormat(edition);

interface ThreadView {
  readonly noteable: NotedRow;
  readonly edition: Edition;
}

export interface NoteView extends ThreadView {
  readonly diff: string | null;
}

export const withFragment = (view: NoteView, note: ShownNoteRow): ShownNoteRow & ThreadPart => {
  const fragment = isCurrent(note, view.edition) ? note.fragment! : fragmentOf(view, note, peopleOf(note));
  return { ...note, fragment };
};

/** behavior: notes.keys, notes.more-keys, notes.noteable-id, notes.noteable-id-commit */
export const fragmentOf = (view: NoteView, note: NotedNote, people: NotePeople): string => {
  const { noteable, edition } = view;
  return jsonObject<Omit<Note, 'id'>>({
    ...leadingFields(note, people, edition),
    noteable_id: json(edition.dialect === 'live' && noteable.kind === 'commit' ? null : noteable.global_id),
    noteable_type: json(noteables[noteable.kind].type[edition.dialect] as NoteableType),
    ...(holdsIn(noteFacts['notes.newer-keys'], edition) && { project_id: json(noteable.project_id) }),
    ...diffFields(view, note),
    resolvable: json(isResolvable(view, note)),
    ...resolution(view, note, people),
    ...trailingFields(noteable, note, edition),
  }).slice(1);
};

/** The id is null if it is not known yet; only suggestions need it. */
type NotedNote = Omit<NewNote, 'fragment' | 'dialect' | 'starts' | 'noteable'> & { readonly id: number | null };

const resolvableKinds: Readonly<Partial<Record<NoteableKind, Fact>>> = {
  merge_request: resolvingFacts['resolving.kinds'],
  issue: resolvingFacts['resolving.issues'],
  epic: resolvingFacts['resolving.epics'],
};

export const isResolvableKind = (kind: NoteableKind, edition: Edition): boolean => {
  const fact = resolvableKinds[kind];
  return fact !== undefined && holdsIn(fact, edition);
};

/** In a thread, on a resolvable kind, not a system note (behavior: resolving.kinds, resolving.comments). */
export const isResolvable = (
  { noteable, edition }: ThreadView, note: Pick<ShownNoteRow, 'type' | 'system'>,
): boolean => note.type !== null && !note.system && isResolvableKind(noteable.kind, edition);

type Fields = Partial<{ [K in keyof Note]: Json<Note[K]> }>;

/** behavior: notes.attachment, notes.no-attachment, notes.keys */
const leadingFields = (note: NotedNote, { author }: NotePeople, edition: Edition) => ({
  type: json(note.type),
  body: json(note.body),
  ...((edition.dialect === 'document' || holdsIn(noteFacts['notes.attachment'], edition))
    && { attachment: json<unknown>(note.attachment) }),
  author: userJson(author, edition),
  created_at: json(note.created_at),
  updated_at: json(note.updated_at),
  system: json(note.system === 1),
});

/** behavior: notes.commit-id-head, notes.commit-id */
const diffFields = (view: NoteView, note: NotedNote): Fields => {
  if (note.type !== 'DiffNote' || note.position === null) return {};
  const { noteable: { kind }, edition: { dialect } } = view;
  const position = JSON.parse(note.position) as Position;
  const commit = note.commit_id ?? (dialect === 'document' ? position.head_sha : null);
  return {
    ...(kind === 'merge_request' && { commit_id: json(commit) }),
    position: json(dialect === 'document' ? documentPosition(position, kind) : position),
    ...suggestionFields(view, note, position),
  };
};

/** behavior: notes.suggestions, notes.keys-where-used */
const suggestionFields = (view: NoteView, note: NotedNote, position: Position): Fields => {
  if (!hasSuggestions(view)) return {};
  const suggestions = judgedSuggestions(view, note, position).map(({ suggestion }) => suggestion);
  return suggestions.length > 0 || view.edition.dialect === 'live' ? { suggestions: json(suggestions) } : {};
};

const hasSuggestions = ({ noteable: { kind }, edition }: Pick<NoteView, 'noteable' | 'edition'>): boolean =>
  kind === 'merge_request' && hasSince(edition.version, versions.suggestions);

/** Such a note needs its id and the diff to be serialized. */
export const isSuggestion = (
  view: Pick<NoteView, 'noteable' | 'edition'>, note: Pick<NotedNote, 'type' | 'body'>,
): boolean => note.type === 'DiffNote' && mayHaveSuggestion(note.body) && hasSuggestions(view);

export const suggestionsFor = (
  view: NoteView, note: Pick<NotedNote, 'type' | 'body' | 'position'>,
): string | null => note.position === null || !isSuggestion(view, note) ? null
  : keptSuggestions(view, note.body, JSON.parse(note.position) as Position);

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

/** behavior: resolving.keys, resolving.keys-if-resolvable, resolving.time-if-resolvable, resolving.resolver */
const resolution = (view: NoteView, note: NotedNote, { resolver }: NotePeople): Fields => {
  const { noteable, edition } = view;
  const shows = edition.dialect === 'live' ? isResolvable(view, note) : noteable.kind === 'merge_request';
  return {
    ...(shows && {
      resolved: json(note.resolved_at !== null),
      resolved_by: resolver === null ? json(null) : userJson(resolver, edition),
    }),
    ...(edition.dialect === 'live' && (shows || holdsIn(resolvingFacts['resolving.time-always'], edition))
      && { resolved_at: json(note.resolved_at) }),
  };
};

/**
 * `noteable_iid` is null in the documentation; live it is the iid of an issue or merge request (behavior:
 * notes.noteable-iid-null, notes.noteable-iid). `confidential` is the old name of `internal` (behavior:
 * notes.confidential). Only
 * epics have the last one (behavior: epics.note-work-item, epics.thread-work-item). The other fields are constant
 * (behavior: notes.never-imported).
 */
const trailingFields = (noteable: NotedRow, note: NotedNote, edition: Edition): Fields => {
  if (edition.dialect === 'document') {
    return { ...note.internal === 1 && { internal: json(true) }, noteable_iid: json(null) };
  }
  const hasIid = noteable.kind === 'issue' || noteable.kind === 'merge_request';
  return {
    confidential: json(note.internal === 1),
    ...(holdsIn(noteFacts['notes.internal'], edition) && { internal: json(note.internal === 1) }),
    ...(holdsIn(noteFacts['notes.newer-keys'], edition) && { imported: json(false), imported_from: json('none') }),
    noteable_iid: json(hasIid ? noteable.iid : null),
    commands_changes: json({}),
    ...(noteable.kind === 'epic' && holdsIn(epicFacts['epics.note-work-item'], edition)
      && { noteable_work_item_id: json(workItemIdOf(noteable)) }),
  };
};

/** This server knows no addresses of users. */
export const commitEmail = ({ username }: Pick<UserRow, 'username'>): string => `${username}@users.invalid`;

export const commitMessage = ({ title, description }: Pick<NoteableRow, 'title' | 'description'>): string =>
  description ? `${title}\n\n${description}` : title;
