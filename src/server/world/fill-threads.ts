import { readInstant } from '../../wire/instants.js';
import { fragmentOf, type NotedRow } from '../render/note.js';
import { notesOf } from './contents.js';
import type { NoteRow } from '../records/notes.js';
import type { Filling } from './filling.js';
import { insert } from './insert.js';
import type { WorldDiscussion, WorldNote, WorldPosition } from './shape.js';

/** What of a noteable its threads need. */
export interface Anchor {
  readonly id: number;
  readonly created_at: string;
  /** What its notes show of it. */
  readonly noted: NotedRow;
  /** The SHAs of its diff, where it has one. */
  readonly refs: Pick<WorldPosition, 'base_sha' | 'start_sha' | 'head_sha'>;
}

/** Writes the threads of one noteable. */
export const fillThreads = async (filling: Filling, anchor: Anchor, discussions: readonly WorldDiscussion[] = []) => {
  let after = anchor.created_at;
  for (const discussion of discussions) after = await fillThread(filling, anchor, discussion, after);
};

/** Writes a thread whose first note comes after an instant, and gives that note's instant. */
const fillThread = async (filling: Filling, anchor: Anchor, discussion: WorldDiscussion, after: string) => {
  const id = discussion.id ?? filling.hex(40);
  const notes = notesOf(discussion);
  const position = notes.find((note) => note.position !== undefined)?.position;
  const thread = {
    discussion_id: id, type: typeOf(discussion, position),
    position: position === undefined ? null : JSON.stringify(readBack(position, anchor.refs)),
  };
  const rows: Note[] = [];
  for (const note of notes) {
    rows.push(noteOf(filling, note, filling.clock(note.created_at, rows.at(-1)?.created_at ?? after)));
  }
  const first = rows.reduce(earlier);
  for (const note of rows) await fillNote(filling, anchor, { ...note, ...thread }, note === first);
  return rows[0]!.created_at;
};

type Note = ReturnType<typeof noteOf>;

const earlier = (one: Note, other: Note): Note =>
  other.created_at < one.created_at || other.created_at === one.created_at && other.id < one.id ? other : one;

type PlacedNote = Note & Pick<NoteRow, 'discussion_id' | 'type' | 'position'>;

const fillNote = ({ queries, dialect }: Filling, { id, noted }: Anchor, note: PlacedNote, starts: boolean) => {
  const { author, resolver, ...row } = note;
  const cells = { ...row, author_id: author.id, resolved_by: resolver?.id ?? null };
  const fragment = fragmentOf(noted, cells, { author, resolver }, dialect);
  return insert(queries, 'notes', { ...cells, noteable: id, fragment, dialect, starts });
};

/**
 * A single comment has no type, and neither has a note that the service wrote by itself and nobody answered
 * (wire-facts 4.3.4); a note on a diff makes all of its thread diff notes (4.8.1).
 */
const typeOf = (discussion: WorldDiscussion, position: WorldPosition | undefined): string | null => {
  if (isIndividual(discussion)) return null;
  return position === undefined ? 'DiscussionNote' : 'DiffNote';
};

const isIndividual = (discussion: WorldDiscussion): boolean => {
  const [first, ...replies] = notesOf(discussion);
  return discussion.individual_note ?? (replies.length === 0 && first!.system === true && !first!.position);
};

const noteOf = ({ ids, user }: Filling, note: WorldNote, created_at: string) => {
  const id = ids.notes(note.id);
  const updated_at = note.updated_at === undefined ? created_at : readInstant(note.updated_at)!.iso;
  const resolver = note.resolved_by === undefined ? null : user(note.resolved_by);
  const resolved_at = note.resolved_at === undefined ? updated_at : readInstant(note.resolved_at)!.iso;
  return {
    id, body: note.body ?? `Note ${id}`, attachment: note.attachment ?? null, author: user(note.author), created_at,
    updated_at, system: Number(note.system ?? false), commit_id: note.commit_id ?? null, resolver,
    resolved_at: resolver && resolved_at,
  };
};

/** A position with all the keys it is read back with (wire-facts 4.10.2). */
const readBack = (position: WorldPosition, refs: Anchor['refs']) => {
  const { position_type = 'text', old_line = null, new_line = null, line_range = null } = position;
  const { base_sha, start_sha, head_sha } = { ...refs, ...position };
  const where = {
    base_sha, start_sha, head_sha,
    old_path: position.old_path ?? position.new_path, new_path: position.new_path ?? position.old_path, position_type,
  };
  if (position_type === 'file') return where;
  if (position_type === 'text') return { ...where, old_line, new_line, line_range };
  const { width, height, x, y } = position;
  return { ...where, width, height, x, y };
};
