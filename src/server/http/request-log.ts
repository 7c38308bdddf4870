import { type Handler, type HttpRequest, type HttpResponse, missingRouteHeader } from '../../wire/http.js';
import { redactRequest, redactResponse } from '../../wire/secrets/redact.js';
import { clearTimeout, setTimeout } from '../../wire/time.js';
import { requestIdHeader } from './middleware.js';

/** A logged request, without secrets and with long parts truncated. */
export interface LoggedRequest {
  /** The id of the request, as in the response header `x-request-id`. */
  readonly id: string;
  /** The time of the response by the clock of the server, in ISO 8601. */
  readonly time: string;
  /** The HTTP method, in upper case. */
  readonly method: string;
  /** The path and the query. */
  readonly target: string;
  /** The headers by names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text, at most its beginning. */
  readonly body: string;
  /** The status of the response. */
  readonly status: number;
  /** How long the server took, in milliseconds. */
  readonly duration: number;
  /** The username of the caller; null if nobody was authenticated. */
  readonly user: string | null;
  /** For a route that the server does not have: method and path, and the nearest route. */
  readonly missing: string | null;
  /** The operation, such as `discussions.issue.create`; null if none was found, or before the caller was known. */
  readonly operation: string | null;
  /** Parameters that the operation does not have and ignores: at most 20 names, percent-encoded and shortened. */
  readonly unread: readonly string[];
  /** The name of the world below `/w/`; null outside of it. The target is relative to the world. */
  readonly world: string | null;
}

/** A logged request with its response. */
export interface LoggedExchange extends LoggedRequest {
  /** Whether the body of the request is longer than the logged part. */
  readonly isTruncated: boolean;
  /** The response that the client got, without secrets. */
  readonly response: LoggedResponse;
}

/** A logged response, without secrets. */
export interface LoggedResponse {
  /** The headers by names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The first 16 KiB; null for a body that is not text, and once newer responses took up the memory of the log. */
  readonly body: string | null;
  /** Whether the whole body is longer than the logged part. */
  readonly isTruncated: boolean;
  /** The length of the whole body, in bytes. */
  readonly size: number;
}

/** What the API finds out about a request. */
export interface Trace {
  user: string | null;
  operation: string | null;
  unread: readonly string[];
}

export const newTrace = (): Trace => ({ user: null, operation: null, unread: [] });

export interface TracedRequest extends HttpRequest { readonly trace: Trace }

/** The handler puts the request's id into its response. */
export const withRequestLog = (
  handler: Handler<TracedRequest>, log: RequestLog, { now, timer, isLogged, onRequest }: {
    readonly now: () => Date; readonly timer: () => number; readonly isLogged: (target: string) => boolean;
    readonly onRequest?: ((request: LoggedRequest) => void) | undefined;
  },
): Handler => async (request) => {
  const trace = newTrace();
  const started = timer();
  const response = await handler(traced(request, trace));
  if (isLogged(request.target)) {
    const { headers } = response;
    log.add({
      id: headers[requestIdHeader]!, time: now(), request, response, duration: timer() - started, ...trace,
      missing: headers[missingRouteHeader] ?? null,
    });
    onRequest?.(log.last()!);
  }
  return response;
};

/** Has no object spread, which takes a tenth of the time of a cached response. */
const traced = ({ method, target, headers, body, signal }: HttpRequest, trace: Trace): TracedRequest =>
  body === undefined ? { method, target, headers, signal, trace } : { method, target, headers, body, signal, trace };

interface LogEntry extends Pick<LoggedRequest, 'id' | 'duration' | 'missing' | keyof Trace> {
  readonly time: Date;
  readonly request: HttpRequest;
  readonly response: HttpResponse;
}

interface LoggedFacts extends Pick<LogEntry, 'id' | 'time' | 'request'> {
  readonly response: Pick<HttpResponse, 'status'>;
}

/** Runs for every new request while somebody waits for one. */
export type Matches = (entry: LoggedFacts) => boolean;

export type RequestLog = ReturnType<typeof createRequestLog>;

/** `responseBody` and `responseBodies` are in bytes: of one response, and of all of them. */
const limits = {
  requests: 1_000, characters: 4_096, headers: 100, body: 10_000, responseBody: 16_384, responseBodies: 4_194_304,
};

interface StoredEntry extends Omit<LogEntry, 'response'> {
  readonly response: Omit<HttpResponse, 'body'>;
  readonly isTruncated: boolean;
  body: HttpResponse['body'] | null;
  readonly isBodyTruncated: boolean;
  readonly size: number;
  readonly bytes: number;
}

/** Requests are in order of their responses, the oldest first. Secrets are redacted when requests are read. */
export const createRequestLog = (
  { world = null, budget = createLogBudget() }: { readonly world?: string | null; readonly budget?: LogBudget } = {},
) => {
  let entries: StoredEntry[] = [];
  /** How many of the first entries gave up their bodies for newer ones. */
  let withoutBody = 0;
  let bytes = 0;
  let bodyBytes = 0;
  const waits = createWaits<LoggedFacts>();
  const dropBody = (): void => {
    const entry = entries[withoutBody++]!;
    bodyBytes -= entry.body!.length;
    entry.body = null;
  };
  const dropOldest = (): number => {
    if (withoutBody === 0) dropBody();
    withoutBody--;
    bytes -= entries.shift()!.bytes;
    return bytes + bodyBytes;
  };
  const own = { dropOldest };
  return {
    add: (entry: LogEntry) => {
      const stored = storedEntry(entry);
      entries.push(stored);
      bytes += stored.bytes;
      bodyBytes += stored.body!.length;
      while (bodyBytes > limits.responseBodies) dropBody();
      if (entries.length > limits.requests) dropOldest();
      budget.update(own, bytes + bodyBytes);
      waits.report(stored);
    },
    all: (matches: Matches = () => true): readonly LoggedExchange[] =>
      entries.filter(matches).map((entry) => shownExchange(entry, world)),
    idsUntil: (id: string): ReadonlySet<string> | null => {
      const ids = entries.map((entry) => entry.id);
      return ids.includes(id) ? new Set(ids.slice(0, ids.indexOf(id) + 1)) : null;
    },
    last: () => { const entry = entries.at(-1); return entry && shownRequest(entry, world); },
    lastId: () => entries.at(-1)?.id ?? null,
    has: (id: string) => entries.some((entry) => entry.id === id),
    latest: (most: number, after: string | null): readonly LoggedExchange[] => {
      const start = entries.findLastIndex(({ id }) => id === after) + 1;
      return entries.slice(Math.max(start, entries.length - most)).map((entry) => shownExchange(entry, world));
    },
    clear: () => {
      entries = [];
      withoutBody = bytes = bodyBytes = 0;
      budget.update(own, 0);
    },
    next: waits.next, close: waits.close, isClosed: waits.isClosed,
  };
};

const shownRequest = (
  { id, time, request, response, duration, user, missing, operation, unread }: StoredEntry, world: string | null,
): LoggedRequest => ({
  id, time: time.toISOString(), method: request.method, ...redactRequest(request), status: response.status,
  duration: Math.round(duration * 10) / 10, user, missing, operation, unread, world,
});

const shownExchange = (entry: StoredEntry, world: string | null): LoggedExchange => ({
  ...shownRequest(entry, world), isTruncated: entry.isTruncated,
  response: {
    ...redactResponse(entry.response.headers, entry.body), isTruncated: entry.isBodyTruncated, size: entry.size,
  },
});

const storedEntry = (entry: LogEntry): StoredEntry => {
  const { id, time, response: { status, headers }, duration, user, missing, operation, unread } = entry;
  const request = cut(entry.request);
  const body = request.method === 'HEAD' ? '' : entry.response.body;
  const allHeaders = headerBytes(request.headers) + headerBytes(headers);
  return {
    id, time, request, response: { status, headers }, duration, user, missing, operation, unread,
    isTruncated: (entry.request.body?.length ?? 0) > limits.body,
    body: cutResponse(body), isBodyTruncated: body.length > limits.responseBody, size: Buffer.byteLength(body),
    bytes: entryBytes + request.target.length + (request.body?.length ?? 0) + allHeaders,
  };
};

/** What an entry takes besides its texts, with the names of headers. */
const entryBytes = 1_024;

const headerBytes = (headers: Readonly<Record<string, string>>): number => {
  let size = 0;
  for (const name in headers) size += headers[name]!.length;
  return size;
};

const cut = ({ method, target, headers, body }: HttpRequest): HttpRequest => {
  const short = { method, target: cutText(target), headers: cutHeaders(headers) };
  return body === undefined ? short : { ...short, body: cutBody(body, limits.body) };
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

const cutBody = (body: string | Uint8Array, limit: number): string | Uint8Array => {
  if (body.length <= limit) return body;
  return Buffer.from(typeof body === 'string' ? body.slice(0, limit) : body.subarray(0, limit));
};

const cutBodies = new WeakMap<Uint8Array, string | Uint8Array>();

const cutResponse = (body: string | Uint8Array): string | Uint8Array => {
  if (typeof body === 'string' || body.length <= limits.responseBody) return cutBody(body, limits.responseBody);
  const known = cutBodies.get(body);
  if (known !== undefined) return known;
  const short = cutBody(body, limits.responseBody);
  cutBodies.set(body, short);
  return short;
};

/** All worlds of a server share it; the log of one world over a socket needs less. */
export const logBytes = 67_108_864;

interface BudgetedLog { dropOldest(): number }

export type LogBudget = ReturnType<typeof createLogBudget>;

export const createLogBudget = (most: number = logBytes) => {
  const sizes = new Map<BudgetedLog, number>();
  let total = 0;
  const set = (log: BudgetedLog, bytes: number): void => {
    total += bytes - (sizes.get(log) ?? 0);
    if (bytes === 0) sizes.delete(log);
    else sizes.set(log, bytes);
  };
  return {
    /** While all logs take too many bytes, the largest drops its oldest request: a busy world empties no other log. */
    update: (log: BudgetedLog, bytes: number): void => {
      set(log, bytes);
      while (total > most) {
        const largest = largestOf(sizes);
        set(largest, largest.dropOldest());
      }
    },
  };
};

const largestOf = (sizes: ReadonlyMap<BudgetedLog, number>): BudgetedLog => {
  let largest: BudgetedLog | undefined;
  for (const [log, bytes] of sizes) if (largest === undefined || bytes > sizes.get(largest)!) largest = log;
  return largest!;
};

export class TooManyWaits extends Error {
  constructor() { super(`more than ${maxWaits} callers wait for requests`); }
}

const maxWaits = 100;

export const createWaits = <T>() => {
  const waits = new Set<{ readonly matches: (value: T) => boolean; readonly end: () => void }>();
  let isClosed = false;
  return {
    report: (value: T): void => {
      if (waits.size === 0) return;
      for (const { matches, end } of waits) if (matches(value)) end();
    },
    /**
     * Resolves after a matching value was reported, after so many milliseconds, when the waits are closed, or on the
     * signal.
     * @throws TooManyWaits
     */
    next: (
      matches: (value: T) => boolean, milliseconds: number, signal?: AbortSignal,
    ) => new Promise<void>((resolve, reject) => {
      if (isClosed || signal?.aborted) return resolve();
      if (waits.size === maxWaits) return reject(new TooManyWaits());
      const end = () => {
        clearTimeout(timer);
        waits.delete(wait);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      const wait = { matches, end };
      waits.add(wait);
      signal?.addEventListener('abort', end);
    }),
    isClosed: () => isClosed,
    /** Ends all waits, and later ones at once. */
    close: (): void => {
      isClosed = true;
      for (const { end } of waits) end();
    },
  };
};
