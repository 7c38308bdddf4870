import { apiPrefix } from '../contract/conventions.js';
import type { HttpRequest, HttpResponse } from '../wire/http.js';
import type { Service } from './service.js';

/** Lets every request of the interface wait so many milliseconds before it is looked at; others go on at once. */
export const withLatency = ({ handle }: Service, milliseconds: number): Service => ({
  handle: async (request: HttpRequest): Promise<HttpResponse> => {
    if (request.target.startsWith(`${apiPrefix}/`)) await passing(milliseconds);
    return handle(request);
  },
});

const passing = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => { setTimeout(resolve, milliseconds); });
