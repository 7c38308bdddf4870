import { oauthParameter, sudoName, tokenParameter } from '../../contract/conventions.js';
import type { Endpoint } from '../../contract/endpoint.js';
import type { Handler, Params } from '../../wire/http.js';
import { redactTarget } from '../../wire/secrets/redact.js';
import { visibleAscii, withHeaders } from '../http/middleware.js';
import type { TracedRequest } from '../http/request-log.js';
import { type HttpError, httpError } from '../http/response.js';

const unreadHeader = 'x-colloquy-unread';

/** `encoded` is in characters of a name after percent-encoding: the header takes at most 2 KiB of the client's 16. */
const limits = { names: 20, characters: 50, encoded: 100 };

const none: readonly string[] = [];

/** Every operation reads these. */
const readByAll: ReadonlySet<string> = new Set([tokenParameter, oauthParameter, sudoName]);

/**
 * The names of the parameters that an operation ignores, as on the service (behavior: requests.unknown-parameters), as
 * they are shown: the first 20, percent-encoded, shortened and without secrets. One that the document declares and the
 * service ignores counts as read (behavior: replies.note-id-ignored).
 * @param declared the endpoint in all editions
 * @param served the endpoint in the edition of the server
 */
export const unreadNames = (declared: Endpoint, served: Endpoint, given: Params): readonly string[] => {
  let found: string[] | null = null;
  for (const name in given) {
    if (Object.hasOwn(served.params, name) || readByAll.has(name) || isUnneeded(declared, name)) continue;
    found ??= [];
    if (found.push(shownName(name)) === limits.names) break;
  }
  return found ?? none;
};

const isUnneeded = ({ params }: Endpoint, name: string): boolean =>
  Object.hasOwn(params, name) && params[name]!.unneeded === true;

/** A comma would end the name within the header. */
const shownName = (name: string): string => {
  let shown = '';
  for (const character of redactTarget(name.slice(0, limits.characters))) {
    const encoded = character === ',' ? '%2C' : visibleAscii(character);
    if (shown.length + encoded.length > limits.encoded) break;
    shown += encoded;
  }
  return shown;
};

/** The service has no such rule, so the text says who rejects the request. */
export const unreadParameters = (names: readonly string[]): HttpError =>
  httpError(400, `400 Bad request - this test server does not read ${names.join(', ')}; the service may`);

/** Also on what a fault answers instead, so it is the outermost layer of the API. */
export const withUnreadHeader = <R extends TracedRequest>(handler: Handler<R>): Handler<R> => (request) =>
  handler(request).then((response) => {
    const { unread } = request.trace;
    return unread.length === 0 ? response : withHeaders(response, { [unreadHeader]: unread.join(',') });
  });
