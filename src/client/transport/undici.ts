import type { Dispatcher } from 'undici';
import type { Abort, RawResponse, Send } from './connection.js';
import { createBodyBuffer, type BodyBuffer } from './response-body.js';

/**
 * Sends requests through an undici dispatcher and collects the response from the parser. undici's `request` creates a
 * stream for each body, which takes longer than all the rest of a call.
 */
export const undiciSend = (dispatcher: Dispatcher, origin: string): Send => ({ timeout, ...options }) => {
  let abort!: Abort;
  const response = new Promise<RawResponse>((resolve, reject) => {
    let active: Dispatcher.DispatchController | null = null;
    let aborted: Error | null = null;
    let head: Omit<RawResponse, 'body'> = { status: 0, headers: {} };
    let body: BodyBuffer;
    abort = (reason) => {
      aborted = reason;
      reject(reason);
      active?.abort(reason);
    };
    dispatcher.dispatch({ ...options, origin, headersTimeout: timeout, bodyTimeout: timeout }, {
      onRequestStart: (controller) => {
        active = controller;
        if (aborted) controller.abort(aborted);
      },
      onResponseStart: (_, status, headers) => {
        head = { status, headers };
        body = createBodyBuffer(headers['content-length']);
      },
      onResponseData: (_, chunk) => { body.add(chunk); },
      onResponseEnd: () => { resolve({ ...head, body: body.bytes() }); },
      onResponseError: (_, error) => {
        if (isUpgrade(error)) resolve({ status: 101, headers: {}, body: Buffer.alloc(0) });
        else reject(error);
      },
    });
  });
  return { response: response.then(afterNextTurn), abort };
};

/** For an unrequested 101 undici reports a broken connection, or without headers an assertion of its own. */
const isUpgrade = ({ message, code }: NodeJS.ErrnoException): boolean =>
  message === 'bad upgrade' || (code === 'ERR_ASSERTION' && message.includes('upgrade'));

/** A connection is free one turn of the event loop after its response. */
const afterNextTurn = (response: RawResponse): Promise<RawResponse> =>
  new Promise((resolve) => { setImmediate(resolve, response); });
