import type { Client } from '../../../client/methods.js';
import { ApiError, ConnectionError, ResponseError } from '../../../client/errors.js';
import type { CurrentUser } from '../../../contract/lookups/shapes.js';
import { isScopeError, isServiceError, isUnknownRoute } from '../../../wire/error-response.js';
import { Problem } from '../../command-line/failure.js';
import { asksForBearer } from '../../command-line/hints.js';

/** @param isExpected for errors of which it is clear what they mean; others are thrown */
export const nullIf = async <T>(
  response: Promise<T>, isExpected: (error: unknown) => boolean,
): Promise<T | null> => {
  try {
    return await response;
  } catch (error) {
    if (isExpected(error)) return null;
    throw error;
  }
};

export const nullIfUnsupported = <T>(response: Promise<T>): Promise<T | null> =>
  nullIf(response, (error) => error instanceof ApiError && isUnknownRoute(error.status, error.body));

export const nullIfMissing = <T>(response: Promise<T>): Promise<T | null> =>
  nullIf(response, (error) => error instanceof ApiError && error.status === 404);

/** For a lookup that only adds to a message: its failure must not hide what the command does. */
export const nullIfFailed = <T>(response: Promise<T>): Promise<T | null> => nullIf(response, isOfService);

export const notTheApi = (outcome: string): readonly [message: string, hint: string] =>
  [`this is not the API: ${outcome}`, 'check --url: it is the part of the address before /api/v4'];

/**
 * Null if the service refuses in its own words to say who owns the token. @throws Problem if something else than the
 * service responds
 */
export const verifiedUser = async (client: Client): Promise<CurrentUser | null> => {
  try {
    return await currentUser(client);
  } catch (error) {
    if (error instanceof ResponseError) throw new Problem('unavailable', ...notTheApi(error.message), { cause: error });
    if (!(error instanceof ApiError) || isTemporary(error)) throw error;
    if (error.status === 401 && asksForBearer(error.headers)) throw error;
    const isUnknown = isUnknownRoute(error.status, error.body);
    if (!isServiceError(error) || isUnknown && await isWrongPath(client)) {
      throw new Problem('unavailable', ...notTheApi(error.message), { cause: error });
    }
    if (isScopeError(error) || isUnknown) return null;
    throw error;
  }
};

export const currentUser = async ({ lookups }: Client): Promise<CurrentUser> => {
  const user = await lookups.user();
  if (isUser(user)) return user;
  throw new Problem('unavailable', ...notTheApi('GET /api/v4/user: the response is not a user'));
};

/** Below a wrong path the service itself says of all routes that they are unknown. */
const isWrongPath = async ({ lookups }: Client): Promise<boolean> =>
  await nullIfUnsupported(lookups.version()) === null;

export const isUser = ({ id, username }: { readonly id?: unknown; readonly username?: unknown }): boolean =>
  Number.isInteger(id) && typeof username === 'string';

const temporaryStatuses = new Set([407, 408, 425, 429]);

/** Whether the same request may succeed later. */
export const isTemporary = (error: unknown): boolean => error instanceof ApiError
  ? error.status >= 500 || temporaryStatuses.has(error.status)
  : error instanceof ConnectionError || error instanceof ResponseError;

/** Errors of other kinds concern the whole program. */
export const isOfService = (error: unknown): error is ApiError | ResponseError | ConnectionError =>
  [ApiError, ResponseError, ConnectionError].some((failure) => error instanceof failure);
