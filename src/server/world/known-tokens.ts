import { digestOf } from '../credentials.js';
import type { Queries } from '../store/database.js';
import { StoreError } from '../store/errors.js';
import { people } from './demo/people.js';
import { administrator, digestIn, tokensOf, usersOf, type NamedUser } from './fill-people.js';
import type { World } from './shape.js';

/** Tokens that stand in this program for all to read. */
const known = new Set([...people, administrator].flatMap(tokensOf).flatMap((token) => digestIn(token) ?? []));

/** A world whose users have one fresh token each; for the worlds that come with this program. */
export const withFreshTokens = (world: World, hex: (length: number) => string): World => ({
  ...world,
  users: usersOf(world).map(({ tokens: _, ...user }) => ({ ...user, token: hex(40) })),
});

const message = (username: string) =>
  `${username} has a token that stands in this program for all to read, and other machines can reach this server`;

/** @throws StoreError where a store holds one */
export const refuseStoredTokens = async (queries: Queries): Promise<void> => {
  const digests = [...known];
  const found = await queries.get<{ username: string }>(
    `SELECT username FROM tokens JOIN users ON users.id = tokens.user_id
     WHERE digest IN (${digests.map(() => '?').join(', ')}) AND revoked = 0`, ...digests);
  if (found) throw new StoreError(message(found.username), 'Fill another store, from a world with tokens of your own.');
};

/** One good token of each user, where the world names it and the store has it, by username. */
export const tokensByUser = async (queries: Queries, world: World): Promise<Record<string, string>> => {
  const tokens: Record<string, string> = {};
  for (const user of usersOf(world)) {
    const token = firstOf(user);
    if (token !== undefined && await isStored(queries, user, token)) tokens[user.username] = token;
  }
  return tokens;
};

const firstOf = (user: NamedUser): string | undefined => tokensOf(user).find(({ revoked }) => !revoked)?.token;

const isStored = async (queries: Queries, { id }: NamedUser, token: string): Promise<boolean> =>
  await queries.get('SELECT user_id FROM tokens WHERE digest = ? AND user_id = ?', digestOf(token), id) !== undefined;
