import type { Contract } from '../../../contract/operations.js';
import { accessLevels, type NoteableKind } from '../../../contract/conventions.js';
import type { EpicDetails, Issue, Snippet } from '../../../contract/lookups/shapes.js';
import {
  accessTo, canAdministerEpic, canReadEpic, readableNoteable, visibleGroup, visibleProject, type ContainerAccess,
  type Target,
} from '../../api/access.js';
import { type Call, type HandlersOf, mapInTurn } from '../../api/context.js';
import {
  forbidden, json, type Json, jsonArray, jsonFields, jsonObject, ownUrl, recordNotFound,
} from '../../http/response.js';
import { epicByIid, epicsByKey, type EpicRow } from '../../repositories/epics.js';
import { detailsOf, issuableDetails, type IssuableDetails, labelTitles } from '../../repositories/issuables.js';
import { type NoteableRow, type Order, pageOfNoteables } from '../../repositories/noteables.js';
import { type ContainerRow, groupsBelow, userByIdOrName } from '../../repositories/world.js';
import { epicFields, epicPath } from '../../serializers/epic.js';
import { userJson } from '../../serializers/note.js';
import { type Filters, filterConditions } from './filters.js';

export type Shown = Pick<Target, 'noteable' | 'container'>;

export interface IssuablePath { readonly id: number | string | null; readonly iid: number | null }

export const readableIssuable = (call: Call, kind: 'issue' | 'merge_request', { id, iid }: IssuablePath) =>
  readableNoteable(call, kind, { id, noteable_id: iid });

export const issueJson = async (call: Call, shown: Shown): Promise<Json<Issue>> =>
  issueWith(call, shown, await detailsOf(call.queries, shown.noteable.id));

const issueWith = async (
  call: Call, shown: Shown, { people: { assignee } }: IssuableDetails,
): Promise<Json<Issue>> => jsonObject<Issue>({
  ...await issuableFields(call, shown, 'issues', '#'),
  assignees: jsonArray(assignee.map((user) => userJson(user, call.edition))),
  confidential: json(shown.noteable.confidential === 1),
});

export const authorOf = async ({ world }: Pick<Call, 'world'>, { author_id }: Pick<NoteableRow, 'author_id'>) =>
  (await userByIdOrName(world, String(author_id)))!;

export const issuableFields = async (call: Call, { noteable, container }: Shown, collection: string, sign: string) => {
  const short = `${sign}${noteable.iid}`;
  const { global_id: id, iid, title, description, state, created_at, updated_at } = noteable;
  return {
    ...jsonFields({ id, iid: iid!, project_id: container.id, title, description, state }),
    author: userJson(await authorOf(call, noteable), call.edition),
    web_url: ownUrl(`/${container.path}/-/${collection}/${iid}`),
    ...jsonFields({
      created_at, updated_at, closed_at: state === 'closed' ? noteable.changed_at : null, labels: labelTitles(noteable),
      assignees: [], milestone: null, references: { short, relative: short, full: `${container.path}${short}` },
      discussion_locked: noteable.locked ? true : null,
    }),
  };
};

const snippetJson = async (call: Call, { noteable, container }: Shown): Promise<Json<Snippet>> => {
  const { global_id: id, title, description, created_at, updated_at } = noteable;
  const { id: project_id, path, visibility } = container;
  return jsonObject<Snippet>({
    ...jsonFields({ id, project_id, title, file_name: '', description, visibility }),
    author: userJson(await authorOf(call, noteable), call.edition), web_url: ownUrl(`/${path}/-/snippets/${id}`),
    ...jsonFields({ created_at, updated_at }),
  });
};

const epicDetails = (
  { edition }: Call, { path: group }: ContainerRow, ownAccess: ContainerAccess, epic: EpicRow,
): Json<EpicDetails> => jsonObject<EpicDetails>({
  ...epicFields(epic, { edition, group, administers: canAdministerEpic(ownAccess) }),
  confidential: json(epic.confidential === 1),
  state: json(epic.state),
  web_url: ownUrl(epicPath(epic)),
});

/** Roles are inherited: who sees all epics of a group sees those below too. */
const accessBelow = async (call: Call, { container, level, member }: ContainerAccess): Promise<ContainerAccess[]> => {
  const groups = await groupsBelow(call.queries, container.path);
  if (level >= accessLevels.reporter) return groups.map((group) => ({ container: group, level, member }));
  return (await mapInTurn(groups, (group) => accessTo(call, group))).filter((access) => access !== null);
};

export const listInProject = async <T>(
  call: Call, kind: NoteableKind, params: Filters & Order & { readonly id: number | string | null },
  serialize: (call: Call, shown: Shown) => Promise<Json<T>>,
) => {
  const access = await visibleProject(call, params.id);
  const { rows, noteables } = await readFiltered(call, [access], kind, params);
  const { container } = access;
  return { items: await mapInTurn(noteables, (noteable) => serialize(call, { noteable, container })), rows };
};

const readFiltered = (
  call: Call, accessible: readonly ContainerAccess[], kind: NoteableKind, params: Filters & Order,
) => pageOfNoteables(call.queries, {
  kind, caller: call.caller.id,
  containers: accessible.map(({ container, level }) =>
    ({ id: container.id, showsConfidential: level >= accessLevels.reporter })),
  more: filterConditions(call, params), order: params,
}, call.page);

export const issuableLookups = {
  issue: async (path, call) => issueJson(call, await readableIssuable(call, 'issue', path)),
  snippet: async ({ id, snippet_id }, call) =>
    snippetJson(call, await readableNoteable(call, 'snippet', { id, noteable_id: snippet_id })),
  issues: async (params, call) => {
    const access = await visibleProject(call, params.id);
    const { rows, noteables } = await readFiltered(call, [access], 'issue', params);
    const details = await issuableDetails(call.queries, noteables.map(({ id }) => id));
    const items = await mapInTurn(noteables, (noteable) =>
      issueWith(call, { noteable, container: access.container }, details.get(noteable.id)!));
    return { items, rows };
  },
  snippets: (params, call) => listInProject(call, 'snippet', params, snippetJson),
  /** Forbidden without the feature (behavior: errors.feature); the same response if missing or hidden. */
  epic: async ({ id, iid }, call) => {
    const access = await visibleGroup(call, id);
    if (!call.world.settings.epics) throw forbidden();
    const epic = iid === null ? undefined : await epicByIid(call.queries, access.container.id, iid);
    if (!epic || !canReadEpic(access, epic)) throw recordNotFound();
    return epicDetails(call, access.container, access, epic);
  },
  epics: async (params, call) => {
    const access = await visibleGroup(call, params.id);
    if (!call.world.settings.epics) throw forbidden();
    const below = params.include_descendant_groups === false ? [] : await accessBelow(call, access);
    const accessible = new Map([access, ...below].map((each) => [each.container.id, each]));
    const { rows, noteables } = await readFiltered(call, [...accessible.values()], 'epic', params);
    const keys = noteables.map(({ id }) => id);
    const epics = new Map((await epicsByKey(call.queries, keys)).map((epic) => [epic.noteable, epic]));
    const items = keys.map((key) => {
      const epic = epics.get(key)!;
      return epicDetails(call, access.container, accessible.get(epic.group_id)!, epic);
    });
    return { items, rows };
  },
} satisfies Partial<HandlersOf<Contract['lookups']>>;
