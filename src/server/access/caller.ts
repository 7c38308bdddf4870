import type { UserRow } from '../records/people.js';

/** Who makes a call. */
export type Caller = UserRow;

/** Access levels by the service's own numbers. */
export const levels = { none: 0, guest: 10, reporter: 20, developer: 30, maintainer: 40, owner: 50 } as const;
