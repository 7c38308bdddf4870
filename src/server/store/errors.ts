/** The store can't be opened or can't take a change. The message says what happened, the hint what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  constructor(message: string, readonly hint: string, options?: ErrorOptions) { super(message, options); }
}

/** Why a store cannot be used, in words for callers: the same for every database, without names of files or hosts. */
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

/** One of the reasons above. */
export type Reason = typeof reasons[keyof typeof reasons];

/** The store can't be asked just now. Nothing of the unit of work was kept; later it may be tried again. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  /**
   * @param why `lost` connection, `conflict` with another writer, statement `unprepared` on this connection, or
   *   `refused` for the time being
   */
  constructor(
    message: string, readonly why: 'lost' | 'conflict' | 'unprepared' | 'refused', readonly reason: Reason,
    options?: ErrorOptions,
  ) { super(message, options); }
}

/** Whether the connection of a unit of work broke. */
export const isLost = (error: unknown): boolean => error instanceof StoreUnavailable && error.why === 'lost';

/**
 * Somebody has to look after the store: what it holds is damaged, or its files were removed under the running server.
 * Nothing of the unit of work was kept, and trying again does not help.
 */
export class StoreFault extends StoreError {
  constructor(
    message: string, hint: string,
    /** The status of the response to a request that needs the store. */
    readonly status: 500 | 503,
    readonly reason: Reason, options?: ErrorOptions,
  ) { super(message, hint, options); }
}

/** A row that cannot be what was stored. */
export class DamagedRow extends Error { override readonly name = 'DamagedRow'; }

/** Whether a unit of work was kept can't be told: the store went away while it was committed, and stayed away. */
export class OutcomeUnknown extends Error { override readonly name = 'OutcomeUnknown'; }
