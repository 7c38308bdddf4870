import type { Contract } from '../../contract/contract.js';
import { accessLevels } from '../../contract/conventions.js';
import type { CurrentUser, EpicDetails, Group, Metadata, Project, Version } from '../../contract/lookups/shapes.js';
import { canRead } from '../access/noteables.js';
import { visibleGroup, visibleProject, type Place } from '../access/rights.js';
import type { Call, OperationHandler } from '../api/context.js';
import { forbidden, recordNotFound } from '../http/errors.js';
import { json, jsonObject, ownUrl, type Json } from '../http/json.js';
import { groupBy, pathsAbove } from '../repositories/containers.js';
import { epicByIid, type EpicRow } from '../repositories/epics.js';
import { epicFields, epicPath } from '../serializers/epic.js';
import { userFields } from '../serializers/user.js';

type Lookups = Contract['lookups'];

/** Rights are shown as the project's own, wherever they come from; every project's branch is called main. */
export const getProject: OperationHandler<Lookups['project']> = async ({ id }, call) => {
  const { container, level } = await visibleProject(call, id);
  return jsonObject<Project>({
    id: json(container.id),
    name: json(container.name),
    path: json(lastOf(container.path)),
    name_with_namespace: json([...container.path.split('/').slice(0, -1), container.name].join(' / ')),
    path_with_namespace: json(container.path),
    description: json(null),
    default_branch: json('main'),
    visibility: json(container.visibility),
    web_url: ownUrl(`/${container.path}`),
    archived: json(container.archived === 1),
    permissions: json({ project_access: level > 0 ? { access_level: level } : null, group_access: null }),
  });
};

/** A group's parent is the group of the path above, where there is one. */
export const getGroup: OperationHandler<Lookups['group']> = async ({ id }, call) => {
  const { container } = await visibleGroup(call, id);
  const above = pathsAbove(container.path).at(-2);
  const parent = above === undefined ? undefined : await groupBy(call.queries, above);
  return jsonObject<Group>({
    id: json(container.id),
    name: json(container.name),
    path: json(lastOf(container.path)),
    full_path: json(container.path),
    visibility: json(container.visibility),
    web_url: ownUrl(`/groups/${container.path}`),
    parent_id: json(parent?.id ?? null),
  });
};

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** An epic by its internal id. Without the feature it is forbidden (wire-facts 6.2.6); missing and hidden are alike. */
export const getEpic: OperationHandler<Contract['lookups']['epic']> = async ({ id, iid }, call) => {
  const place = await visibleGroup(call, id);
  if (!call.world.settings.epics) throw forbidden();
  const epic = iid === null ? undefined : await epicByIid(call.queries, place.container.id, iid);
  if (!epic || !canRead(call, place, epic)) throw recordNotFound();
  return epicDetails(call, place, epic);
};

/** An epic with what lists of children do not show of it in the document. */
export const epicDetails = (call: Call, place: Place, epic: EpicRow): Json<EpicDetails> => {
  const administers = place.level >= accessLevels.reporter;
  const view = { dialect: call.dialect, group: place.container.path, administers };
  return jsonObject<EpicDetails>({
    ...epicFields(epic, view),
    confidential: json(epic.confidential === 1),
    state: json(epic.state),
    web_url: ownUrl(epicPath(epic)),
  });
};

export const getVersion: OperationHandler<Lookups['version']> = () =>
  json<Version>({ version: serviceVersion, revision: serviceRevision });

export const getMetadata: OperationHandler<Lookups['metadata']> = () =>
  json<Metadata>({ version: serviceVersion, revision: serviceRevision, enterprise: true });

/** Who calls; that somebody is an administrator is shown to administrators. */
export const getUser: OperationHandler<Lookups['user']> = (_, { caller, dialect }) => jsonObject<CurrentUser>({
  ...userFields(caller, dialect), ...(caller.admin && { is_admin: json(true) }),
});

/**
 * What the server says it is: the era that interface.md describes, all it mentions included (13.7). Clients read three
 * numbers and take the ending for an edition that has epics.
 */
export const serviceVersion = '13.12.0-ee';

/** Where a live service has the start of a commit SHA: here it tells that this is none. */
export const serviceRevision = 'colloquy';
