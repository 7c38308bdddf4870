import { textOf, type HttpRequest } from '../wire/http.js';

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

/** The last requests, oldest first; older ones are forgotten. Secrets and long bodies are cut when one is looked at. */
export interface RequestLog {
  add(id: string, time: Date, request: HttpRequest, status: number): void;
  all(): readonly LoggedRequest[];
  /** The one added last. */
  last(): LoggedRequest | undefined;
  clear(): void;
}

const kept = { requests: 1_000, bodyCharacters: 10_000 };

interface Entry { readonly id: string; readonly time: Date; readonly request: HttpRequest; readonly status: number }

export const createRequestLog = (): RequestLog => {
  let ring: Entry[] = [];
  let next = 0;
  const inOrder = () => [...ring.slice(next), ...ring.slice(0, next)];
  return {
    add: (id, time, request, status) => {
      const { body, ...rest } = request;
      const cut = body === undefined ? rest : { ...rest, body: body.slice(0, kept.bodyCharacters) };
      ring[next] = { id, time, request: cut, status };
      next = (next + 1) % kept.requests;
    },
    all: () => inOrder().map(shown),
    last: () => { const entry = ring.at(next - 1); return entry && shown(entry); },
    clear: () => { ring = []; next = 0; },
  };
};

/** An entry without its secrets. */
const shown = ({ id, time, request, status }: Entry): LoggedRequest => ({
  id, time: time.toISOString(), method: request.method, target: withoutSecrets(request.target),
  headers: withoutSecretHeaders(request.headers), body: withoutSecrets(textOf(request.body ?? '')), status,
});

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
