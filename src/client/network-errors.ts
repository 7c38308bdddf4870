/**
 * A failure before anything of a request left this machine: no connection, no tunnel, no TLS. It has no code of its
 * own, so that the code of its cause counts.
 */
export class NeverSent extends Error {
  constructor(cause: unknown) {
    super('the request was not sent', { cause });
  }
}

/** A proxy that opens no tunnel. */
export class ProxyError extends Error {
  constructor(
    message: string,
    /** `PROXY_UNAVAILABLE` for a refusal that may pass (429 and 5xx), else `PROXY_REFUSED`; or `PROXY_TIMEOUT`. */
    readonly code: string,
    /** The status that the proxy answered with; null where it sent none. */
    readonly status: number | null,
  ) {
    super(message);
  }
}
