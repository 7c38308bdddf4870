/** A file on its way to the service or arriving there: what the form part carried. */
export interface Upload {
  readonly filename: string;
  /** The media type that the sender claims; the server types files by content. */
  readonly content_type?: string;
  readonly bytes: Uint8Array;
}

/** Whether a value is a file. Its bytes decide: a JSON hash may have any keys, but never bytes. */
export const isUpload = (value: unknown): value is Upload =>
  typeof value === 'object' && value !== null && 'bytes' in value && value.bytes instanceof Uint8Array;
