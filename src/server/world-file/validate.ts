import { isDeepStrictEqual } from 'node:util';
import type { TSchema } from '@sinclair/typebox';
import { Value, type ValueError, ValueErrorType } from '@sinclair/typebox/value';
import { epicDepth, noteables } from '../../contract/conventions.js';
import { missingParts, type PartialPosition } from '../../contract/shapes/position.js';
import { patchProblem } from '../../diff/patch.js';
import { hasContent, typeName } from '../../wire/json.js';
import { isFilePath } from '../repositories/diffs.js';
import {
  located, type Located, locatedDrafts, type LocatedNoteable, locatedNoteables, locatedThreads,
  type LocatedVersion, locatedVersions, ofVersion, withLastVersion,
} from './places.js';
import { didYouMean, errorOfProblems, formatPath, problemAt, type WorldPath, type WorldProblem } from './problem.js';
import {
  World, type WorldDiscussion, type WorldDraftNote, type WorldMergeRequest, type WorldNote, type WorldPosition,
} from './schema.js';
import { duplicates, invalidHooks, invalidTokens, unknownProjects, unknownUsers } from './validate-names.js';

type Validation = { readonly world: World } | { readonly problems: readonly WorldProblem[] };

/** A key with the value null or undefined counts as absent, except in line ranges, which are stored as received. */
export const validateWorld = (value: unknown): Validation => checked(withoutNulls(value ?? {}));

const checked = (given: unknown): Validation => {
  const wrong = shapeProblems(given);
  if (wrong.length > 0) return { problems: wrong };
  const world = given as World;
  const all = locatedNoteables(world);
  const problems = [
    ...invalidTokens(world), ...invalidHooks(world), ...unknownUsers(world), ...unknownProjects(world),
    ...duplicates(world),
    ...epicProblems(all), ...all.flatMap(threadProblems), ...all.flatMap(draftProblems), ...all.flatMap(diffProblems),
    ...all.filter(({ kind }) => kind === 'merge_request').flatMap(lastVersionProblems), ...versionProblems(world),
  ];
  return problems.length > 0 ? { problems } : { world };
};

/** Tests open a server each with the same few worlds, and to check one takes as long as the rest of a start. */
const validWorlds: World[] = [];
const mostRemembered = 4;

/** @throws WorldError with all problems */
export const validatedWorld = (value: unknown): World => {
  const given = withoutNulls(value);
  const known = validWorlds.find((world) => isDeepStrictEqual(world, given));
  if (known) return known;
  const outcome = checked(given);
  if ('problems' in outcome) throw errorOfProblems(outcome.problems);
  if (validWorlds.unshift(outcome.world) > mostRemembered) validWorlds.pop();
  return outcome.world;
};

/** Deeper than any world; deeper values, such as a recursive alias, are cut off and then invalid. */
const maxDepth = 20;

export const withoutNulls = (value: unknown, depth = 0): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxDepth) return null;
  if (Array.isArray(value)) return value.map((part) => withoutNulls(part, depth + 1));
  // A URL or a Map would become an empty object; a symbol is invalid everywhere.
  if (!hasContent(value)) return Symbol(typeName(value));
  const present = Object.entries(value).filter(([, part]) => part !== null && part !== undefined);
  return Object.fromEntries(present.map(([key, part]) =>
    [key, key === 'line_range' ? part : withoutNulls(part, depth + 1)]));
};

const maxProblems = 100;

/**
 * In the order of the value. @param shape whose parts describe their values in `expects` @param whole the name of the
 * value in the problems
 */
export const shapeProblems = (value: unknown, shape: TSchema = World, whole = 'the world'): WorldProblem[] => {
  const problems: WorldProblem[] = [];
  for (const error of Value.Errors(shape, value)) {
    if (problems.push(shapeProblem(error, whole)) === maxProblems) break;
  }
  return problems;
};

const shapeProblem = (error: ValueError, whole: string): WorldProblem => {
  const path = pathFromPointer(error.path);
  if (error.type === ValueErrorType.ObjectAdditionalProperties) return unknownKey(path, error.schema, whole);
  const expected = error.type === ValueErrorType.IntegerMaximum
    ? `at most ${error.schema['maximum']}` : `${error.schema['expects']}`;
  const found = error.type === ValueErrorType.ArrayMinItems ? 'an empty list' : describe(error.value);
  return { path, reason: `${formatPath(path, whole)} must be ${expected}, not ${found}` };
};

const unknownKey = (path: WorldPath, schema: TSchema, whole: string): WorldProblem => {
  const key = String(path.at(-1));
  const known = Object.keys(schema['properties'] as object);
  const parent = formatPath(path.slice(0, -1), whole);
  return {
    path, atKey: true, reason: `unknown key ${JSON.stringify(key)} in ${parent}`,
    hint: () => didYouMean(key, known) ?? `use one of ${known.join(', ')}`,
  };
};

const pathFromPointer = (pointer: string): WorldPath => pointer.split('/').slice(1)
  .map((step) => /^\d+$/.test(step) ? Number(step) : step.replaceAll('~1', '/').replaceAll('~0', '~'));

const describe = (value: unknown): string => {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value === 'symbol') return `a ${value.description}`;
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…"` : text;
};

const epicProblems = (all: readonly LocatedNoteable[]): WorldProblem[] => {
  const epics = all.filter(({ kind }) => kind === 'epic');
  const byId = new Map(epics.flatMap((epic) => epic.thing.id === undefined ? [] : [[epic.thing.id, epic] as const]));
  const levels = epicLevels(epics, byId);
  return epics.flatMap((epic) => {
    const reason = parentProblem(epic, byId, levels.get(epic)!);
    return reason === undefined ? [] : [problemAt([...epic.path, 'parent'], `: ${reason}`)];
  });
};

type EpicsById = ReadonlyMap<number, LocatedNoteable>;

/** The depth of an epic; `cyclic` in a cycle, `unknown` below a cycle or a missing parent. */
type Level = number | 'cyclic' | 'unknown';

const parentProblem = ({ thing: { parent } }: LocatedNoteable, byId: EpicsById, level: Level): string | undefined => {
  if (parent !== undefined && !byId.has(parent)) {
    return `unknown epic id ${parent}; use the global id of the parent`;
  }
  if (level === 'cyclic') return 'the epic is its own ancestor';
  return typeof level === 'number' && level > epicDepth
    ? `the tree is ${level} levels deep here; the maximum is ${epicDepth}` : undefined;
};

const epicLevels = (epics: readonly LocatedNoteable[], byId: EpicsById): ReadonlyMap<LocatedNoteable, Level> => {
  const levels = new Map<LocatedNoteable, Level>();
  for (const epic of epics) {
    const line = new Set<LocatedNoteable>();
    let above: LocatedNoteable | undefined = epic;
    while (above && !levels.has(above) && !line.has(above)) {
      line.add(above);
      above = byId.get(above.thing.parent ?? NaN);
    }
    const upwards = [...line];
    const cycle = above && line.has(above) ? upwards.splice(upwards.indexOf(above)) : [];
    for (const one of cycle) levels.set(one, 'cyclic');
    for (const one of upwards.reverse()) levels.set(one, below(one, byId, levels));
  }
  return levels;
};

const below = (
  { thing: { parent } }: LocatedNoteable, byId: EpicsById, levels: ReadonlyMap<LocatedNoteable, Level>,
) => {
  const above = parent === undefined ? 0 : levels.get(byId.get(parent)!);
  return typeof above === 'number' ? above + 1 : 'unknown';
};

/** Texts that are no diffs, and diffs that end too early: positions on them would be rejected for no visible cause. */
const diffProblems = ({ path, thing: { diff } }: Located<{ readonly diff?: string }>): WorldProblem[] => {
  const reason = diff === undefined ? null : patchProblem(diff);
  const hint = () => 'use the output of git diff';
  return reason === null ? [] : [problemAt([...path, 'diff'], ` ${reason}`, { hint })];
};

const threadProblems = (noteable: LocatedNoteable): WorldProblem[] => locatedThreads(noteable).flatMap((place) => [
  ...noteProblems(place),
  ...located([...place.path, 'notes'], place.thing.notes).flatMap((note) => problemOfPosition(noteable, note)),
]);

const noteProblems = ({ path, thing: { notes, individual_note } }: Located<WorldDiscussion>): WorldProblem[] => {
  const at = (reason: string) => [{ path: [...path, 'individual_note'], reason: `${formatPath(path)}: ${reason}` }];
  if (individual_note !== true || notes === undefined) return [];
  if (notes.length > 1) return at(`an individual note must be the only one of its thread, which has ${notes.length}`);
  return notes[0]!.position === undefined ? [] : at('an individual note cannot have a position');
};

const problemOfPosition = (
  noteable: LocatedNoteable, { path, thing: { position } }: Located<Pick<WorldNote, 'position'>>,
): WorldProblem[] => {
  const reason = position && positionProblem(noteable, position);
  return reason === undefined ? [] : [problemAt([...path, 'position'], ` ${reason}`)];
};

/** Those that no client could create (behavior: drafts.one-reply, drafts.resolve-right). Threads can be deleted. */
const draftProblems = (noteable: LocatedNoteable): WorldProblem[] => {
  const drafts = locatedDrafts(noteable);
  return drafts.flatMap((draft, index) => {
    const { discussion_id: thread, author, resolve_discussion } = draft.thing;
    const at = (key: string, reason: string) => [problemAt([...draft.path, key], `: ${reason}`)];
    const isOther = (one: WorldDraftNote) => one.discussion_id === thread && one.author === author;
    return [
      ...problemOfPosition(noteable, draft),
      ...thread !== undefined && drafts.slice(0, index).some((one) => isOther(one.thing))
        ? at('discussion_id', 'the author already has a draft note in this thread') : [],
      ...resolve_discussion && thread === undefined
        ? at('resolve_discussion', 'a draft note can only resolve the thread that it replies to') : [],
    ];
  });
};

/** Like the service, rejects incomplete positions (behavior: positions.incomplete). */
const positionProblem = ({ kind, thing }: LocatedNoteable, position: WorldPosition): string | undefined => {
  if (!noteables[kind].hasDiff) return `is not allowed: ${noteables[kind].noun} notes have no diff`;
  const { sha, parent_sha } = thing;
  const { base_sha, start_sha, head_sha } = kind !== 'commit' ? withLastVersion(thing)
    : { base_sha: parent_sha, start_sha: parent_sha, head_sha: sha };
  const refs = { base_sha, start_sha, head_sha };
  const missing = missingParts({ ...refs, position_type: 'text', ...position } as PartialPosition);
  return missing.length === 0 ? undefined : `is missing ${missing.join(', ')}`;
};

const versionProblems = (world: World): WorldProblem[] => {
  const versions = locatedVersions(world);
  return [
    ...versions.flatMap((version) => [...incomplete(version), ...diffProblems(version)]),
    ...baseFileProblems(versions),
    ...[...versions, ...located(['projects'], world.projects)].flatMap(pathProblems),
  ];
};

const lastVersionProblems = ({ path, thing }: Located<WorldMergeRequest>): WorldProblem[] => {
  const last = withLastVersion(thing);
  return ofVersion.filter((name) => thing[name] !== undefined && thing[name] !== last[name]).map((name) =>
    problemAt([...path, name], ' differs from that of the last version', {
      hint: () => `leave out ${name} of the merge request`,
    }));
};

const incomplete = ({ path, thing }: LocatedVersion): WorldProblem[] => {
  const missing = (['base_sha', 'head_sha'] as const).filter((name) => thing[name] === undefined);
  return missing.length === 0 ? [] : [problemAt(path, ` is missing ${missing.join(', ')}`)];
};

/** A commit has one set of files, so versions with one base must agree on them. */
const baseFileProblems = (versions: readonly LocatedVersion[]): WorldProblem[] => {
  const known = new Map<string, string>();
  return versions.flatMap(({ path, thing: { base_sha, base_files }, project }) => {
    if (base_files === undefined) return [];
    const key = `${formatPath(project)} ${base_sha}`;
    const files = JSON.stringify(Object.entries(base_files).sort());
    const former = known.get(key) ?? files;
    known.set(key, former);
    return former === files ? []
      : [problemAt([...path, 'base_files'], ' differs from that of the same base_sha')];
  });
};

const pathProblems = (
  { path, thing }: Located<{ readonly files?: object; readonly base_files?: object }>,
): WorldProblem[] => (['files', 'base_files'] as const).flatMap((key) => Object.keys(thing[key] ?? {})
  .filter((file) => !isFilePath(file)).map((file) => ({
    path: [...path, key, file], atKey: true as const,
    reason: `${formatPath([...path, key])}: invalid path ${JSON.stringify(file)}`,
    hint: () => 'use a path such as src/app.ts, of at most 500 characters',
  })));
