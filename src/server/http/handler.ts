import type { HttpRequest, HttpResponse } from '../../wire/http.js';

/** Responds to a request. A middleware makes a handler from a handler. */
export type Handler<R extends HttpRequest = HttpRequest> = (request: R) => Promise<HttpResponse>;

/** The reference server without a socket: a handler that never throws. */
export interface Service { readonly handle: Handler }

/** Whether a request only reads. */
export const isRead = ({ method }: Pick<HttpRequest, 'method'>): boolean => method === 'GET' || method === 'HEAD';

/** A target in two parts: the path, and the query without its question mark. */
export const splitTarget = (target: string): [path: string, query: string] => {
  const mark = target.indexOf('?');
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
};
