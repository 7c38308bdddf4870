import type { TSchema } from '@sinclair/typebox';
import { Value, ValueErrorType, type ValueError } from '@sinclair/typebox/value';
import { epicDepth } from '../../contract/conventions.js';
import { noteables } from '../../contract/noteables.js';
import { noteablePlaces, placesIn, threadPlaces, type NoteablePlace, type Place } from './places.js';
import { didYouMean, placeOf, WorldError, type Path, type Problem } from './problem.js';
import { World, type WorldDiscussion, type WorldPosition } from './schema.js';
import { brokenTokens, repeats, unknownNames } from './validate-names.js';

/**
 * A value as the world that it is, or what is wrong with it. A key whose value is null counts as absent, except in a
 * range of lines, where it is what a client gave.
 */
export const checkWorld = (value: unknown): { readonly world: World } | { readonly problems: readonly Problem[] } => {
  const given = withoutNulls(value ?? {});
  const wrong = shapeProblems(given);
  if (wrong.length > 0) return { problems: wrong };
  const world = given as World;
  const problems = [
    ...brokenTokens(world), ...unknownNames(world), ...repeats(world), ...epicProblems(world), ...threadProblems(world),
  ];
  return problems.length > 0 ? { problems } : { world };
};

/**
 * A value that is a world.
 * @throws WorldError with the first thing that doesn't fit
 */
export const checkedWorld = (value: unknown): World => {
  const outcome = checkWorld(value);
  if ('world' in outcome) return outcome.world;
  const { reason, hint } = outcome.problems[0]!;
  throw new WorldError(reason, hint?.() ?? null);
};

/** Deeper than any world; what goes on there (an alias that holds itself) is cut off and then fits nowhere. */
const deepest = 20;

const withoutNulls = (value: unknown, depth = 0): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > deepest) return null;
  if (Array.isArray(value)) return value.map((part) => withoutNulls(part, depth + 1));
  const present = Object.entries(value).filter(([, part]) => part !== null);
  return Object.fromEntries(present.map(([key, part]) =>
    [key, key === 'line_range' ? part : withoutNulls(part, depth + 1)]));
};

/** So many are told at most. */
const most = 100;

/** What of a value isn't a world, in the order of the world. */
export const shapeProblems = (value: unknown): Problem[] => {
  const problems: Problem[] = [];
  for (const error of Value.Errors(World, value)) {
    if (problems.push(problemOf(error)) === most) break;
  }
  return problems;
};

const problemOf = (error: ValueError): Problem => {
  const path = pathOf(error.path);
  if (error.type === ValueErrorType.ObjectAdditionalProperties) return unknownKey(path, error.schema);
  const expected = String(error.schema['expects']);
  return { path, reason: `${placeOf(path)} must be ${expected}, not ${shown(error.value)}` };
};

const unknownKey = (path: Path, schema: TSchema): Problem => {
  const key = String(path.at(-1));
  const known = Object.keys(schema['properties'] as object);
  const parent = placeOf(path.slice(0, -1));
  return {
    path, atKey: true, reason: `${parent} has no key ${JSON.stringify(key)}`,
    hint: () => didYouMean(key, known) ?? `Keys here are ${known.join(', ')}.`,
  };
};

/** A JSON pointer as keys and indexes. */
const pathOf = (pointer: string): Path => pointer.split('/').slice(1)
  .map((step) => /^\d+$/.test(step) ? Number(step) : step.replaceAll('~1', '/').replaceAll('~0', '~'));

const shown = (value: unknown): string => {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'keys and values';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…"` : text;
};

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

