import type { Handler, HttpRequest } from '../../wire/http.js';
import { missingRouteHeader } from '../../wire/missing-route.js';
import { redactRequest } from '../../wire/redact.js';
import { requestIdHeader } from './response-headers.js';

/** A logged request, without secrets and with long parts truncated. */
export interface LoggedRequest {
  readonly id: string;
  readonly time: string;
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly status: number;
  /** How long the server took, in milliseconds. */
  readonly duration: number;
  /** The username of the caller; null if nobody was authenticated. */
  readonly user: string | null;
  /** For a route that the server does not have: method and path, and the nearest route. */
  readonly missing: string | null;
  /** The name of the world below `/w/`; null for the start world. The target is relative to the world. */
  readonly world: string | null;
}

/** What handlers report about a request to the log. */
export interface Trace { user: string | null }

/** A request that is being logged. */
export interface TracedRequest extends HttpRequest { readonly trace: Trace }

/** The dependencies of the log. */
export interface RequestLogOptions {
  readonly now: () => Date;
  /** A clock for durations, in milliseconds from any start. */
  readonly timer: () => number;
  /** Whether requests for a target are logged. */
  readonly isLogged: (target: string) => boolean;
  /** Receives each logged request. */
  readonly onRequest?: ((request: LoggedRequest) => void) | undefined;
}

/** Logs each request with the status of its response. The handler puts the request's id into its response. */
export const withRequestLog = (
  handler: Handler<TracedRequest>, log: RequestLog, { now, timer, isLogged, onRequest }: RequestLogOptions,
): Handler => async (request) => {
  const trace: Trace = { user: null };
  const started = timer();
  const response = await handler(traced(request, trace));
  if (isLogged(request.target)) {
    const { status, headers } = response;
    log.add({
      id: headers[requestIdHeader]!, time: now(), request, status, duration: timer() - started, user: trace.user,
      missing: headers[missingRouteHeader] ?? null,
    });
    onRequest?.(log.last()!);
  }
  return response;
};

/** Without object spread, which takes a tenth of the time of a cached response. */
const traced = ({ method, target, headers, body }: HttpRequest, trace: Trace): TracedRequest =>
  body === undefined ? { method, target, headers, trace } : { method, target, headers, body, trace };

/** A request as it is stored, with its secrets. */
export interface LogEntry extends Pick<LoggedRequest, 'id' | 'status' | 'duration' | 'user' | 'missing'> {
  readonly time: Date;
  readonly request: HttpRequest;
}

/** The most recent requests, oldest first. Secrets are redacted when requests are read. */
export interface RequestLog {
  add(entry: LogEntry): void;
  all(): readonly LoggedRequest[];
  /** The most recent request. */
  last(): LoggedRequest | undefined;
  clear(): void;
}

/** The most requests, and per request the most characters of a target or header, headers, and bytes of the body. */
const limits = { requests: 1_000, characters: 4_096, headers: 100, body: 10_000 };

/** @param world the name of the world whose requests are logged */
export const createRequestLog = (world: string | null = null): RequestLog => {
  let ring: LogEntry[] = [];
  let next = 0;
  const inOrder = () => [...ring.slice(next), ...ring.slice(0, next)];
  return {
    add: ({ id, time, request, status, duration, user, missing }) => {
      ring[next] = { id, time, request: cut(request), status, duration, user, missing };
      next = (next + 1) % limits.requests;
    },
    all: () => inOrder().map((entry) => shown(entry, world)),
    last: () => { const entry = ring.at(next - 1); return entry && shown(entry, world); },
    clear: () => { ring = []; next = 0; },
  };
};

const shown = (
  { id, time, request, status, duration, user, missing }: LogEntry, world: string | null,
): LoggedRequest => ({
  id, time: time.toISOString(), method: request.method, ...redactRequest(request), status,
  duration: Math.round(duration * 10) / 10, user, missing, world,
});

const cut = ({ method, target, headers, body }: HttpRequest): HttpRequest => {
  const short = { method, target: cutText(target), headers: cutHeaders(headers) };
  return body === undefined ? short : { ...short, body: cutBody(body) };
};

const cutHeaders = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> => {
  const entries = Object.entries(headers);
  const isShort = entries.every(([, value]) => value.length <= limits.characters);
  if (isShort && entries.length <= limits.headers) return headers;
  return Object.fromEntries(entries.slice(0, limits.headers).map(([name, value]) => [name, cutText(value)]));
};

/** Copies what is truncated: a slice would keep the whole text in memory. */
const cutText = (text: string): string =>
  text.length <= limits.characters ? text : Buffer.from(text.slice(0, limits.characters)).toString();

const cutBody = (body: string | Uint8Array): string | Uint8Array => {
  if (body.length <= limits.body) return body;
  return Buffer.from(typeof body === 'string' ? body.slice(0, limits.body) : body.subarray(0, limits.body));
};
