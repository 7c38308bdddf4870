import { exits, type Code } from '../failures.js';

/** What each failure means, in the words of help, reference and the map for machines. */
export const meanings: Readonly<Record<Code, string>> = {
  failure: 'failed for another reason',
  usage: 'the command line is wrong, or something is missing from it',
  cancelled: 'cancelled by you',
  unauthenticated: 'not authenticated: no token, or the service answered 401',
  forbidden: 'forbidden, or a feature is missing: 403',
  not_found: 'not found: 404',
  rejected: 'rejected: 400, 409, 412, 413, 422',
  pending: 'pending: a diff has changes, a check found open threads',
  rate_limited: 'rate limited: 429',
  unavailable: 'server or network: 5xx, refused, timed out',
  interrupted: 'interrupted',
};

/** An exit code with the word that stands for it in an error's JSON; null for success. */
export interface ExitCode {
  readonly exit: number;
  readonly code: Code | null;
  readonly meaning: string;
}

/** Every exit code in order. */
export const exitCodes: readonly ExitCode[] = [
  { exit: 0, code: null, meaning: 'done; an empty list is a result too' },
  ...(Object.keys(exits) as Code[]).map((code) => ({ exit: exits[code], code, meaning: meanings[code] })),
];
