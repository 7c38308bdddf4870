import type { HttpRequest, HttpResponse } from '../../wire/http.js';
import type { Handler } from './handler.js';
import { withHeaders } from './response-headers.js';

/** The header with the id of a request. */
export const requestIdHeader = 'x-request-id';

export interface RequestIdOptions {
  /** Random hexadecimal text of a length. */
  readonly hex: (length: number) => string;
  /** Makes a response of an error that the handler did not expect, and reports it with the id of the request. */
  readonly onFault: (error: unknown, id: string, request: HttpRequest) => Promise<HttpResponse>;
}

/** Gives each request an id, which its response and reports of faults carry. The handler made here never throws. */
export const withRequestId = (handler: Handler, { hex, onFault }: RequestIdOptions): Handler => async (request) => {
  const id = hex(32);
  const response = await handler(request).catch((error: unknown) => onFault(error, id, request));
  return withHeaders(response, {
    [requestIdHeader]: id, 'x-gitlab-meta': `{"correlation_id":"${id}","version":"1"}`,
  });
};
