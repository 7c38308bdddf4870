import { epicDepth } from '../../contract/conventions.js';
import { noteablePlaces, type NoteablePlace } from './places.js';
import { placeOf, type Problem } from './problem.js';
import type { World } from './shape.js';

/** Parents that don't exist, circles, and trees deeper than the service allows (wire-facts 6.3). */
export const epicProblems = (world: World): Problem[] => {
  const epics = noteablePlaces(world).filter(({ kind }) => kind === 'epic');
  const byId = new Map(epics.flatMap((epic) => epic.thing.id === undefined ? [] : [[epic.thing.id, epic] as const]));
  return epics.flatMap((epic) => {
    const reason = wrongWith(epic, byId);
    const path = [...epic.path, 'parent'];
    return reason === undefined ? [] : [{ path, reason: `${placeOf(path)}: ${reason}` }];
  });
};

const wrongWith = (epic: NoteablePlace, byId: ReadonlyMap<number, NoteablePlace>): string | undefined => {
  const { parent } = epic.thing;
  if (parent !== undefined && !byId.has(parent)) {
    return `no epic has the id ${parent}; a parent is named by its global id`;
  }
  const seen = new Set([epic]);
  for (let above = parent; above !== undefined;) {
    const next = byId.get(above);
    if (next === undefined) return undefined;
    if (seen.has(next)) return next === epic ? 'the epic is its own ancestor' : undefined;
    seen.add(next);
    above = next.thing.parent;
  }
  return seen.size > epicDepth ? `the tree is ${seen.size} levels deep here; ${epicDepth} are allowed` : undefined;
};
