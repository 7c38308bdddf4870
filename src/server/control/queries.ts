import { apiPrefix } from '../../contract/conventions.js';
import { fitsPieces } from '../../text/quoting.js';
import { decodePercent, splitTarget } from '../../wire/http.js';
import { either, kinds, type OptionKind, optionProblem } from '../../wire/options.js';
import { readInstant } from '../../wire/time-text.js';
import { longestTimer } from '../../wire/time.js';
import type { Delivery, Hooks } from '../hooks/deliveries.js';
import { type EventKind, eventKinds } from '../hooks/events.js';
import { checkName } from '../http/addresses.js';
import { createRequestLog, type LoggedExchange, type Matches, type RequestLog } from '../http/request-log.js';

/** Which logged requests to select, all by default. */
export interface RequestFilter {
  /** The HTTP method, in any case. */
  readonly method?: string | undefined;
  /**
   * The path without its query, with or without `/api/v4`; `*` stands for any text. Percent-escapes may be decoded:
   * `/projects/acme/app/issues/*` also matches `/api/v4/projects/acme%2Fapp/issues/7`. A method may stand before it, as
   * in fault rules: `POST *\/notes`.
   */
  readonly path?: string | undefined;
  /** A status, or a class of statuses such as `5xx`; 0 if the connection was closed without a response. */
  readonly status?: number | string | undefined;
  /** A time in ISO 8601, which includes requests of this time, or the id of a request, which excludes it. */
  readonly since?: Date | string | undefined;
}

export class FilterError extends TypeError {
  override readonly name = 'FilterError';
}

/** An id in `since` means a request in this log. @throws FilterError */
const matcherOf = ({ method, path, status, since }: RequestFilter, log: RequestLog): Matches => {
  const tests: Matches[] = [];
  if (method !== undefined) tests.push(({ request }) => request.method === method.toUpperCase());
  if (path !== undefined) tests.push(pathTest(path));
  if (status !== undefined) tests.push(statusTest(String(status)));
  if (since !== undefined) tests.push(sinceTest(since, log));
  return (entry) => tests.every((test) => test(entry));
};

const pathTest = (text: string): Matches => {
  const [, method = '*', pattern = text] = /^([A-Za-z]+|\*) +(\S*)$/.exec(text) ?? [];
  const pieces = pattern.split('*');
  return ({ request }) => {
    if (method !== '*' && request.method !== method.toUpperCase()) return false;
    const [path] = splitTarget(request.target);
    // A path is compared as sent and decoded, each also without the prefix of the API.
    return [...new Set([path, decodePercent(path)])].some((form) => fitsPieces(form, pieces)
      || form.startsWith(`${apiPrefix}/`) && fitsPieces(form.slice(apiPrefix.length), pieces));
  };
};

const statusTest = (status: string): Matches => {
  if (status === '0') return ({ response }) => response.status === 0;
  const digits = /^([1-5])(\d\d|xx)$/i.exec(status);
  if (!digits) {
    throw new FilterError(`invalid status ${quoted(status)}: use a status such as 404, or a class such as 5xx`);
  }
  const [, first, rest] = digits;
  if (/x/i.test(rest!)) return ({ response }) => Math.floor(response.status / 100) === Number(first);
  return ({ response }) => response.status === Number(status);
};

/** The order of the log decides about requests, since those of one millisecond have the same time. */
const sinceTest = (since: Date | string, log: RequestLog): Matches => {
  const earlier = typeof since === 'string' ? log.idsUntil(since) : null;
  if (earlier) return ({ id }) => !earlier.has(id);
  const start = typeof since === 'string' ? readInstant(since)?.iso
    : Number.isNaN(since.getTime()) ? undefined : since.toISOString();
  if (start !== undefined) return ({ time }) => time.toISOString() >= start;
  throw new FilterError(`invalid since ${quoted(String(since))}: use a time such as 2024-05-01T12:00:00Z, `
    + 'or the id of a request in the log');
};

const quoted = (text: string): string => JSON.stringify(text.slice(0, 100));

/** Which logged requests to return, and how long to wait for the first one. */
export interface RequestQuery extends RequestFilter {
  /** The name of another world whose requests to search. */
  readonly world?: string | undefined;
  /** How long to wait if no request matches, in milliseconds; default 0. */
  readonly timeout?: number | undefined;
  /** Ends the wait; the call then returns an empty list. */
  readonly signal?: AbortSignal | undefined;
}

interface RequestLogs {
  readonly own: RequestLog;
  readonly of?: ((world: string, isAwaited: boolean) => Promise<RequestLog | null>) | undefined;
}

/** Oldest first. @throws FilterError, TooManyWaits, OperationError for an invalid name of a world */
export const findRequests = async (
  { own, of }: RequestLogs, query: RequestQuery,
): Promise<readonly LoggedExchange[]> => {
  const problem = optionProblem(query, requestKinds);
  if (problem !== null) throw new FilterError(`invalid query of requests: ${problem}`);
  const { world, timeout = 0, signal } = query;
  if (!(timeout >= 0)) throw new FilterError(`invalid timeout ${timeout}: use milliseconds, 0 or more`);
  const log = world === undefined ? own : await findLog(world, timeout > 0, of);
  const matches = matcherOf(query, log);
  const found = log.all(matches);
  if (found.length > 0 || timeout === 0) return found;
  await log.next(matches, Math.min(timeout, longestTimer), signal);
  return log.all(matches);
};

const requestKinds = {
  method: kinds.text, path: kinds.text, status: either(kinds.whole, kinds.text),
  since: either(kinds.text, kinds.object), world: kinds.text, timeout: kinds.any, signal: kinds.signal,
} satisfies Record<keyof Required<RequestQuery>, OptionKind>;

const findLog = async (world: string, isAwaited: boolean, of: RequestLogs['of']): Promise<RequestLog> => {
  if (!of) throw new FilterError('only the control plane outside of /w/ knows other worlds: leave out world');
  checkName('world', world);
  return await of(world, isAwaited) ?? createRequestLog();
};

/** Which deliveries of webhooks to return, and how long to wait for the first one. */
export interface DeliveryQuery {
  /** The id of the webhook. */
  readonly hook?: number | undefined;
  /** What the delivery reported. */
  readonly event?: EventKind | undefined;
  /** The status of the response; null for deliveries without a response. */
  readonly status?: number | null | undefined;
  /** Only deliveries after the one with this id. */
  readonly after?: number | undefined;
  /** How long to wait if no delivery matches, in milliseconds; default 0. */
  readonly timeout?: number | undefined;
  /** Ends the wait; the call then returns an empty list. */
  readonly signal?: AbortSignal | undefined;
}

/** Oldest first. @throws FilterError, TooManyWaits */
export const findDeliveries = async (hooks: Hooks, query: DeliveryQuery): Promise<readonly Delivery[]> => {
  checkDeliveryQuery(query);
  const { hook, event, status, after, timeout = 0, signal } = query;
  const matches = (one: Delivery): boolean => (hook === undefined || one.hook === hook)
    && (event === undefined || one.event === event) && (status === undefined || one.status === status)
    && (after === undefined || one.id > after);
  const found = hooks.all().filter(matches);
  if (found.length > 0 || timeout === 0) return found;
  await hooks.next(matches, Math.min(timeout, longestTimer), signal);
  return hooks.all().filter(matches);
};

const deliveryKinds = {
  hook: kinds.whole, event: kinds.text, status: either(kinds.whole, { form: 'null', fits: (value) => value === null }),
  after: kinds.whole, timeout: kinds.milliseconds, signal: kinds.signal,
} satisfies Record<keyof Required<DeliveryQuery>, OptionKind>;

const checkDeliveryQuery = (query: DeliveryQuery): void => {
  const problem = optionProblem(query, deliveryKinds);
  if (problem !== null) throw new FilterError(`invalid query of deliveries: ${problem}`);
  if (query.event !== undefined && !eventKinds.includes(query.event)) {
    throw new FilterError(`invalid event ${JSON.stringify(query.event)}: use ${eventKinds.join(' or ')}`);
  }
};
