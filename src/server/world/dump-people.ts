import type { Queries, Row } from '../store/database.js';
import { accessLevels, type Role, type WorldToken, type WorldUser } from './shape.js';

interface UserRow extends Row {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly state: NonNullable<WorldUser['state']>;
  readonly admin: number;
}

interface TokenRow extends Row {
  readonly digest: string;
  readonly user_id: number;
  readonly scopes: string;
  readonly expires_at: string | null;
  readonly revoked: number;
}

/** The users with what is stored of their tokens. */
export const dumpUsers = async (queries: Queries): Promise<WorldUser[]> => {
  const users = await queries.all<UserRow>('SELECT id, username, name, state, admin FROM users ORDER BY id');
  const tokens = new Map<number, WorldToken[]>(users.map(({ id }) => [id, []]));
  for (const token of await queries.all<TokenRow>('SELECT * FROM tokens ORDER BY digest')) {
    tokens.get(token.user_id)?.push(tokenFrom(token));
  }
  return users.map((user) => ({ ...user, admin: user.admin === 1, tokens: tokens.get(user.id)! }));
};

const tokenFrom = ({ digest, scopes, expires_at, revoked }: TokenRow): WorldToken => ({
  digest, scopes: scopes.split(' ').filter((scope) => scope !== '') as NonNullable<WorldToken['scopes']>,
  ...(expires_at !== null && { expires_at }), revoked: revoked === 1,
});

interface MemberRow extends Row { readonly path: string; readonly username: string; readonly level: number }

/** The members of a group or project by its path. */
export const rolesByPath = async (queries: Queries): Promise<(path: string) => Record<string, Role>> => {
  const rows = await queries.all<MemberRow>(
    `SELECT path, username, level FROM members JOIN users ON users.id = members.user_id ORDER BY user_id`);
  const roles = new Map<string, [string, Role][]>();
  for (const { path, username, level } of rows) {
    const others = roles.get(path);
    if (others) others.push([username, roleOf(level)]);
    else roles.set(path, [[username, roleOf(level)]]);
  }
  return (path) => Object.fromEntries(roles.get(path) ?? []);
};

const roleOf = (level: number): Role =>
  (Object.keys(accessLevels) as Role[]).findLast((role) => accessLevels[role] <= level) ?? 'guest';
