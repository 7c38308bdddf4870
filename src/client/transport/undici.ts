import type { Dispatcher } from 'undici';
import type { Arrived, End, Send } from './connection.js';
import { gathered, type Gathered } from './response-body.js';

/**
 * Sends through an undici dispatcher and gathers the answer as the parser hands it on. undici's `request` makes a
 * stream of each body, and that takes longer than all the rest of a call.
 */
export const byUndici = (dispatcher: Dispatcher, origin: string): Send => ({ timeout, ...asked }) => {
  let end!: End;
  const arrived = new Promise<Arrived>((resolve, reject) => {
    let started: Dispatcher.DispatchController | null = null;
    let ended: Error | null = null;
    let head: Omit<Arrived, 'body'> = { status: 0, headers: {} };
    let body: Gathered;
    end = (reason) => {
      ended = reason;
      reject(reason);
      started?.abort(reason);
    };
    dispatcher.dispatch({ ...asked, origin, headersTimeout: timeout, bodyTimeout: timeout }, {
      onRequestStart: (controller) => {
        started = controller;
        if (ended) controller.abort(ended);
      },
      onResponseStart: (_, status, headers) => {
        head = { status, headers };
        body = gathered(headers['content-length']);
      },
      onResponseData: (_, piece) => { body.add(piece); },
      onResponseEnd: () => { resolve({ ...head, body: body.bytes() }); },
      onResponseError: (_, error) => {
        if (isUpgrade(error)) resolve({ status: 101, headers: {}, body: Buffer.alloc(0) });
        else reject(error);
      },
    });
  });
  return { arrived: arrived.then(oneTurnLater), end };
};

/** A 101 that nobody asked for: undici reports a broken connection, or without headers a fault of its own. */
const isUpgrade = ({ message, code }: NodeJS.ErrnoException): boolean =>
  message === 'bad upgrade' || (code === 'ERR_ASSERTION' && message.includes('upgrade'));

/** A connection is free again one turn after its answer. */
const oneTurnLater = (answer: Arrived): Promise<Arrived> =>
  new Promise((resolve) => { setImmediate(resolve, answer); });
