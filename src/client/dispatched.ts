import type { Dispatcher } from 'undici';

/** The head of an answer, and its body in the pieces in which it came. */
export interface Arrived {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly pieces: readonly Uint8Array[];
}

/** A request on its way. */
export interface Dispatched {
  /** The whole answer; fails with what the dispatcher says, or with the reason that `end` was given. */
  readonly arrived: Promise<Arrived>;
  /** Ends it at once, wherever it stands; later than the answer it does nothing. */
  readonly end: (reason: unknown) => void;
}

/**
 * Sends a request and gathers the answer as the parser hands it on. undici's `request` makes a stream of each body, and
 * that takes longer than all the rest of a call.
 */
export const dispatched = (dispatcher: Dispatcher, request: Dispatcher.DispatchOptions): Dispatched => {
  let end!: Dispatched['end'];
  const arrived = new Promise<Arrived>((resolve, reject) => {
    let started: Dispatcher.DispatchController | null = null;
    let ended: Error | null = null;
    let head: Omit<Arrived, 'pieces'> = { status: 0, headers: {} };
    const pieces: Uint8Array[] = [];
    end = (reason) => {
      ended = reason as Error;
      reject(ended);
      started?.abort(ended);
    };
    dispatcher.dispatch(request, {
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
