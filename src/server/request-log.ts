import { textOf, type HttpRequest, type HttpResponse } from '../wire/http.js';

/** One request as it is remembered: no secret in it, long bodies cut. */
export interface LoggedRequest {
  readonly id: string;
  readonly time: string;
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly status: number;
}

/** The last requests, oldest first; older ones are forgotten. */
export interface RequestLog {
  add(id: string, time: string, request: HttpRequest, response: HttpResponse): LoggedRequest;
  all(): readonly LoggedRequest[];
  clear(): void;
}

const kept = { requests: 1_000, bodyCharacters: 10_000 };

export const createRequestLog = (): RequestLog => {
  let entries: LoggedRequest[] = [];
  const add = (id: string, time: string, request: HttpRequest, response: HttpResponse): LoggedRequest => {
    const entry = {
      id, time, method: request.method, target: withoutSecrets(request.target),
      headers: withoutSecretHeaders(request.headers),
      body: withoutSecrets(textOf(request.body ?? '').slice(0, kept.bodyCharacters)),
      status: response.status,
    };
    entries.push(entry);
    if (entries.length > 2 * kept.requests) entries = entries.slice(-kept.requests);
    return entry;
  };
  return { add, all: () => entries.slice(-kept.requests), clear: () => { entries = []; } };
};

const hidden = '[redacted]';
const secretHeaders = new Set(['private-token', 'authorization', 'job-token', 'cookie', 'proxy-authorization']);
const secretNames = 'private_token|access_token|job_token';

const withoutSecretHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, secretHeaders.has(name) ? hidden : value]));

/** Tokens as query, form, JSON or multipart parameters. */
const withoutSecrets = (text: string): string => text
  .replace(new RegExp(`\\b(${secretNames})=[^&\\s]*`, 'gi'), `$1=${hidden}`)
  .replace(new RegExp(`("(?:${secretNames})"\\s*:\\s*")(?:[^"\\\\]|\\\\.)*`, 'gi'), `$1${hidden}`)
  .replace(new RegExp(`(name="(?:${secretNames})"\\r?\\n\\r?\\n)[^\\r\\n]*`, 'gi'), `$1${hidden}`);
