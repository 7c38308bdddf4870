import { readInstant } from '../../wire/instants.js';
import { digestOf } from '../credentials.js';
import type { Queries } from '../store/database.js';
import { insert } from './insert.js';
import { numberingOf } from './numbering.js';
import { accessLevels, type Role, type World, type WorldToken, type WorldUser } from './shape.js';

/** A user with the id, names and state they have in the store. */
export type NamedUser = WorldUser & Required<Pick<WorldUser, 'id' | 'username' | 'name' | 'state'>>;

/** Who is there where a world names nobody. */
export const administrator: WorldUser = { username: 'root', name: 'Administrator', admin: true, token: 'root-token' };

/** The users of a world, never none, with ids and names. */
export const usersOf = ({ users = [administrator] }: World): readonly NamedUser[] => {
  const people = users.length === 0 ? [administrator] : users;
  const ids = numberingOf(people);
  return people.map((user) => {
    const id = ids(user.id);
    const { username = `user${id}`, name = username, state = 'active' } = user;
    return { ...user, id, username, name, state };
  });
};

/** Writes users and their tokens. */
export const fillUsers = async (queries: Queries, users: readonly NamedUser[]): Promise<void> => {
  for (const { id, username, name, state, admin = false, ...user } of users) {
    await insert(queries, 'users', { id, username, name, state, admin });
    for (const token of tokensOf(user)) await insert(queries, 'tokens', { user_id: id, ...tokenCells(token) });
  }
};

/** Writes who belongs to a group or project. */
export const fillMembers = async (
  queries: Queries, path: string, members: Readonly<Record<string, Role>>, user: (username: string) => NamedUser,
): Promise<void> => {
  for (const [username, role] of Object.entries(members)) {
    await insert(queries, 'members', { path, user_id: user(username).id, level: accessLevels[role] });
  }
};

/** Both ways of giving a token; one without text and digest is none. */
export const tokensOf = ({ token, tokens = [] }: WorldUser): readonly WorldToken[] =>
  [...(token === undefined ? [] : [{ token }]), ...tokens].filter((one) => digestIn(one) !== undefined);

/** What is stored of a token. */
export const digestIn = ({ token, digest }: WorldToken): string | undefined =>
  token === undefined ? digest : digestOf(token);

const tokenCells = (token: WorldToken) => ({
  digest: digestIn(token), scopes: (token.scopes ?? ['api']).join(' '),
  expires_at: token.expires_at && readInstant(token.expires_at)!.iso, revoked: token.revoked ?? false,
});
