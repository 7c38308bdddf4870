import type { Position } from '../../../contract/shapes/position.js';
import type { NoteableRow } from '../../repositories/noteables.js';
import { diffNotesOf, updateNote, type ShownNoteRow } from '../../repositories/notes.js';
import { fragmentFormat, fragmentOf, isSuggestion, peopleOf } from '../../serializers/note.js';
import { addSystemNote, type WriteContext } from '../discussions/stored-note.js';
import { tracedPosition, versionChange, type VersionContent } from '../discussions/position.js';

/** What a push changed about the threads on the version before. */
export interface MovedThreads {
  /** Ids of the threads whose positions are on the new version. */
  readonly moved: readonly string[];
  /** Ids of the threads that the push made outdated. */
  readonly outdated: readonly string[];
}

interface Push {
  readonly mergeRequest: NoteableRow;
  readonly former: VersionContent;
  readonly next: VersionContent;
  readonly version: string;
}

/** Of the threads on the former version; those on older ones are outdated already (behavior: pushes.outdated). */
export const moveThreads = async (context: WriteContext, push: Push): Promise<MovedThreads> => {
  const threads = threadsOn(push.former, await diffNotesOf(context.queries, push.mergeRequest.id));
  const [moved, outdated]: [string[], string[]] = [[], []];
  const between = threads.size > 0 ? versionChange(push.former, push.next) : null;
  for (const [id, notes] of threads) {
    const position = tracedPosition(storedPosition(notes[0]!), push.former, push.next, between!);
    await rewriteNotes(context, push, notes, position);
    if (position === null) await addOutdatedNote(context, push, notes[0]!);
    (position === null ? outdated : moved).push(id);
  }
  return { moved, outdated };
};

const storedPosition = ({ position }: ShownNoteRow): Position => JSON.parse(position!) as Position;

const threadsOn = (version: VersionContent, notes: readonly ShownNoteRow[]): Map<string, ShownNoteRow[]> => {
  const threads = new Map<string, ShownNoteRow[]>();
  for (const note of notes) {
    const { base_sha, start_sha, head_sha } = storedPosition(note);
    const isActive = base_sha === version.base_sha && start_sha === version.start_sha && head_sha === version.head_sha;
    if (isActive) threads.set(note.discussion_id, [...threads.get(note.discussion_id) ?? [], note]);
  }
  return threads;
};

/** Times stay (behavior: pushes.moved). A suggestion of an outdated note can no longer be applied. */
const rewriteNotes = async (
  { queries, edition }: WriteContext, { mergeRequest, next }: Push, notes: readonly ShownNoteRow[],
  position: Position | null,
): Promise<void> => {
  const view = { noteable: mergeRequest, edition, diff: next.diff };
  for (const note of notes) {
    if (position === null && !isSuggestion(view, note)) continue;
    const moved = position === null ? note : { ...note, position: JSON.stringify(position) };
    await updateNote(queries, note.id, {
      position: moved.position, fragment: fragmentOf(view, moved, peopleOf(note)), dialect: fragmentFormat(edition),
    });
  }
};

/** behavior: pushes.thread-note */
const addOutdatedNote = (
  context: WriteContext, { mergeRequest, version }: Push, first: ShownNoteRow,
): Promise<void> => {
  const what = storedPosition(first).position_type === 'text' ? 'line' : 'file';
  return addSystemNote(context, mergeRequest, `changed this ${what} in ${version}`, first);
};
