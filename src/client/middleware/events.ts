import type { HttpRequest, HttpResponse, Transport } from '../../wire/http.js';
import { requestLine } from '../errors.js';
import type { Time } from '../time.js';

/** What an observer is told. Nothing in it carries a token, a query or a body. */
export type ClientEvent =
  /** A request goes out: one for every attempt and every redirect followed. */
  | { readonly type: 'request'; readonly request: string }
  /** An answer arrived, whatever its status; `ms` since its request, `id` the service's own name for the call. */
  | {
    readonly type: 'response'; readonly request: string; readonly status: number; readonly ms: number;
    readonly id: string | null;
  }
  /** The request is sent again after `wait` milliseconds; `attempt` counts from 2. */
  | {
    readonly type: 'retry'; readonly request: string; readonly attempt: number; readonly wait: number;
    readonly reason: string;
  }
  /** A page of a list arrived. */
  | {
    readonly type: 'page'; readonly request: string; readonly page: number; readonly items: number;
    readonly total: number | null;
  };

/** Takes events; what it throws fails the call. */
export type Observer = (event: ClientEvent) => void;

/** Tells an observer of every request sent and every answer received. */
export const withEvents = (transport: Transport, tell: Observer, now: Time['now']): Transport =>
  async (request, signal) => {
    const start = now();
    tell({ type: 'request', request: requestLine(request) });
    const response = await transport(request, signal);
    tell(responseEvent(request, response, now() - start));
    return response;
  };

const responseEvent = (request: HttpRequest, { status, headers }: HttpResponse, ms: number): ClientEvent =>
  ({ type: 'response', request: requestLine(request), status, ms, id: headers['x-request-id'] ?? null });
