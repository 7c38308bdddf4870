/** The store can't be opened or can't take a change. The message says what happened, the hint what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  constructor(message: string, readonly hint: string, options?: ErrorOptions) { super(message, options); }
}

/** The store can't be asked just now. Nothing of the unit of work was kept; later it may be tried again. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  /**
   * @param why `lost` connection, `conflict` with another writer, statement `unprepared` on this connection, or
   *   `refused` for the time being
   */
  constructor(
    message: string, readonly why: 'lost' | 'conflict' | 'unprepared' | 'refused', options?: ErrorOptions,
  ) { super(message, options); }
}

/** Whether a unit of work was kept can't be told: the store went away while it was committed, and stayed away. */
export class OutcomeUnknown extends Error { override readonly name = 'OutcomeUnknown'; }

/** Whether an engine refused because another process holds the file. */
export const isLocked = (error: unknown): boolean => error instanceof Error && /locked|busy/i.test(error.message);
