import { apiPrefix } from '../../contract/conventions.js';
import type { Handler } from './handler.js';

/** Delays every request of the interface by so many milliseconds; others are served at once. */
export const withLatency = (handler: Handler, milliseconds: number): Handler => async (request) => {
  if (request.target.startsWith(`${apiPrefix}/`)) await passing(milliseconds);
  return handler(request);
};

const passing = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => { setTimeout(resolve, milliseconds); });
