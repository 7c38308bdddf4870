import { HintedError } from '../../text/messages.js';

/** The store of a server cannot be used. */
export class StoreError extends HintedError { override readonly name = 'StoreError'; }

/** Responses give these reasons: the same for every database, without names of files or hosts. */
export const reasons = {
  away: 'the database cannot be reached',
  locked: 'the database is locked by another process',
  busy: 'the database is overloaded',
  full: 'the disk of the database is full',
  disk: 'the disk of the database cannot be read or written',
  readOnly: 'the database is read-only',
  damaged: 'the database is damaged',
  removed: 'the data file or its journal was removed or replaced while the server was running; restart the server',
  truncated: 'the data file or its journal was truncated while the server was running; restore a backup',
} as const;

export type Reason = typeof reasons[keyof typeof reasons];

/** The transaction was rolled back and may be retried. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  /** @param why `refused` for now, `unprepared` for a statement on this connection */
  constructor(
    message: string, readonly why: 'lost' | 'conflict' | 'unprepared' | 'refused', readonly reason: Reason,
    options?: ErrorOptions,
  ) { super(message, options); }
}

export const isLost = (error: unknown): boolean => error instanceof StoreUnavailable && error.why === 'lost';

/** Damaged data, or files that were removed while in use. The transaction was rolled back; retrying does not help. */
export class StoreFault extends StoreError {
  constructor(
    message: string, hint: string,
    readonly status: 500 | 503,
    readonly reason: Reason, options?: ErrorOptions,
  ) { super(message, hint, options); }
}

export class DamagedRow extends Error { override readonly name = 'DamagedRow'; }

/** The database was lost during a commit. */
export class OutcomeUnknown extends Error { override readonly name = 'OutcomeUnknown'; }
