import { STATUS_CODES } from 'node:http';
import { type Handler, type HttpResponse, isRead } from '../../wire/http.js';
import { type ApiRequest, responseKey } from '../api/request.js';
import { rateLimitResponse } from '../api/rate-limit.js';
import { emptyResponse, json, jsonResponse, responseFrom } from '../http/response.js';
import { withNotModified } from '../http/middleware.js';
import { closed } from './file.js';

export interface Delays {
  /** Ends early when the service is closed, or the request aborted. @throws FaultStopped when its state is replaced */
  wait(milliseconds: number, request?: AbortSignal): Promise<void>;
  /** Does nothing if the service is closed or its state replaced before. */
  later(milliseconds: number, work: () => Promise<unknown>): void;
}

export interface FaultContext {
  readonly now: () => Date;
  readonly delays: Delays;
  /** A number from 0 (inclusive) to 1 (exclusive), the same in every replay. */
  readonly draw: () => number;
  readonly stale: Stale;
}

export type Action = (
  request: ApiRequest, next: Handler<ApiRequest>, context: FaultContext,
) => Promise<HttpResponse>;

/** `parse` gets what follows the name, and returns null if that is invalid. `form` is for messages. */
interface ActionKind {
  readonly form: string;
  readonly draws?: true;
  readonly parse: (given: string) => Action | null;
}

export const actionKinds: Readonly<Record<string, ActionKind>> = {
  status: {
    form: 'status N [before|after]',
    parse: (given) => answering(given, wordAsStatus, (status) => () => statusResponse(status)),
  },
  reset: { form: 'reset [before|after]', parse: (given) => answering(given, noWord, () => () => closed) },
  stall: {
    form: 'stall MS [before|after]',
    parse: (given) => answering(given, wordAsTime, (time) => (_, { delays }) => delays.wait(time).then(() => closed)),
  },
  latency: { form: 'latency MS[..MS]', draws: true, parse: (given) => latency(given) },
  'rate-limit': {
    form: 'rate-limit S',
    parse: (given) => only(given, wordAsTime, (seconds) =>
      async (_, __, { now }) => rateLimitResponse(now(), seconds, 600)),
  },
  html: {
    form: 'html [N]',
    parse: (given) => only(given || '502', wordAsStatus, (status) => async () => page(status)),
  },
  truncate: {
    form: 'truncate',
    parse: (given) => only(given, noWord, () => afterwards((response, request) =>
      hasBody(response, request) ? { ...response, delivery: { kind: 'truncate' } } : closed)),
  },
  garble: { form: 'garble', parse: (given) => only(given, noWord, () => afterwards(garbled)) },
  dribble: {
    form: 'dribble MS',
    parse: (given) => only(given, wordAsTime, (interval) => afterwards((response, request) =>
      hasBody(response, request) ? { ...response, delivery: { kind: 'dribble', interval } } : response)),
  },
  stale: {
    form: 'stale',
    parse: (given) => only(given, noWord, () => async (request, next, { stale }) => {
      const response = stale.before(request);
      return response ? withNotModified(async () => response)(request) : next(request);
    }),
  },
  late: {
    form: 'late MS',
    parse: (given) => only(given, wordAsTime, (time) => async (request, next, { delays }) => {
      // The call has ended by then, so its signal says nothing about this change.
      delays.later(time, () => next({ ...request, signal: undefined }));
      return statusResponse(504);
    }),
  },
  respond: {
    form: 'respond {"status":N,"headers":{…},"body":…}',
    parse: (given) => {
      const response = responseFrom(given);
      return response && (async () => response);
    },
  },
};

const answering = <T>(
  given: string, read: (word: string) => T | null,
  make: (value: T) => (request: ApiRequest, context: FaultContext) => HttpResponse | Promise<HttpResponse>,
): Action | null => {
  const when = /(?:^|\s)(before|after)$/.exec(given.slice(-8))?.[1];
  const word = when === undefined ? given : given.slice(0, -when.length).trim();
  return only(word, read, (value) => async (request, next, context) => {
    if (when === 'after') await next(request);
    return make(value)(request, context);
  });
};

const only = <T>(given: string, read: (word: string) => T | null, make: (value: T) => Action): Action | null => {
  const value = read(given);
  return value === null ? null : make(value);
};

const afterwards = (damage: (response: HttpResponse, request: ApiRequest) => HttpResponse): Action =>
  async (request, next) => damage(await next(request), request);

const noWord = (word: string): true | null => word === '' || null;

const wordAsStatus = (word: string): number | null => /^[2-5]\d\d$/.test(word) ? Number(word) : null;

const wordAsTime = (word: string): number | null =>
  /^\d{1,8}$/.test(word) && Number(word) <= 86_400_000 ? Number(word) : null;

const latency = (given: string): Action | null => {
  const [, first = '', last = first] = /^(\d+)(?:\.\.(\d+))?$/.exec(given) ?? [];
  const [from, to] = [wordAsTime(first), wordAsTime(last)];
  if (from === null || to === null || from > to) return null;
  return async (request, next, { delays, draw }) => {
    await delays.wait(from + Math.floor(draw() * (to - from + 1)));
    return next(request);
  };
};

const statusText = (status: number): string => `${status} ${STATUS_CODES[status] ?? 'Unknown'}`;

const statusResponse = (status: number): HttpResponse => status === 204 || status === 304
  ? emptyResponse(status) : jsonResponse(status, json({ message: statusText(status) }));

/** A proxy in front of the service responds like this. */
const page = (status: number): HttpResponse => ({
  status, headers: { 'content-type': 'text/html' },
  body: `<html>\r\n<head><title>${statusText(status)}</title></head>\r\n<body>\r\n`
    + `<center><h1>${statusText(status)}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`,
});

const hasBody = ({ body }: HttpResponse, { method }: ApiRequest): boolean => body.length > 0 && method !== 'HEAD';

/** NUL is invalid everywhere in JSON, so the body cannot be parsed. */
const garbled = (response: HttpResponse): HttpResponse => {
  const bytes = Buffer.from(response.body);
  bytes.subarray(bytes.length >> 1, (bytes.length >> 1) + 2).fill(0);
  return { ...response, body: bytes };
};

interface Seen { readonly response: HttpResponse; readonly writes: number }

const maxReads = 1_000;

type Stale = ReturnType<typeof createStale>;

/** Stands for replicas that lag behind by the latest write. Each caller receives only own responses. */
export const createStale = () => {
  const reads = new Map<string, { readonly latest: Seen; readonly previous: Seen | null }>();
  let writes = 0;
  const countWrite = () => { writes++; };

  const remember = (key: string, response: HttpResponse, since: number): void => {
    const known = reads.get(key);
    if (known && known.latest.writes > since) return;
    const previous = known && known.latest.writes < since ? known.latest : known?.previous ?? null;
    reads.delete(key);
    reads.set(key, { latest: { response, writes: since }, previous });
    if (reads.size > maxReads) reads.delete(reads.keys().next().value!);
  };

  const read = async (request: ApiRequest, handler: Handler<ApiRequest>): Promise<HttpResponse> => {
    const since = writes;
    const response = await handler(unconditional(request));
    if (response.status < 500) remember(responseKey(request), response, since);
    return response;
  };

  const write = async (request: ApiRequest, handler: Handler<ApiRequest>): Promise<HttpResponse> => {
    const response = await handler(request);
    if (response.status < 300) countWrite();
    return response;
  };

  return {
    countWrite,
    remembering: (handler: Handler<ApiRequest>): Handler<ApiRequest> => (request) => isRead(request)
      ? withNotModified<ApiRequest>((asked) => read(asked, handler))(request) : write(request, handler),
    before: (request: ApiRequest): HttpResponse | null => {
      const known = isRead(request) ? reads.get(responseKey(request)) : undefined;
      const seen = known && known.latest.writes === writes ? known.previous : known?.latest;
      return seen?.response ?? null;
    },
  };
};

/** Leaves out the condition of the caller, whose 304 would have no body for others. */
const unconditional = (request: ApiRequest): ApiRequest => {
  const { 'if-none-match': _, ...headers } = request.headers;
  return { ...request, headers };
};
