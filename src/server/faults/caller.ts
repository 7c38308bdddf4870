import { isRead } from '../../wire/http.js';
import { authenticate } from '../api/authenticate.js';
import { createWorldCache } from '../repositories/world.js';
import type { Database } from '../store/database.js';
import type { UserOf } from './rule.js';

/** Before the request is handled. */
export const userLookup = (database: Database, now: () => Date): UserOf => {
  const worldCache = createWorldCache();
  return ({ method, headers, parameters }) => database.read(async (queries) => {
    const given = await parameters.all().catch(() => ({}));
    const credentials = { headers, given, headerToken: parameters.headerToken, reads: isRead({ method }) };
    const { caller } = await authenticate(await worldCache.of(queries), credentials, now().toISOString());
    return caller.username;
  }).catch(() => null);
};
