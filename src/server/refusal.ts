import { goneApi, unknownRoute } from '../contract/conventions.js';
import type { RefusalBody } from '../wire/refusals.js';

/** The service says no: thrown anywhere below the service, turned into an answer in one place. */
export class Refusal extends Error {
  constructor(
    readonly status: number, readonly body: RefusalBody, readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(JSON.stringify(body));
  }
}

const withMessage = (status: number, message: string) => new Refusal(status, { message });

/** No credentials, or none that is known (wire-facts 1.3). */
export const unauthorized = () => withMessage(401, '401 Unauthorized');

/** A token that was good once (wire-facts 1.3, 1.3.2). */
export const invalidToken = (description: string) => new Refusal(401,
  { error: 'invalid_token', error_description: description },
  { 'www-authenticate': `Bearer realm="Protected by OAuth 2.0", error="invalid_token", `
    + `error_description="${description}"` });

/** A token whose scopes do not cover the call; `scope` lists those that would (wire-facts 1.4). */
export const insufficientScope = (scope: string) => new Refusal(403, {
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
export const routeNotFound = () => new Refusal(unknownRoute.status, unknownRoute.body);

/** Parameters that do not fit their declaration (wire-facts 1.6, 2.2). */
export const badParameters = (problems: readonly string[]) => new Refusal(400, { error: problems.join(', ') });

/** A request that is refused for a stated reason (wire-facts 1.6). */
export const badRequest = (reason: string) => withMessage(400, `400 Bad request - ${reason}`);

/** A path of the interface before this one (wire-facts 1.6). */
export const gone = () => new Refusal(goneApi.status, goneApi.body);

/** A request target over the limit (wire-facts 1.6). */
export const targetTooLong = () => withMessage(414, '414 URI Too Long');

type FieldTexts = Readonly<Record<string, readonly string[]>>;

/** A value that the model rejects, by field (wire-facts 1.6). */
export const invalidFields = (fields: FieldTexts) => new Refusal(400, { message: fields });

/** A note that the model rejects; the texts come printed the way Ruby prints a hash (wire-facts 4.5.3). */
export const invalidNote = (fields: FieldTexts, before = 'Note') => badRequest(`${before} ${inRuby(fields)}`);

const inRuby = (fields: FieldTexts): string => {
  const list = (texts: readonly string[]) => texts.map((text) => JSON.stringify(text)).join(', ');
  return `{${Object.entries(fields).map(([field, texts]) => `:${field}=>[${list(texts)}]`).join(', ')}}`;
};

/** Any other refusal with a sentence: conflicts of epic links, failed preconditions (wire-facts 6.3, 4.7.2). */
export const refusal = withMessage;
