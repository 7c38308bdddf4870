import type { Contract } from '../../contract/derived/operations.js';
import { accessLevels } from '../../contract/conventions.js';
import type { NoteableKind } from '../../contract/noteables.js';
import { visibleGroup, visibleProject, type Place } from '../access/access.js';
import type { Call, OperationHandler } from '../api/context.js';
import { forbidden } from '../http/errors.js';
import type { Json } from '../http/json.js';
import { epicsByKey } from '../repositories/epics.js';
import { countNoteables, noteablesOf, type NoteableFilter, type NoteableRow } from '../repositories/noteables.js';
import { commitJson } from './commits.js';
import { epicDetails } from './containers.js';
import { issueJson, mergeRequestJson, snippetJson, type Shown } from './issuables.js';

type Lookups = Contract['lookups'];

export const listIssues: OperationHandler<Lookups['issues']> = (params, call) =>
  inProject(call, 'issue', params, issueJson);

export const listSnippets: OperationHandler<Lookups['snippets']> = (params, call) =>
  inProject(call, 'snippet', params, snippetJson);

export const listMergeRequests: OperationHandler<Lookups['mergeRequests']> = (params, call) =>
  inProject(call, 'merge_request', params, mergeRequestJson);

export const listCommits: OperationHandler<Lookups['commits']> = (params, call) =>
  inProject(call, 'commit', params, commitJson);

/** The epics of a group without those of its subgroups. */
export const listEpics: OperationHandler<Lookups['epics']> = async (params, call) => {
  const place = await visibleGroup(call, params.id);
  if (!call.world.settings.epics) throw forbidden();
  const { rows, noteables } = await filtered(call, place, 'epic', params);
  const keys = noteables.map(({ id }) => id);
  const epics = new Map((await epicsByKey(call.queries, keys)).map((epic) => [epic.noteable, epic]));
  return { items: keys.map((key) => epicDetails(call, place, epics.get(key)!)), rows };
};

/** The filters of a list. */
interface Filters {
  readonly state?: string | null | undefined;
  readonly source_branch?: string | null | undefined;
  readonly target_branch?: string | null | undefined;
}

const inProject = async <T>(
  call: Call, kind: NoteableKind, params: Filters & { readonly id: number | string | null },
  serialize: (call: Call, shown: Shown) => Promise<Json<T>>,
) => {
  const place = await visibleProject(call, params.id);
  const { rows, noteables } = await filtered(call, place, kind, params);
  const items: Json<T>[] = [];
  for (const noteable of noteables) items.push(await serialize(call, { noteable, container: place.container }));
  return { items, rows };
};

const filtered = async (
  call: Call, place: Place, kind: NoteableKind, { state, source_branch, target_branch }: Filters,
): Promise<{ readonly rows: number; readonly noteables: NoteableRow[] }> => {
  const filter: NoteableFilter = {
    kind, container: place.container.id, confidentialOf: place.level >= accessLevels.reporter ? null : call.caller.id,
    state: state === 'all' ? undefined : state ?? undefined,
    source_branch: source_branch ?? undefined, target_branch: target_branch ?? undefined,
  };
  const { limit, offset } = call.page;
  const noteables = await noteablesOf(call.queries, filter, limit, offset);
  return { rows: await countNoteables(call.queries, filter), noteables };
};
