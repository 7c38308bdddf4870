import { noteables } from '../../contract/noteables.js';
import { noteablePlaces, placesIn, threadPlaces, type NoteablePlace, type Place } from './places.js';
import { placeOf, type Path, type Problem } from './problem.js';
import type { World, WorldDiscussion, WorldPosition } from './shape.js';

/** Threads that can't be: without a note, single comments of several notes, positions that name no place. */
export const threadProblems = (world: World): Problem[] =>
  noteablePlaces(world).flatMap((noteable) => threadPlaces(noteable).flatMap((place) => [
    ...wrongNotes(place), ...positionProblems(noteable, place),
  ]));

const wrongNotes = ({ path, thing: { notes, individual_note } }: Place<WorldDiscussion>): Problem[] => {
  const at = (key: string, reason: string) => [{ path: [...path, key], reason: `${placeOf(path)}: ${reason}` }];
  if (notes?.length === 0) return at('notes', 'a thread has at least one note');
  if (individual_note !== true || notes === undefined) return [];
  if (notes.length > 1) return at('individual_note', `an individual note stands alone; here are ${notes.length}`);
  return notes[0]!.position === undefined ? [] : at('individual_note', 'an individual note has no position');
};

const positionProblems = (noteable: NoteablePlace, { path, thing }: Place<WorldDiscussion>): Problem[] =>
  placesIn([...path, 'notes'], thing.notes).flatMap((note) => {
    const { position } = note.thing;
    const reason = position && wrongPosition(noteable, position);
    const at: Path = [...note.path, 'position'];
    return reason === undefined ? [] : [{ path: at, reason: `${placeOf(at)} ${reason}` }];
  });

/** As the service: a position is complete, or it is none (wire-facts 4.10.8). */
const wrongPosition = ({ kind, thing }: NoteablePlace, position: WorldPosition): string | undefined => {
  if (!noteables[kind].hasDiff) return `can't be: ${noteables[kind].noun} notes stand on no diff`;
  const { sha, parent_sha } = thing;
  const own = kind === 'commit' ? { base_sha: parent_sha, start_sha: parent_sha, head_sha: sha } : thing;
  const missing = (['base_sha', 'start_sha', 'head_sha'] as const).filter((name) => !(position[name] ?? own[name]));
  if (missing.length > 0) return `lacks ${missing.join(', ')}`;
  if ((position.old_path ?? position.new_path) === undefined) return 'lacks old_path or new_path';
  return missingPlace(position);
};

const missingPlace = (position: WorldPosition): string | undefined => {
  const { position_type = 'text', old_line, new_line } = position;
  if (position_type === 'text' && (old_line ?? new_line) === undefined) return 'lacks old_line or new_line';
  if (position_type !== 'image') return undefined;
  const missing = (['x', 'y', 'width', 'height'] as const).filter((name) => position[name] === undefined);
  return missing.length === 0 ? undefined : `lacks ${missing.join(', ')}`;
};
