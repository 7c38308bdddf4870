import { isStorableText } from '../../contract/conventions.js';
import type { Queries, Row } from '../store/database.js';
import type { WorldReads } from './world-reads.js';

/** A row of `users`. */
export interface UserRow extends Row {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  /** `active`, `blocked`, … (wire-facts 4.4.4) */
  readonly state: string;
  readonly admin: number;
}

/** A row of `tokens` with its user. Only the digest of a token is ever stored. */
export interface TokenRow extends UserRow {
  readonly digest: string;
  /** Words parted by a space. */
  readonly scopes: string;
  /** The first instant at which the token is no good: of a date, the start of its day. */
  readonly expires_at: string | null;
  readonly revoked: number;
}

/** The token with this SHA-256 digest (hexadecimal), if there is one. */
export const tokenByDigest = (world: WorldReads, digest: string) => world.get<TokenRow>(
  `SELECT users.id, username, name, state, admin, digest, scopes, expires_at, revoked
   FROM tokens JOIN users ON users.id = tokens.user_id WHERE digest = ?`, digest);

/** Whether there is a token with this digest, good or not. */
export const hasToken = async (queries: Pick<Queries, 'get'>, digest: string): Promise<boolean> =>
  await queries.get('SELECT user_id FROM tokens WHERE digest = ?', digest) !== undefined;

/** A user by id or by name (wire-facts 1.1.7); undefined for what can be neither. */
export const userByIdOrName = (world: WorldReads, who: string) => {
  const id = /^\d+$/.test(who) ? Number(who) : null;
  if (id === null) return isStorableText(who) ? world.get<UserRow>(`${user} WHERE username = ?`, who) : undefined;
  return Number.isSafeInteger(id) ? world.get<UserRow>(`${user} WHERE id = ?`, id) : undefined;
};

const user = 'SELECT id, username, name, state, admin FROM users';
