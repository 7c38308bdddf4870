import type { Contract } from '../../../contract/operations.js';
import type { Member } from '../../../contract/lookups/shapes.js';
import type { User } from '../../../contract/shapes/scalars.js';
import { visibleGroup, visibleProject } from '../../api/access.js';
import type { Call, OperationHandler, PageOf } from '../../api/context.js';
import { notFound } from '../../http/errors.js';
import { json, jsonObject, type Json } from '../../http/response.js';
import { membersOn, pathsAbove, userByIdOrName, type MemberRow } from '../../repositories/world.js';
import { userFields, userJson } from '../../serializers/note.js';
import { pageOf } from './commits.js';

type Lookups = Contract['lookups'];

export const getUserById: OperationHandler<Lookups['userById']> = async ({ user_id }, call): Promise<Json<User>> => {
  const user = user_id === null ? undefined : await userByIdOrName(call.world, String(user_id));
  if (!user) throw notFound('User');
  return userJson(user, call.edition);
};

interface Container { readonly id: number | string | null }
interface NameFilter extends Container { readonly query?: string | null | undefined }
interface MemberPath extends Container { readonly user_id: number | null }

type FindContainer = typeof visibleProject | typeof visibleGroup;

/** behavior: lookups.members */
const membersOf = async (call: Call, find: FindContainer, id: Container['id'], inherited: boolean) => {
  const { container: { path } } = await find(call, id);
  return membersOn(call.queries, inherited ? pathsAbove(path) : [path]);
};

const listOf = (find: FindContainer, inherited: boolean) =>
  async ({ id, query }: NameFilter, call: Call): Promise<PageOf<Member>> => {
    const members = await membersOf(call, find, id, inherited);
    const text = query?.toLowerCase() ?? '';
    const matching = members.filter(({ name, username }) =>
      name.toLowerCase().includes(text) || username.toLowerCase().includes(text));
    return pageOf(call, matching.map((member) => memberJson(call, member)));
  };

const oneOf = (find: FindContainer, inherited: boolean) =>
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
  projectMembers: listOf(visibleProject, false),
  projectMember: oneOf(visibleProject, false),
  allProjectMembers: listOf(visibleProject, true),
  anyProjectMember: oneOf(visibleProject, true),
  groupMembers: listOf(visibleGroup, false),
  groupMember: oneOf(visibleGroup, false),
  allGroupMembers: listOf(visibleGroup, true),
  anyGroupMember: oneOf(visibleGroup, true),
};
