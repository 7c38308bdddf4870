import type { Dispatcher } from 'undici';
import type { Arrived, End, Send } from './sending.js';

/**
 * Sends through an undici dispatcher and gathers the answer as the parser hands it on. undici's `request` makes a
 * stream of each body, and that takes longer than all the rest of a call.
 */
export const byUndici = (dispatcher: Dispatcher, origin: string): Send => ({ timeout, ...asked }) => {
  let end!: End;
  const arrived = new Promise<Arrived>((resolve, reject) => {
    let started: Dispatcher.DispatchController | null = null;
    let ended: Error | null = null;
    let head: Omit<Arrived, 'pieces'> = { status: 0, headers: {} };
    const pieces: Uint8Array[] = [];
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
      onResponseStart: (_, status, headers) => { head = { status, headers }; },
      onResponseData: (_, piece) => { pieces.push(piece); },
      onResponseEnd: () => { resolve({ ...head, pieces }); },
      onResponseError: (_, error) => { reject(error); },
    });
  });
  return { arrived, end };
};
