import type { Row } from '../store/database.js';
import type { WorldReads } from '../world-reads.js';

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
  /** Words parted by a space. */
  readonly scopes: string;
  readonly expires_at: string | null;
  readonly revoked: number;
}

/** The token with this SHA-256 digest (hexadecimal), if there is one. */
export const tokenByDigest = (world: WorldReads, digest: string) => world.get<TokenRow>(
  `SELECT users.id, username, name, state, admin, scopes, expires_at, revoked
   FROM tokens JOIN users ON users.id = tokens.user_id WHERE digest = ?`, digest);

/** A user by id or by name (wire-facts 1.1.7). */
export const userByIdOrName = (world: WorldReads, who: string) => /^\d+$/.test(who)
  ? world.get<UserRow>('SELECT id, username, name, state, admin FROM users WHERE id = ?', Number(who))
  : world.get<UserRow>('SELECT id, username, name, state, admin FROM users WHERE username = ?', who);
