import type { Contract } from '../../../contract/operations.js';
import { reportedVersion } from '../../../contract/behavior/fact.js';
import type { CurrentUser, Metadata, Version } from '../../../contract/lookups/shapes.js';
import type { User } from '../../../contract/shapes/scalars.js';
import { type Call, inOrder, type HandlersOf } from '../../api/context.js';
import { json, type Json, jsonObject, notFound } from '../../http/response.js';
import { userByIdOrName, usersNamed } from '../../repositories/world.js';
import { userFields, userJson } from '../../serializers/note.js';

const serviceVersion = ({ world }: Call): string => reportedVersion(world.settings.version);

/** A live service reports its short commit SHA. */
const serviceRevision = 'colloquy';

export const userLookups = {
  version: (_, call) =>
    json<Version>({ version: serviceVersion(call), revision: serviceRevision }),
  metadata: (_, call) => {
    const version = serviceVersion(call);
    return json<Metadata>({ version, revision: serviceRevision, enterprise: !version.endsWith('-ce') });
  },
  user: (_, { caller, edition }) => jsonObject<CurrentUser>({
    ...userFields(caller, edition), ...(caller.admin && { is_admin: json(true) }),
  }),
  userById: async ({ user_id }, call): Promise<Json<User>> => {
    const user = user_id === null ? undefined : await userByIdOrName(call.world, String(user_id));
    if (!user) throw notFound('User');
    return userJson(user, call.edition);
  },
  /** behavior: access.users, lookups.users-order, lookups.users-search */
  users: async (params, { queries, page, edition, caller }) => {
    const { order_by, sort, search, active, blocked } = params;
    const named = (await usersNamed(queries, params.username ?? null)).filter(({ name, username, state }) =>
      [name, username].some((text) => text.toLowerCase().includes(search?.toLowerCase() ?? ''))
      && !(active && state !== 'active') && !(blocked && state !== 'blocked'));
    const users = !caller.admin ? named : inOrder(named, sort === 'asc', (user) =>
      [order_by === 'name' || order_by === 'username' ? user[order_by] : '', user.id]);
    const shown = users.slice(page.offset, page.offset + page.limit);
    return { items: shown.map((user) => userJson(user, edition)), rows: users.length };
  },
} satisfies Partial<HandlersOf<Contract['lookups']>>;
