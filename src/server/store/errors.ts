/** The store can't be opened or can't take a change. The message says what happened, the hint what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  constructor(message: string, readonly hint: string, options?: ErrorOptions) { super(message, options); }
}

/** Whether an engine refused because another process holds the file. */
export const isLocked = (error: unknown): boolean => error instanceof Error && /locked|busy/i.test(error.message);
