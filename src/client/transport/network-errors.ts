import type { HttpRequest } from '../../wire/http.js';
import { ConnectionError, requestLine } from '../errors.js';

/** Codes of failures before a request can have left, for dispatchers that are handed in and do not mark them. */
const neverSent = new Set([
  'ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_INVALID_ARG', 'UND_ERR_ABORTED',
]);

const neverSentCalls = new Set(['connect', 'getaddrinfo']);

const isUntrusted = (code: string): boolean =>
  /CERT|SELF_SIGNED|UNABLE_TO_|INVALID_(CA|PURPOSE)|PATH_LENGTH|CRL|MISMATCH/.test(code) && !isTlsAlert(code);

const isTlsAlert = (code: string): boolean => code.startsWith('ERR_SSL') || code === 'EPROTO';

/** An answer came and is more than can be taken, or is packed in a way that can't be undone. */
const unfit = new Set([
  'ANSWER_TIMEOUT', 'UND_ERR_RES_EXCEEDED_MAX_SIZE', 'UND_ERR_HEADERS_OVERFLOW', 'ERR_BUFFER_TOO_LARGE',
  'UNKNOWN_ENCODING', 'Z_DATA_ERROR', 'Z_BUF_ERROR',
]);

/** Brotli has a code for each of its complaints. */
const isUnfit = (code: string): boolean => unfit.has(code) || code.startsWith('ERR__ERROR_');

/**
 * Whether a code means that the same request would fail again: a certificate that is not trusted, TLS without common
 * ground, a proxy that refuses, a request that can't be made, an answer that can't be taken.
 */
export const isPermanent = (code: string): boolean =>
  isUntrusted(code) || isTlsAlert(code) || isUnfit(code) || code === 'UND_ERR_INVALID_ARG' || code === 'PROXY_REFUSED';

/**
 * The error of a request that got no answer, from whatever the network layer threw.
 * @param place where the request went, for the message
 */
export const connectionError = (request: HttpRequest, place: string, cause: unknown): ConnectionError => {
  const { code, syscall, message } = tracesOf(cause);
  const sent = !(cause instanceof NeverSent)
    && (isUnfit(code) || !isPermanent(code) && !neverSent.has(code) && !neverSentCalls.has(syscall));
  const byProxy = cause instanceof NeverSent && cause.cause instanceof ProxyError ? cause.cause : null;
  const words = byProxy === null ? sentence(code, place, message) : `${message} (${code})`;
  return new ConnectionError(words, requestLine(request), code, sent, { cause, proxyStatus: byProxy?.status });
};

interface Traces { readonly code: string; readonly syscall: string; readonly message: string }

/** What is known of a failure; a failed lookup sits one cause deeper. */
const tracesOf = (error: unknown): Traces => {
  const { name, code, syscall, message, cause } = error as Partial<NodeJS.ErrnoException>;
  if (code === undefined && cause instanceof Error) return tracesOf(cause);
  // What undici throws for a response that is not HTTP has no code, or is an assertion of its own.
  if (name === 'HTTPParserError') return { code: code ?? 'HPE_INVALID', syscall: '', message: message ?? '' };
  if (code === 'ERR_ASSERTION') return { code: 'HPE_INVALID', syscall: '', message: 'unexpected status or framing' };
  const reason = reasonOfTls(message);
  return {
    code: code === 'EPROTO' && reason !== undefined ? tlsCode(reason) : code ?? 'UNKNOWN',
    syscall: syscall ?? '', message: (reason ?? message) || (code ?? 'no reason given'),
  };
};

const tlsCode = (reason: string): string => `ERR_SSL_${reason.toUpperCase().replaceAll(' ', '_')}`;

/**
 * OpenSSL's errors carry the reason between numbers and the names of its own functions and files; Node makes a code of
 * it where it reads, and `EPROTO` where it writes.
 */
const reasonOfTls = (message: string | undefined): string | undefined =>
  /(?:^|\s)[\dA-F]+:error:[\dA-F]+:[^:]*:[^:]*:([^:]+):/.exec(message ?? '')?.[1];

const sentence = (code: string, place: string, message: string): string => {
  if (isUntrusted(code)) return `the certificate of ${place} is not trusted: ${message} (${code})`;
  if (isUnfit(code) && !(code in sentences)) return `the answer of ${place} can't be unpacked: ${message} (${code})`;
  if (code.startsWith('HPE_')) return `the response of ${place} is not valid HTTP: ${message} (${code})`;
  return `${sentences[code]?.(place) ?? `the connection to ${place} failed: ${message}`} (${code})`;
};

const sentences: Readonly<Record<string, (place: string) => string>> = {
  ECONNREFUSED: (place) => `nothing listens at ${place}`,
  ENOTFOUND: (place) => `the host of ${place} is not known`,
  EAI_AGAIN: (place) => `the host of ${place} could not be looked up`,
  EPIPE: (place) => `${place} closed the connection while the request was being sent`,
  ECONNRESET: (place) => `${place} closed the connection without an answer`,
  UND_ERR_CONNECT_TIMEOUT: (place) => `${place} could not be reached in time`,
  UND_ERR_HEADERS_TIMEOUT: (place) => `${place} did not answer in time`,
  UND_ERR_BODY_TIMEOUT: (place) => `the answer of ${place} stopped arriving`,
  ANSWER_TIMEOUT: (place) => `the answer of ${place} kept arriving and did not end in time`,
  UND_ERR_RES_EXCEEDED_MAX_SIZE: (place) => `the answer of ${place} is too long`,
  UND_ERR_HEADERS_OVERFLOW: (place) => `the answer of ${place} has too many headers, or too long ones`,
  ERR_BUFFER_TOO_LARGE: (place) => `the answer of ${place} unpacks to more than can be taken`,
  UND_ERR_SOCKET: (place) => `${place} closed the connection before the answer was complete`,
};

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
