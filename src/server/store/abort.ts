import { setMaxListeners } from 'node:events';

/** The caller of a request has aborted it. Nothing was stored. */
export class RequestAborted extends Error { override readonly name = 'RequestAborted'; }

export const throwIfAborted = (signal: AbortSignal | undefined): void => {
  if (signal?.aborted) throw new RequestAborted();
};

/** By default, Node prints a warning for more than ten listeners. */
export const createAbortController = (): AbortController => {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
};
