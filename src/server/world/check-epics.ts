import { epicDepth } from '../../contract/conventions.js';
import { noteablePlaces, type NoteablePlace } from './places.js';
import { placeOf, type Problem } from './problem.js';
import type { World } from './shape.js';

/** Parents that don't exist, circles, and trees deeper than the service allows (wire-facts 6.3). */
export const epicProblems = (world: World): Problem[] => {
  const epics = noteablePlaces(world).filter(({ kind }) => kind === 'epic');
  const byId = new Map(epics.flatMap((epic) => epic.thing.id === undefined ? [] : [[epic.thing.id, epic] as const]));
  const levels = levelsOf(epics, byId);
  return epics.flatMap((epic) => {
    const reason = wrongWith(epic, byId, levels.get(epic)!);
    const path = [...epic.path, 'parent'];
    return reason === undefined ? [] : [{ path, reason: `${placeOf(path)}: ${reason}` }];
  });
};

type EpicsById = ReadonlyMap<number, NoteablePlace>;

/** How many levels there are down to an epic; `circular` in a circle, `unknown` below one or below a missing parent. */
type Level = number | 'circular' | 'unknown';

const wrongWith = ({ thing: { parent } }: NoteablePlace, byId: EpicsById, level: Level): string | undefined => {
  if (parent !== undefined && !byId.has(parent)) {
    return `no epic has the id ${parent}; a parent is named by its global id`;
  }
  if (level === 'circular') return 'the epic is its own ancestor';
  return typeof level === 'number' && level > epicDepth
    ? `the tree is ${level} levels deep here; ${epicDepth} are allowed` : undefined;
};

/** Goes up from each epic until it meets one whose level is known, so that each is passed once. */
const levelsOf = (epics: readonly NoteablePlace[], byId: EpicsById): ReadonlyMap<NoteablePlace, Level> => {
  const levels = new Map<NoteablePlace, Level>();
  for (const epic of epics) {
    const line = new Set<NoteablePlace>();
    let above: NoteablePlace | undefined = epic;
    while (above && !levels.has(above) && !line.has(above)) {
      line.add(above);
      above = byId.get(above.thing.parent ?? NaN);
    }
    const upwards = [...line];
    const circle = above && line.has(above) ? upwards.splice(upwards.indexOf(above)) : [];
    for (const one of circle) levels.set(one, 'circular');
    for (const one of upwards.reverse()) levels.set(one, below(one, byId, levels));
  }
  return levels;
};

const below = ({ thing: { parent } }: NoteablePlace, byId: EpicsById, levels: ReadonlyMap<NoteablePlace, Level>) => {
  const above = parent === undefined ? 0 : levels.get(byId.get(parent)!);
  return typeof above === 'number' ? above + 1 : 'unknown';
};
