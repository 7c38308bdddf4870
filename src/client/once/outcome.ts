import { saysNothingStored } from '../../wire/error-body.js';
import { ApiError, ConnectionError, NoResultError, ResponseError } from '../errors.js';

/** The error of a request that the service may have carried out. */
export type UnknownOutcome = ApiError | ConnectionError | ResponseError;

/** Whether the service may have carried out a request that failed with this error (wire-facts 4.5.15). */
export const isOutcomeUnknown = (error: unknown): error is UnknownOutcome => {
  if (error instanceof ConnectionError) return error.sent;
  if (error instanceof ApiError) return error.status >= 500 && !saysNothingStored(error.body);
  if (!(error instanceof ResponseError) || error instanceof NoResultError) return false;
  return error.status >= 200 && error.status < 300;
};

/** Whether the service may still be working on the request. */
export const isSlow = (error: UnknownOutcome): boolean => error instanceof ConnectionError
  ? /TIMEOUT|TIMEDOUT/.test(error.code) : error.status === 502 || error.status === 504;
