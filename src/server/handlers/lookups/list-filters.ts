import type { Contract } from '../../../contract/operations.js';
import { accessLevels } from '../../../contract/conventions.js';
import type { NoteableKind } from '../../../contract/noteables.js';
import { visible, visibleGroup, visibleOf, visibleProject, type Place } from '../../api/access.js';
import type { Call, OperationHandler } from '../../api/context.js';
import { forbidden } from '../../http/errors.js';
import type { Json } from '../../http/response.js';
import { epicsByKey } from '../../repositories/epics.js';
import { countNoteables, noteablesOf, type NoteableFilter, type NoteableRow } from '../../repositories/noteables.js';
import {
  allGroups, allProjects, groupsBelow, levelsOf, pathsAbove, usersNamed,
} from '../../repositories/world.js';
import { userJson } from '../../serializers/note.js';
import { commitJson, pageOf } from './commits.js';
import { epicDetails, groupJson, parentPath, projectJson } from './containers.js';
import { issueJson, snippetJson, type Shown } from './issuables.js';

type Lookups = Contract['lookups'];

export const listIssues: OperationHandler<Lookups['issues']> = (params, call) =>
  inProject(call, 'issue', params, issueJson);

export const listSnippets: OperationHandler<Lookups['snippets']> = (params, call) =>
  inProject(call, 'snippet', params, snippetJson);

export const listCommits: OperationHandler<Lookups['commits']> = (params, call) =>
  inProject(call, 'commit', params, commitJson);

/** behavior: access.users */
export const listUsers: OperationHandler<Lookups['users']> = async ({ username }, { queries, page, edition }) => {
  const users = await usersNamed(queries, username ?? null);
  const shown = users.slice(page.offset, page.offset + page.limit);
  return { items: shown.map((user) => userJson(user, edition)), rows: users.length };
};

/** behavior: lookups.projects */
export const listProjects: OperationHandler<Lookups['projects']> = async (params, call) => {
  const places = await visibleOf(call, await allProjects(call.queries));
  const levels = params.membership ? await levelsOf(call.queries, call.caller.id) : null;
  const isMember = (path: string) => levels === null || pathsAbove(path).some((above) => levels.has(above));
  const isWanted = (archived: boolean) => isUnset(params.archived) || params.archived === archived;
  return pageOf(call, matching(places, params)
    .filter(({ container }) => isMember(container.path) && isWanted(container.archived === 1)).map(projectJson));
};

/** behavior: lookups.groups */
export const listGroups: OperationHandler<Lookups['groups']> = async (params, call) => {
  const groups = await allGroups(call.queries);
  const ids = new Map(groups.map(({ path, id }) => [path, id]));
  return pageOf(call, matching(await visibleOf(call, groups), params)
    .map(({ container }) => groupJson(container, ids.get(parentPath(container.path) ?? '') ?? null)));
};

const isUnset = (value: unknown): value is null | undefined => value === null || value === undefined;

interface ContainerFilters {
  readonly search?: string | null | undefined;
  readonly owned?: boolean | null | undefined;
  readonly visibility?: string | null | undefined;
}

const matching = <P extends Place>(places: readonly P[], { search, owned, visibility }: ContainerFilters): P[] => {
  const text = search?.toLowerCase() ?? '';
  return places.filter(({ container, level }) => (!owned || level >= accessLevels.owner)
    && (isUnset(visibility) || container.visibility === visibility)
    && (container.name.toLowerCase().includes(text) || container.path.toLowerCase().includes(text)));
};

/** With subgroups, as far as the caller can see them. */
export const listEpics: OperationHandler<Lookups['epics']> = async (params, call) => {
  const place = await visibleGroup(call, params.id);
  if (!call.world.settings.epics) throw forbidden();
  const below = params.include_descendant_groups === false ? [] : await placesBelow(call, place);
  const { rows, noteables } = await filtered(call, [place, ...below], 'epic', params);
  const keys = noteables.map(({ id }) => id);
  const epics = new Map((await epicsByKey(call.queries, keys)).map((epic) => [epic.noteable, epic]));
  return { items: keys.map((key) => epicDetails(call, place, epics.get(key)!)), rows };
};

/** Roles are inherited: who sees all epics of a group sees those below too. */
const placesBelow = async (call: Call, { container, level, member }: Place): Promise<Place[]> => {
  const groups = await groupsBelow(call.queries, container.path);
  if (level >= accessLevels.reporter) return groups.map((group) => ({ container: group, level, member }));
  const places: Place[] = [];
  for (const group of groups) {
    const place = await visible(call, group);
    if (place) places.push(place);
  }
  return places;
};

interface Filters { readonly state?: string | null | undefined }

const inProject = async <T>(
  call: Call, kind: NoteableKind, params: Filters & { readonly id: number | string | null },
  serialize: (call: Call, shown: Shown) => Promise<Json<T>>,
) => {
  const place = await visibleProject(call, params.id);
  const { rows, noteables } = await filtered(call, [place], kind, params);
  const items: Json<T>[] = [];
  for (const noteable of noteables) items.push(await serialize(call, { noteable, container: place.container }));
  return { items, rows };
};

const filtered = async (
  call: Call, places: readonly Place[], kind: NoteableKind, { state }: Filters,
): Promise<{ readonly rows: number; readonly noteables: NoteableRow[] }> => {
  const filter: NoteableFilter = {
    kind, caller: call.caller.id,
    containers: places.map(({ container, level }) =>
      ({ id: container.id, showsConfidential: level >= accessLevels.reporter })),
    state: state === 'all' ? undefined : state ?? undefined,
  };
  const { limit, offset } = call.page;
  const noteables = await noteablesOf(call.queries, filter, limit, offset);
  return { rows: await countNoteables(call.queries, filter), noteables };
};
