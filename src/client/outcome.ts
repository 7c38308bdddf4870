import { saysNothingStored } from '../wire/error-body.js';
import { textOf, type HttpResponse } from '../wire/http.js';
import { ApiError, ConnectionError, NoResultError, ResponseError } from './errors.js';

export type UnknownOutcome = ApiError | ConnectionError | ResponseError;

/** behavior: requests.no-idempotency */
export const isOutcomeUnknown = (error: unknown): error is UnknownOutcome => {
  if (error instanceof ConnectionError) return error.sent;
  if (error instanceof ApiError) return mayBeStored(error.status, error.body);
  if (!isDamaged(error)) return false;
  return error.status >= 200 && error.status < 300;
};

export const isUnknownResponse = ({ status, body }: HttpResponse): boolean =>
  status >= 500 && mayBeStored(status, textOf(body));

const mayBeStored = (status: number, body: unknown): boolean => status >= 500 && !saysNothingStored(body);

/** The service has certainly not carried out the request. */
export const isRejected = (error: unknown): boolean =>
  (error instanceof ApiError || error instanceof ConnectionError) && !isOutcomeUnknown(error);

/** The service may still be working on the request. */
export const isSlow = (error: UnknownOutcome): boolean => error instanceof ConnectionError
  ? /TIMEOUT|TIMEDOUT/.test(error.code) : error.status === 502 || error.status === 504;

/** A change without a result has succeeded. */
export const isDamaged = (error: unknown): error is ResponseError =>
  error instanceof ResponseError && !(error instanceof NoResultError);

/** Whether an error means that the object does not exist. */
export const isMissing = (error: unknown): boolean =>
  error instanceof NoResultError || (error instanceof ApiError && error.status === 404);
