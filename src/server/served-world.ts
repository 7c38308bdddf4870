import { beginWith, type Beginning } from './begin.js';
import type { Database } from './store/database.js';
import { checkedWorld } from './world/check.js';
import { demoWorld } from './world/demo/demo.js';
import { isEmpty } from './world/empty.js';
import { refuseStoredTokens, tokensByUser, withFreshTokens } from './world/known-tokens.js';
import { readWorld } from './world/read.js';
import type { World } from './world/shape.js';

/**
 * The world to serve: the given one, or the one of a file; the demo world where none is given. Where other machines can
 * reach the server, the worlds that come with this program get tokens that nobody knows; a world of one's own keeps
 * the tokens it names.
 * @throws WorldError
 */
export const servedWorld = (
  given: World | string | undefined, isRemote: boolean, hex: (length: number) => string,
): World => {
  const world = worldOf(given);
  const isOurs = given === undefined || given === demoWorld || !world.users?.length;
  return isRemote && isOurs ? withFreshTokens(world, hex) : world;
};

/** A world from code is checked as one from a file: what doesn't fit is told by its place, not by the store. */
const worldOf = (given: World | string | undefined): World => {
  if (given === undefined) return demoWorld;
  return typeof given === 'string' ? readWorld(given) : checkedWorld(given);
};

/**
 * Fills an empty store, and only that. Gives a token of each user whose token is known, by username.
 * @throws StoreError where other machines can reach the server, no world was named, and the store holds a token that
 *   all know: the demo world's, from an earlier start
 */
export const fillOnce = (
  database: Database, world: World, how: Beginning & { readonly refusesKnownTokens: boolean },
): Promise<Record<string, string>> => database.writeAlone(async (queries) => {
  if (await isEmpty(queries)) await beginWith(queries, world, how);
  if (how.refusesKnownTokens) await refuseStoredTokens(queries);
  return tokensByUser(queries, world);
});
