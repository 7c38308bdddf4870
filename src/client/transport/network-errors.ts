import { type HttpRequest, requestLine } from '../../wire/http.js';
import { isError } from '../../wire/json.js';
import { ConnectionError } from '../errors.js';

/** For dispatchers of the caller, which do not throw NeverSent. */
const unsentCodes = new Set([
  'ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_INVALID_ARG', 'UND_ERR_ABORTED',
]);

const unsentSyscalls = new Set(['connect', 'getaddrinfo']);

const isUntrusted = (code: string): boolean => !isTlsError(code)
  && /CERT|SELF_SIGNED|UNABLE_TO_|INVALID_(CA|PURPOSE)|PATH_LENGTH|CRL|(HOSTNAME|EMAIL|ADDRESS)_MISMATCH/.test(code);

const isTlsError = (code: string): boolean => code.startsWith('ERR_SSL') || code === 'EPROTO';

/** TLS 1.3 delivers these alerts after the handshake; the service reads no request then. */
export const rejectedClient = /ALERT_(CERTIFICATE|BAD_CERTIFICATE|UNKNOWN_CA|HANDSHAKE)|_CERTIFICATE_REQUIRED/;

/** The response is too large, too slow or cannot be decompressed. */
const unusableResponseCodes = new Set([
  'ANSWER_TIMEOUT', 'UND_ERR_RES_EXCEEDED_MAX_SIZE', 'UND_ERR_HEADERS_OVERFLOW', 'ERR_BUFFER_TOO_LARGE',
  'UNKNOWN_ENCODING', 'Z_DATA_ERROR', 'Z_BUF_ERROR',
]);

/** Brotli has many error codes, all with this prefix. */
const isUnusableResponse = (code: string): boolean => unusableResponseCodes.has(code) || code.startsWith('ERR__ERROR_');

/** The same request would fail again, for example after a TLS handshake without a common version or cipher. */
export const isPermanent = ({ code, sent }: Pick<ConnectionError, 'code' | 'sent'>): boolean =>
  isUntrusted(code) || (isTlsError(code) && !sent) || isUnusableResponse(code)
  || code === 'UND_ERR_INVALID_ARG' || code === 'PROXY_REFUSED';

const isUnsent = ({ code, syscall }: ErrorFacts): boolean =>
  (unsentCodes.has(code) && !/^(read|write)$/.test(syscall)) || unsentSyscalls.has(syscall)
  || isUntrusted(code) || rejectedClient.test(code);

interface Destination {
  readonly name: string;
  readonly origin: string;
  readonly proxy: string | null;
}

export const connectionError = (
  request: HttpRequest, { name, origin, proxy }: Destination, cause: unknown,
): ConnectionError => {
  const failure = errorFacts(cause);
  const { code, message } = failure;
  const sent = !(cause instanceof NeverSent) && !isUnsent(failure);
  const proxyError = cause instanceof NeverSent && cause.cause instanceof ProxyError ? cause.cause : null;
  const text = proxyError === null ? messageFor(code, name, message) : `${message} (${code})`;
  const facts = { cause, proxyStatus: proxyError?.status, origin, proxy };
  return new ConnectionError(text, requestLine(request), code, sent, facts);
};

interface ErrorFacts { readonly code: string; readonly syscall: string; readonly message: string }

const errorFacts = (error: unknown): ErrorFacts => {
  const { name, code: given, syscall, message, cause } = error as Partial<NodeJS.ErrnoException>;
  // A DOMException has a number.
  const code = typeof given === 'string' ? given : undefined;
  if (code === undefined && isError(cause)) return errorFacts(cause);
  // For a response that is not HTTP undici throws an error without a code, or an assertion error.
  if (name === 'HTTPParserError') return { code: code ?? 'HPE_INVALID', syscall: '', message: message ?? '' };
  if (code === 'ERR_ASSERTION') return { code: 'HPE_INVALID', syscall: '', message: 'unexpected status or framing' };
  const reason = reasonOfTls(message);
  return {
    code: code === 'EPROTO' && reason !== undefined ? tlsCode(reason) : commonCode(code),
    syscall: syscall ?? '', message: (reason ?? message) || (code ?? 'unknown error'),
  };
};

const commonCode = (code = 'UNKNOWN'): string => {
  if (code === 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH') return 'UND_ERR_INVALID_ARG';
  return code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' ? 'HPE_INVALID' : code;
};

const tlsCode = (reason: string): string => `ERR_SSL_${reason.toUpperCase().replaceAll(' ', '_')}`;

/**
 * OpenSSL puts the reason between numbers and names of its functions and files; Node turns it into a code for read
 * errors, and into `EPROTO` for write errors.
 */
const reasonOfTls = (message: string | undefined): string | undefined =>
  /(?:^|\s)[\dA-F]+:error:[\dA-F]+:[^:]*:[^:]*:([^:]+):/.exec(message ?? '')?.[1];

/** Newer versions of Node add how to start Node itself, which users of a program do not. */
const withoutAdvice = (message: string): string => message.replace(/; if the root CA is installed locally, .*$/, '');

const messageFor = (code: string, destination: string, message: string): string => {
  if (isUntrusted(code)) return `the certificate of ${destination} is not trusted: ${withoutAdvice(message)} (${code})`;
  if (isUnusableResponse(code) && !(code in messages))
    return `the response of ${destination} cannot be decompressed: ${message} (${code})`;
  if (code.startsWith('HPE_')) return `the response of ${destination} is not valid HTTP: ${message} (${code})`;
  return `${messages[code]?.(destination) ?? `the connection to ${destination} failed: ${message}`} (${code})`;
};

const messages: Readonly<Record<string, (destination: string) => string>> = {
  ECONNREFUSED: (destination) => `nothing is listening at ${destination}`,
  ENOTFOUND: (destination) => `cannot find the host of ${destination}`,
  EAI_AGAIN: (destination) => `looking up the host of ${destination} failed`,
  EPIPE: (destination) => `${destination} closed the connection while the request was being sent`,
  ECONNRESET: (destination) => `${destination} closed the connection without a response`,
  UND_ERR_CONNECT_TIMEOUT: (destination) => `connecting to ${destination} timed out`,
  UND_ERR_HEADERS_TIMEOUT: (destination) => `${destination} did not respond in time`,
  UND_ERR_BODY_TIMEOUT: (destination) => `the response of ${destination} stopped before its end`,
  ANSWER_TIMEOUT: (destination) => `the response of ${destination} was not complete in time`,
  UND_ERR_RES_EXCEEDED_MAX_SIZE: (destination) => `the response of ${destination} is too large`,
  UND_ERR_HEADERS_OVERFLOW: (destination) => `the response of ${destination} has too many or too large headers`,
  ERR_BUFFER_TOO_LARGE: (destination) => `the response of ${destination} is too large after decompression`,
  UND_ERR_SOCKET: (destination) => `${destination} closed the connection before the response was complete`,
};

/** For errors of a transport that is not ours, which can then be repeated. */
export const isNetworkError = (error: unknown): boolean => {
  if (!isError(error) || error instanceof ConnectionError) return false;
  const { code } = errorFacts(error);
  return unsentCodes.has(code) || Object.hasOwn(messages, code) || isTlsError(code) || lostCodes.test(code);
};

const lostCodes = /^(ETIMEDOUT|ECONNABORTED|ENETRESET|ENETDOWN|ERR_STREAM_PREMATURE_CLOSE|HPE_(?!INVALID$).*)$/;

/** No part of the request was sent: no connection, no tunnel, no TLS. The code is that of the cause. */
export class NeverSent extends Error {
  constructor(cause: unknown) {
    super('the request was not sent', { cause });
  }
}

export class ProxyError extends Error {
  constructor(
    message: string,
    /** `PROXY_UNAVAILABLE` for a temporary error (429 and 5xx), else `PROXY_REFUSED`; or `PROXY_TIMEOUT`. */
    readonly code: string,
    readonly status: number | null,
  ) {
    super(message);
  }
}
