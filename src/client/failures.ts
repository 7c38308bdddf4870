import type { HttpRequest } from '../wire/http.js';
import { ConnectionError } from './errors.js';
import { requestLine } from './request-line.js';

/** Codes of failures before a request can have left: nothing listens, no such name, no way there. */
const neverSent = new Set([
  'ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'UND_ERR_CONNECT_TIMEOUT',
]);

const neverSentCalls = new Set(['connect', 'getaddrinfo']);

/** Whether a code is one of TLS: a certificate that is not trusted, or no common ground. It would fail again. */
export const isUntrusted = (code: string): boolean => /CERT|SELF_SIGNED|UNABLE_TO_|SSL|TLS|^EPROTO$/.test(code);

/**
 * The error of a request that got no answer, from whatever the network layer threw.
 * @param origin where the request went, for the message
 */
export const connectionError = (request: HttpRequest, origin: string, cause: unknown): ConnectionError => {
  const { code, syscall, message } = tracesOf(cause);
  const sent = !isUntrusted(code) && !neverSent.has(code) && !neverSentCalls.has(syscall);
  return new ConnectionError(sentence(code, origin, message), requestLine(request), code, sent, { cause });
};

/** What is known of a failure; a failed name lookup or a proxy's refusal sits one cause deeper. */
const tracesOf = (error: unknown): { code: string; syscall: string; message: string } => {
  const { code, syscall, message, cause } = error as Partial<NodeJS.ErrnoException> & { cause?: unknown };
  if (code === undefined && cause instanceof Error) return tracesOf(cause);
  return { code: code ?? 'UNKNOWN', syscall: syscall ?? '', message: message || code || 'the connection failed' };
};

const sentence = (code: string, origin: string, message: string): string => {
  if (isUntrusted(code)) return `the certificate of ${origin} is not trusted: ${message} (${code})`;
  return `${sentences[code]?.(origin) ?? `the connection to ${origin} failed: ${message}`} (${code})`;
};

const sentences: Readonly<Record<string, (origin: string) => string>> = {
  ECONNREFUSED: (origin) => `nothing listens at ${origin}`,
  ENOTFOUND: (origin) => `the host of ${origin} is not known`,
  EAI_AGAIN: (origin) => `the host of ${origin} could not be looked up`,
  ECONNRESET: (origin) => `${origin} closed the connection without an answer`,
  UND_ERR_CONNECT_TIMEOUT: (origin) => `${origin} could not be reached in time`,
  UND_ERR_HEADERS_TIMEOUT: (origin) => `${origin} did not answer in time`,
  UND_ERR_BODY_TIMEOUT: (origin) => `the answer of ${origin} stopped arriving`,
  UND_ERR_SOCKET: (origin) => `${origin} closed the connection before the answer was complete`,
};
