import type { Contract } from '../../../contract/operations.js';
import { accessLevels } from '../../../contract/conventions.js';
import type { Group, Member, Project } from '../../../contract/lookups/shapes.js';
import { visibleGroup, accessToAll, visibleProject, type ContainerAccess } from '../../api/access.js';
import { inOrder, requestedPage, type Call, type OperationHandler, type PageOf } from '../../api/context.js';
import { json, type Json, jsonObject, notFound, ownUrl } from '../../http/response.js';
import {
  allGroups, allProjects, groupBy, levelsOf, membersOn, pathsAbove, type ContainerRow, type MemberRow, type ProjectRow,
} from '../../repositories/world.js';
import type { Order } from '../../repositories/noteables.js';
import { userFields } from '../../serializers/note.js';

type Lookups = Contract['lookups'];

export const getProject: OperationHandler<Lookups['project']> = async ({ id }, call) =>
  projectJson(await visibleProject(call, id));

/** Permissions are shown as the project's own, even if inherited; every default branch is main. */
const projectJson = ({ container, level }: ContainerAccess<ProjectRow>): Json<Project> => jsonObject<Project>({
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

const parentPath = (path: string): string | undefined => pathsAbove(path).at(-2);

const groupJson = (container: ContainerRow, parent: number | null): Json<Group> => jsonObject<Group>({
  id: json(container.id),
  name: json(container.name),
  path: json(lastOf(container.path)),
  full_path: json(container.path),
  visibility: json(container.visibility),
  web_url: ownUrl(`/groups/${container.path}`),
  parent_id: json(parent),
});

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** behavior: lookups.projects */
export const listProjects: OperationHandler<Lookups['projects']> = async (params, call) => {
  const accessible = await accessToAll(call, await allProjects(call.queries));
  const levels = params.membership ? await levelsOf(call.queries, call.caller.id) : null;
  const isMember = (path: string) => levels === null || pathsAbove(path).some((above) => levels.has(above));
  const isWanted = (archived: boolean) => isUnset(params.archived) || params.archived === archived;
  return requestedPage(call, ordered(matching(accessible, params), params, 'desc')
    .filter(({ container }) => isMember(container.path) && isWanted(container.archived === 1)).map(projectJson));
};

/** behavior: lookups.groups */
export const listGroups: OperationHandler<Lookups['groups']> = async (params, call) => {
  const groups = await allGroups(call.queries);
  const ids = new Map(groups.map(({ path, id }) => [path, id]));
  const shown = matching(await accessToAll(call, groups), params);
  return requestedPage(call, ordered(shown, { ...params, order_by: params.order_by ?? 'name' }, 'asc')
    .map(({ container }) => groupJson(container, ids.get(parentPath(container.path) ?? '') ?? null)));
};

const isUnset = (value: unknown): value is null | undefined => value === null || value === undefined;

interface ContainerFilters {
  readonly search?: string | null | undefined;
  readonly owned?: boolean | null | undefined;
  readonly visibility?: string | null | undefined;
}

const matching = <A extends ContainerAccess>(
  accessible: readonly A[], { search, owned, visibility }: ContainerFilters,
): A[] => {
  const text = search?.toLowerCase() ?? '';
  return accessible.filter(({ container, level }) => (!owned || level >= accessLevels.owner)
    && (isUnset(visibility) || container.visibility === visibility)
    && (container.name.toLowerCase().includes(text) || container.path.toLowerCase().includes(text)));
};

/** By id unless by name or path (behavior: lookups.order). */
const ordered = <A extends ContainerAccess>(accessible: readonly A[], { order_by, sort }: Order, usual: string): A[] =>
  inOrder(accessible, (sort ?? usual) === 'asc', ({ container: { name, path, id } }) =>
    [order_by === 'name' ? name : order_by === 'path' ? lastOf(path) : '', id]);

interface Container { readonly id: number | string | null }
interface NameFilter extends Container { readonly query?: string | null | undefined }
interface MemberPath extends Container { readonly user_id: number | null }

type FindContainer = typeof visibleProject | typeof visibleGroup;

/** behavior: lookups.members */
const membersOf = async (call: Call, find: FindContainer, id: Container['id'], inherited: boolean) => {
  const { container: { path } } = await find(call, id);
  return membersOn(call.queries, inherited ? pathsAbove(path) : [path]);
};

const memberList = (find: FindContainer, inherited: boolean) =>
  async ({ id, query }: NameFilter, call: Call): Promise<PageOf<Member>> => {
    const members = await membersOf(call, find, id, inherited);
    const text = query?.toLowerCase() ?? '';
    const matching = members.filter(({ name, username }) =>
      name.toLowerCase().includes(text) || username.toLowerCase().includes(text));
    return requestedPage(call, matching.map((member) => memberJson(call, member)));
  };

const oneMember = (find: FindContainer, inherited: boolean) =>
  async ({ id, user_id }: MemberPath, call: Call): Promise<Json<Member>> => {
    const member = (await membersOf(call, find, id, inherited)).find((each) => each.id === user_id);
    if (!member) throw notFound('Member');
    return memberJson(call, member);
  };

const memberJson = ({ edition }: Call, member: MemberRow): Json<Member> => jsonObject<Member>({
  ...userFields(member, edition), access_level: json(member.level), expires_at: json(null),
  membership_state: json('active'),
});

export const memberHandlers = {
  projectMembers: memberList(visibleProject, false),
  projectMember: oneMember(visibleProject, false),
  allProjectMembers: memberList(visibleProject, true),
  anyProjectMember: oneMember(visibleProject, true),
  groupMembers: memberList(visibleGroup, false),
  groupMember: oneMember(visibleGroup, false),
  allGroupMembers: memberList(visibleGroup, true),
  anyGroupMember: oneMember(visibleGroup, true),
};
