import { removedApi, nothingStored, unknownRoute } from '../../contract/conventions.js';
import { UnknownMediaType, UnreadableBody } from '../../wire/decode.js';
import type { ErrorBody } from '../../wire/error-body.js';
import { UnreadableParams } from '../../wire/forms.js';
import { isRead, type Handler, type HttpRequest, type HttpResponse } from '../../wire/http.js';
import { InvalidMultipart } from '../../wire/multipart.js';
import { StoreFault, StoreUnavailable } from '../store/errors.js';
import { json } from './json.js';

/** The service says no: thrown anywhere below the service, turned into an answer in one place. */
export class HttpError extends Error {
  constructor(
    readonly status: number, readonly body: ErrorBody, readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(JSON.stringify(body));
  }
}

const withMessage = (status: number, message: string) => new HttpError(status, { message });

/** No credentials, or none that is known (wire-facts 1.3). */
export const unauthorized = () => withMessage(401, '401 Unauthorized');

/** A token that was good once (wire-facts 1.3, 1.3.2). */
export const invalidToken = (description: string) => new HttpError(401,
  { error: 'invalid_token', error_description: description },
  { 'www-authenticate': `Bearer realm="Protected by OAuth 2.0", error="invalid_token", `
    + `error_description="${description}"` });

/** A token whose scopes do not cover the call; `scope` lists those that would (wire-facts 1.4). */
export const insufficientScope = (scope: string) => new HttpError(403, {
  error: 'insufficient_scope',
  error_description: 'The request requires higher privileges than provided by the access token.',
  scope,
});

/** A right or a feature is missing (wire-facts 1.4). */
export const forbidden = (reason?: string) => withMessage(403, reason ? `403 Forbidden - ${reason}` : '403 Forbidden');

/** A named thing is missing or hidden: `404 Project Not Found` (wire-facts 1.5). */
export const notFound = (thing: string) => withMessage(404, `404 ${thing} Not Found`);

/** A record is missing or hidden; the lower-case f is the service's own (wire-facts 1.5). */
export const recordNotFound = () => withMessage(404, '404 Not found');

/** A path or verb that the service does not serve (wire-facts 1.5). */
export const routeNotFound = () => new HttpError(unknownRoute.status, unknownRoute.body);

/** Parameters that do not fit their declaration (wire-facts 1.6, 2.2). */
export const badParameters = (problems: readonly string[]) => new HttpError(400, { error: problems.join(', ') });

/** A request that is refused for a stated reason (wire-facts 1.6). */
export const badRequest = (reason: string) => withMessage(400, `400 Bad request - ${reason}`);

/** A path of the interface before this one (wire-facts 1.6). */
export const gone = () => new HttpError(removedApi.status, removedApi.body);

/** A request target over the limit (wire-facts 1.6). */
export const targetTooLong = () => withMessage(414, '414 URI Too Long');

type FieldTexts = Readonly<Record<string, readonly string[]>>;

/** A value that the model rejects, by field (wire-facts 1.6). */
export const invalidFields = (fields: FieldTexts) => new HttpError(400, { message: fields });

/** A note that the model rejects; the texts come printed the way Ruby prints a hash (wire-facts 4.5.3). */
export const invalidNote = (fields: FieldTexts, before = 'Note') => badRequest(`${before} ${inRuby(fields)}`);

const inRuby = (fields: FieldTexts): string => {
  const list = (texts: readonly string[]) => texts.map((text) => JSON.stringify(text)).join(', ');
  return `{${Object.entries(fields).map(([field, texts]) => `:${field}=>[${list(texts)}]`).join(', ')}}`;
};

/** Any other refusal with a sentence: conflicts of epic links, failed preconditions (wire-facts 6.3, 4.7.2). */
export const httpError = withMessage;

const jsonType = { 'content-type': 'application/json' };

/** An answer with a JSON text. */
export const jsonResponse = (
  status: number, text: string, headers: Readonly<Record<string, string>> = {},
): HttpResponse =>
  ({ status, headers: { ...jsonType, ...headers }, body: text });

/** An answer without a body. */
export const emptyResponse = (status: number, headers: Readonly<Record<string, string>> = {}): HttpResponse =>
  ({ status, headers, body: '' });

/** Turns what a handler refuses into a response. Faults of the server stay errors. */
export const withErrors = <R extends HttpRequest>(handler: Handler<R>): Handler<R> => async (request) => {
  try {
    return await handler(request);
  } catch (error) {
    const response = errorResponse(error, !isRead(request));
    if (response === null) throw error;
    return response;
  }
};

/**
 * What a thrown refusal, or a request that can't be read, says to the caller; null for any other error.
 * @param changes whether the request asked for a change
 */
export const errorResponse = (error: unknown, changes: boolean): HttpResponse | null => {
  if (error instanceof HttpError) return jsonResponse(error.status, json(error.body), error.headers);
  if (error instanceof StoreUnavailable) return storeFailure(503, error.reason, changes, { 'retry-after': '1' });
  if (error instanceof UnknownMediaType) return jsonResponse(415, json({ error: error.message }));
  if (error instanceof UnreadableBody) return jsonResponse(400, json({ error: invalidJsonMessage(error.message) }));
  const isBroken = error instanceof UnreadableParams || error instanceof InvalidMultipart;
  return isBroken ? jsonResponse(400, json({ error: error.message })) : null;
};

/** The response to a request that failed because of the server itself. */
export const faultResponse = (error: unknown, changes: boolean): HttpResponse => error instanceof StoreFault
  ? storeFailure(error.status, error.reason, changes) : jsonResponse(500, json({ message: statuses[500] }));

const statuses = { 500: '500 Internal Server Error', 503: '503 Service Unavailable' };

/** The store kept nothing of the request, and the caller of a change learns that. */
const storeFailure = (
  status: 500 | 503, reason: string, changes: boolean, headers?: Readonly<Record<string, string>>,
): HttpResponse => {
  const what = changes ? `${reason}; ${nothingStored}` : reason;
  return jsonResponse(status, json({ message: `${statuses[status]} - ${what}` }), headers);
};

/** The service's own words for a body that is no JSON, as oddly laid out as it has them (wire-facts 2.1.3). */
const invalidJsonMessage = (problem: string): string =>
  `\nProblem:\n  ${problem}\nResolution:\n  when specifying application/json as content-type, `
  + "you must pass valid application/json in the request's 'body' ";
