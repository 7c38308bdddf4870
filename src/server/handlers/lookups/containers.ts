import type { Contract } from '../../../contract/operations.js';
import { reportedVersion } from '../../../contract/behavior/fact.js';
import { accessLevels } from '../../../contract/conventions.js';
import type { CurrentUser, EpicDetails, Group, Metadata, Project, Version } from '../../../contract/lookups/shapes.js';
import { canRead, visibleGroup, visibleProject, type Place } from '../../api/access.js';
import type { Call, OperationHandler } from '../../api/context.js';
import { forbidden, recordNotFound } from '../../http/errors.js';
import { json, jsonObject, ownUrl, type Json } from '../../http/response.js';
import { epicByIid, type EpicRow } from '../../repositories/epics.js';
import { groupBy, pathsAbove, type ContainerRow, type ProjectRow } from '../../repositories/world.js';
import { epicFields, epicPath } from '../../serializers/epic.js';
import { userFields } from '../../serializers/note.js';

type Lookups = Contract['lookups'];

export const getProject: OperationHandler<Lookups['project']> = async ({ id }, call) =>
  projectJson(await visibleProject(call, id));

/** Permissions are shown as the project's own, even if inherited; every default branch is main. */
export const projectJson = ({ container, level }: Place<ProjectRow>): Json<Project> => jsonObject<Project>({
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

/** The parent of a group is the group with the path above it, if it exists. */
export const getGroup: OperationHandler<Lookups['group']> = async ({ id }, call) => {
  const { container } = await visibleGroup(call, id);
  const above = parentPath(container.path);
  const parent = above === undefined ? undefined : await groupBy(call.queries, above);
  return groupJson(container, parent?.id ?? null);
};

export const parentPath = (path: string): string | undefined => pathsAbove(path).at(-2);

export const groupJson = (container: ContainerRow, parent: number | null): Json<Group> => jsonObject<Group>({
  id: json(container.id),
  name: json(container.name),
  path: json(lastOf(container.path)),
  full_path: json(container.path),
  visibility: json(container.visibility),
  web_url: ownUrl(`/groups/${container.path}`),
  parent_id: json(parent),
});

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Forbidden without the feature (behavior: errors.feature); the same response if missing or hidden. */
export const getEpic: OperationHandler<Contract['lookups']['epic']> = async ({ id, iid }, call) => {
  const place = await visibleGroup(call, id);
  if (!call.world.settings.epics) throw forbidden();
  const epic = iid === null ? undefined : await epicByIid(call.queries, place.container.id, iid);
  if (!epic || !canRead(call, place, epic)) throw recordNotFound();
  return epicDetails(call, place, epic);
};

export const epicDetails = (call: Call, place: Place, epic: EpicRow): Json<EpicDetails> => {
  const administers = place.level >= accessLevels.reporter;
  const view = { edition: call.edition, group: place.container.path, administers };
  return jsonObject<EpicDetails>({
    ...epicFields(epic, view),
    confidential: json(epic.confidential === 1),
    state: json(epic.state),
    web_url: ownUrl(epicPath(epic)),
  });
};

export const getVersion: OperationHandler<Lookups['version']> = (_, call) =>
  json<Version>({ version: versionOf(call), revision: serviceRevision });

export const getMetadata: OperationHandler<Lookups['metadata']> = (_, call) =>
  json<Metadata>({ version: versionOf(call), revision: serviceRevision, enterprise: !versionOf(call).endsWith('-ce') });

const versionOf = ({ dialect, world }: Call): string => reportedVersion(dialect, world.settings.version);

/** Only administrators see `is_admin`. */
export const getUser: OperationHandler<Lookups['user']> = (_, { caller, edition }) => jsonObject<CurrentUser>({
  ...userFields(caller, edition), ...(caller.admin && { is_admin: json(true) }),
});

/** In place of the short commit SHA of a live service. */
const serviceRevision = 'colloquy';
