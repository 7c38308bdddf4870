import { noteableKinds, noteables, type NoteableKind } from '../../contract/noteables.js';
import type { Path } from './problem.js';
import type { World, WorldCommit, WorldDiscussion, WorldEpic, WorldMergeRequest } from './schema.js';

/** A thing and where it stands. */
export interface Place<T> { readonly path: Path; readonly thing: T }

/** A noteable of any kind: the keys of all kinds, each where its kind has it. */
export type AnyNoteable = Omit<WorldEpic & WorldMergeRequest & WorldCommit, 'state' | 'position'>;

export interface NoteablePlace extends Place<AnyNoteable> { readonly kind: NoteableKind; readonly container: Path }

/** The members of a list with their places. */
export const placesIn = <T>(path: Path, things: readonly T[] = []): Place<T>[] =>
  things.map((thing, i) => ({ path: [...path, i], thing }));

const keys: Record<NoteableKind, string> = {
  issue: 'issues', snippet: 'snippets', epic: 'epics', merge_request: 'merge_requests', commit: 'commits',
};

/** Every noteable of a world. */
export const noteablePlaces = (world: World): NoteablePlace[] => noteableKinds.flatMap((kind) => {
  const containers = noteables[kind].container === 'group' ? placesIn(['groups'], world.groups)
    : placesIn(['projects'], world.projects);
  return containers.flatMap(({ path, thing }) => {
    const things = (thing as Readonly<Record<string, unknown>>)[keys[kind]] as readonly AnyNoteable[] | undefined;
    return placesIn([...path, keys[kind]], things).map((place) => ({ ...place, kind, container: path }));
  });
});

/** The threads of a noteable. */
export const threadPlaces = ({ path, thing }: NoteablePlace): Place<WorldDiscussion>[] =>
  placesIn([...path, 'discussions'], thing.discussions);
