/** The server can't be put behind a socket. The message says what happened, the hint what to do. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  constructor(message: string, readonly hint: string, options?: ErrorOptions) { super(message, options); }
}

/** What is wrong with a certificate and its key, from the engine's own words. */
export const tlsError = (cause: unknown): ListenError => {
  const words = cause instanceof Error ? cause.message : String(cause);
  const why = /key values mismatch/.test(words) ? 'the key is not the one of the certificate'
    : /PEM routines|DECODER|asn1|not enough data/i.test(words) ? 'one of them is not in PEM form'
      : words;
  return new ListenError(`the TLS certificate and key can't be used: ${why}`,
    'Give the certificate and its private key, each as PEM.', { cause });
};
