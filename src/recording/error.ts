/** A recording that cannot be read. The message names the file and the line. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
  constructor(
    message: string,
    /** What to do about it. */
    readonly hint: string,
    options?: ErrorOptions,
  ) { super(message, options); }
}
