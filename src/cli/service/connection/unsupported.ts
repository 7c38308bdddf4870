import { ApiError, ConnectionError, ResponseError } from '../../../client/errors.js';
import { isUnknownRoute } from '../../../wire/error-body.js';

/** Null if the service does not have the route. */
export const nullIfUnsupported = async <T>(response: Promise<T>): Promise<T | null> => {
  try {
    return await response;
  } catch (error) {
    if (error instanceof ApiError && isUnknownRoute(error.status, error.body)) return null;
    throw error;
  }
};

/** For a lookup that only adds to a message: its failure must not hide what the command does. */
export const nullIfFailed = async <T>(response: Promise<T>): Promise<T | null> => {
  try {
    return await response;
  } catch (error) {
    if (isOfService(error)) return null;
    throw error;
  }
};

/** Errors of other kinds concern the whole program. */
export const isOfService = (error: unknown): error is ApiError | ResponseError | ConnectionError =>
  [ApiError, ResponseError, ConnectionError].some((failure) => error instanceof failure);
