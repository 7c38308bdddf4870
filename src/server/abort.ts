import { setMaxListeners } from 'node:events';

/** An AbortController for any number of listeners: by default, Node prints a warning when there are more than ten. */
export const createAbortController = (): AbortController => {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
};
