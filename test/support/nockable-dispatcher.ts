import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { Dispatcher } from 'undici';

/**
 * A dispatcher that sends through node:http, which nock intercepts; nock does not see undici's own sockets. Pass it to
 * `createClient`: everything above the socket then runs as in production. It supports the bodies that Colloquy sends:
 * none, text and bytes.
 */
export const nockableDispatcher = (): Dispatcher => new ThroughNodeHttp().compose((dispatch) => (options, handler) =>
  dispatch(options, handler));

type Options = Dispatcher.DispatchOptions;
type Handler = Dispatcher.DispatchHandler;

class ThroughNodeHttp extends Dispatcher {
  override dispatch(options: Options, handler: Handler): boolean {
    const { protocol } = new URL(String(options.origin));
    const send = protocol === 'https:' ? https.request : http.request;
    const request = send(new URL(options.path, options.origin), {
      method: options.method, headers: options.headers as Record<string, string>,
    });
    const controller = controllerOf((reason) => request.destroy(reason));
    const fail = (error: Error) => handler.onResponseError?.(controller, controller.reason ?? error);
    request.on('error', fail);
    request.on('response', (response) => deliver(response, controller, handler, fail));
    handler.onRequestStart?.(controller, {});
    request.end(options.body as string | Uint8Array | null ?? undefined);
    return true;
  }

  override close(): Promise<void> { return Promise.resolve(); }
  override destroy(): Promise<void> { return Promise.resolve(); }
}

const deliver = (
  response: IncomingMessage, controller: Dispatcher.DispatchController, handler: Handler, fail: (error: Error) => void,
) => {
  handler.onResponseStart?.(controller, response.statusCode!, response.headers, response.statusMessage);
  response.on('data', (chunk: Buffer) => handler.onResponseData?.(controller, chunk));
  response.on('end', () => handler.onResponseEnd?.(controller, {}));
  response.on('error', fail);
};

const controllerOf = (destroy: (reason: Error) => void): Dispatcher.DispatchController => {
  const state = { aborted: false, paused: false, reason: null as Error | null };
  return Object.defineProperties({ ...state, rawHeaders: null, rawTrailers: null, pause: () => {}, resume: () => {} }, {
    aborted: { get: () => state.aborted },
    reason: { get: () => state.reason },
    abort: {
      value: (reason: Error) => {
        state.aborted = true;
        state.reason = reason;
        destroy(reason);
      },
    },
  }) as Dispatcher.DispatchController;
};
