import type { Contract } from '../../../contract/operations.js';
import { accessLevels, earliestTime } from '../../../contract/conventions.js';
import type { Group, Member, Project } from '../../../contract/lookups/shapes.js';
import { visibleGroup, accessToAll, visibleProject, type ContainerAccess } from '../../api/access.js';
import {
  type Call, type HandlerParams, type HandlersOf, inOrder, type OperationHandler, requestedPage,
} from '../../api/context.js';
import { json, type Json, jsonFields, jsonObject, notFound, ownGitUrl, ownUrl } from '../../http/response.js';
import {
  allGroups, allProjects, groupBy, lastSegment, levelsOf, membersOn, parentPath, pathsAbove, type ContainerRow,
  type MemberRow, type ProjectRow,
} from '../../repositories/world.js';
import type { Order } from '../../repositories/noteables.js';
import { userFields } from '../../serializers/note.js';

type Lookups = Contract['lookups'];

/**
 * Permissions are shown as the project's own, even if inherited; every default branch is main
 * (behavior: lookups.no-times).
 */
const projectJson = ({ container, level }: ContainerAccess<ProjectRow>): Json<Project> => jsonObject<Project>({
  ...jsonFields({
    id: container.id, name: container.name, path: lastSegment(container.path),
    name_with_namespace: [...container.path.split('/').slice(0, -1), container.name].join(' / '),
    path_with_namespace: container.path, description: null, default_branch: 'main', visibility: container.visibility,
    created_at: earliestTime, last_activity_at: earliestTime,
  }),
  ssh_url_to_repo: ownGitUrl(container.path), http_url_to_repo: ownUrl(`/${container.path}.git`),
  web_url: ownUrl(`/${container.path}`),
  archived: json(container.archived === 1),
  permissions: json({ project_access: level > 0 ? { access_level: level } : null, group_access: null }),
});

const groupJson = (
  { id, name, path, visibility }: ContainerRow, parent: ContainerRow | undefined,
): Json<Group> => jsonObject<Group>({
  ...jsonFields({ id, name, path: lastSegment(path), full_path: path, visibility }),
  web_url: ownUrl(`/groups/${path}`), parent_id: json(parent?.id ?? null),
});

const isUnset = (value: unknown): value is null | undefined => value === null || value === undefined;

const matching = <A extends ContainerAccess>(
  accessible: readonly A[],
  { search, owned, visibility, min_access_level }: Omit<HandlerParams<Lookups['groups']>, 'order_by'>,
): A[] => {
  const text = search?.toLowerCase() ?? '';
  return accessible.filter(({ container, level }) => (!owned || level >= accessLevels.owner)
    && level >= (min_access_level ?? 0)
    && (isUnset(visibility) || container.visibility === visibility)
    && (container.name.toLowerCase().includes(text) || container.path.toLowerCase().includes(text)));
};

/** By id unless by name or path (behavior: lookups.order). */
const ordered = <A extends ContainerAccess>(accessible: readonly A[], { order_by, sort }: Order, usual: string): A[] =>
  inOrder(accessible, (sort ?? usual) === 'asc', ({ container: { name, path, id } }) =>
    [order_by === 'name' ? name : order_by === 'path' ? lastSegment(path) : '', id]);

type FindContainer = typeof visibleProject | typeof visibleGroup;

/** behavior: lookups.members */
const membersOf = async (call: Call, find: FindContainer, id: number | string | null, inherited: boolean) => {
  const { container: { path } } = await find(call, id);
  return membersOn(call.queries, inherited ? pathsAbove(path) : [path]);
};

const memberList = (find: FindContainer, inherited: boolean): OperationHandler<Lookups['groupMembers']> =>
  async ({ id, query }, call) => {
    const members = await membersOf(call, find, id, inherited);
    const text = query?.toLowerCase() ?? '';
    const matching = members.filter(({ name, username }) =>
      name.toLowerCase().includes(text) || username.toLowerCase().includes(text));
    return requestedPage(call, matching.map((member) => memberJson(call, member)));
  };

const oneMember = (find: FindContainer, inherited: boolean): OperationHandler<Lookups['groupMember']> =>
  async ({ id, user_id }, call) => {
    const member = (await membersOf(call, find, id, inherited)).find((each) => each.id === user_id);
    if (!member) throw notFound('Member');
    return memberJson(call, member);
  };

const memberJson = ({ edition }: Call, member: MemberRow): Json<Member> => jsonObject<Member>({
  ...userFields(member, edition),
  ...jsonFields({
    access_level: member.level, created_at: earliestTime, expires_at: null, membership_state: 'active',
  }),
});

export const containerLookups = {
  project: async ({ id }, call) => projectJson(await visibleProject(call, id)),
  group: async ({ id }, call) => {
    const { container } = await visibleGroup(call, id);
    return groupJson(container, await groupBy(call.queries, parentPath(container.path)));
  },
  /** behavior: lookups.projects */
  projects: async (params, call) => {
    const accessible = await accessToAll(call, await allProjects(call.queries));
    const levels = params.membership ? await levelsOf(call.queries, call.caller.id) : null;
    const isMember = (path: string) => levels === null || pathsAbove(path).some((above) => levels.has(above));
    const isWanted = (archived: boolean) => isUnset(params.archived) || params.archived === archived;
    return requestedPage(call, ordered(matching(accessible, params), params, 'desc')
      .filter(({ container }) => isMember(container.path) && isWanted(container.archived === 1)).map(projectJson));
  },
  /** behavior: lookups.groups */
  groups: async (params, call) => {
    const groups = await allGroups(call.queries);
    const byPath = new Map(groups.map((group) => [group.path, group]));
    const shown = matching(await accessToAll(call, groups), params);
    return requestedPage(call, ordered(shown, { ...params, order_by: params.order_by ?? 'name' }, 'asc')
      .map(({ container }) => groupJson(container, byPath.get(parentPath(container.path)))));
  },
  projectMembers: memberList(visibleProject, false),
  projectMember: oneMember(visibleProject, false),
  allProjectMembers: memberList(visibleProject, true),
  anyProjectMember: oneMember(visibleProject, true),
  groupMembers: memberList(visibleGroup, false),
  groupMember: oneMember(visibleGroup, false),
  allGroupMembers: memberList(visibleGroup, true),
  anyGroupMember: oneMember(visibleGroup, true),
} satisfies Partial<HandlersOf<Lookups>>;
