import type { HttpRequest, HttpResponse, Transport } from '../../wire/http.js';
import { requestLine } from '../errors.js';
import type { Time } from '../time.js';

/** An event for an observer. No event contains a token, a query or a body. */
export type ClientEvent =
  /** A request is sent: one event for every attempt and every redirect. */
  | { readonly type: 'request'; readonly request: string }
  /** A response arrived, whatever its status, `ms` after its request; `id` is the request id of the service. */
  | {
    readonly type: 'response'; readonly request: string; readonly status: number; readonly ms: number;
    readonly id: string | null;
  }
  /** The request is sent again after `wait` milliseconds; `attempt` counts from 2, up to `attempts`. */
  | {
    readonly type: 'retry'; readonly request: string; readonly attempt: number; readonly attempts: number;
    readonly wait: number; readonly reason: string;
  }
  /** A page of a list arrived. */
  | {
    readonly type: 'page'; readonly request: string; readonly page: number; readonly items: number;
    readonly total: number | null;
  }
  /** A create got no usable response; the client looks for the note after `wait` milliseconds. */
  | { readonly type: 'check'; readonly request: string; readonly wait: number; readonly reason: string }
  /**
   * A create returns an existing note: an earlier attempt stored it (`by` is `attempt`), or it has the key of the call
   * (`key`). `same` is false if the existing note has another text.
   */
  | {
    readonly type: 'existing'; readonly request: string; readonly note: number; readonly by: 'attempt' | 'key';
    readonly same: boolean;
  }
  /** A second copy of a note was deleted; `kept` is the first one. */
  | { readonly type: 'duplicate'; readonly request: string; readonly note: number; readonly kept: number }
  /** A note has the marker of another one, `kept`, but a person changed its text: it was not deleted. */
  | { readonly type: 'changed'; readonly request: string; readonly note: number; readonly kept: number };

/** Receives events; the call fails if it throws. */
export type Observer = (event: ClientEvent) => void;

export const withEvents = (transport: Transport, observe: Observer, now: Time['now']): Transport =>
  async (request, signal) => {
    const start = now();
    observe({ type: 'request', request: requestLine(request) });
    const response = await transport(request, signal);
    observe(responseEvent(request, response, now() - start));
    return response;
  };

const responseEvent = (request: HttpRequest, { status, headers }: HttpResponse, ms: number): ClientEvent =>
  ({ type: 'response', request: requestLine(request), status, ms, id: headers['x-request-id'] ?? null });
