import { apiPrefix } from '../../../contract/conventions.js';
import { fitsPieces } from '../../../text/patterns.js';
import { readInstant } from '../../../wire/time-text.js';
import { splitTarget } from '../../../wire/http.js';
import type { Matches, RequestLog } from '../../http/request-log.js';

/** Which logged requests to select, all by default. */
export interface RequestFilter {
  /** The HTTP method, in any case. */
  readonly method?: string | undefined;
  /**
   * The path without its query, with or without `/api/v4`; `*` stands for any text. Percent-escapes may be decoded:
   * `/projects/acme/app/issues/*` also matches `/api/v4/projects/acme%2Fapp/issues/7`.
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
export const matcherOf = ({ method, path, status, since }: RequestFilter, log: RequestLog): Matches => {
  const tests: Matches[] = [];
  if (method !== undefined) tests.push(({ request }) => request.method === method.toUpperCase());
  if (path !== undefined) tests.push(pathTest(path));
  if (status !== undefined) tests.push(statusTest(String(status)));
  if (since !== undefined) tests.push(sinceTest(since, log));
  return (entry) => tests.every((test) => test(entry));
};

const pathTest = (pattern: string): Matches => {
  const pieces = pattern.split('*');
  return ({ request: { target } }) => {
    const [path] = splitTarget(target);
    return formsOf(path).some((form) => fitsPieces(form, pieces));
  };
};

/** As sent and decoded, each also below the prefix of the API. */
const formsOf = (path: string): string[] => [...new Set([path, decoded(path)])].flatMap((form) =>
  form.startsWith(`${apiPrefix}/`) ? [form, form.slice(apiPrefix.length)] : [form]);

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
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

/** Of requests, the order of the log decides: those of one millisecond have the same time. */
const sinceTest = (since: Date | string, log: RequestLog): Matches => {
  const earlier = typeof since === 'string' ? log.idsUntil(since) : null;
  if (earlier) return ({ id }) => !earlier.has(id);
  const start = typeof since === 'string' ? readInstant(since)?.iso : isoOf(since);
  if (start !== undefined) return ({ time }) => time.toISOString() >= start;
  throw new FilterError(`invalid since ${quoted(String(since))}: use a time such as 2024-05-01T12:00:00Z, `
    + 'or the id of a request in the log');
};

const isoOf = (time: Date): string | undefined => Number.isNaN(time.getTime()) ? undefined : time.toISOString();

const quoted = (text: string): string => JSON.stringify(text.slice(0, 100));
