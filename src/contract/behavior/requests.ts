import { apiPrefix, groupInfix, removedApi, targetLimit } from '../conventions.js';
import { chosen, documented, factsOf, observed } from './fact.js';

export const requestFacts = factsOf('requests', {
  'requests.prefix': documented(`All paths are below \`${apiPrefix}\`.`),
  'requests.base-path': observed('The address of a service can have a path of its own before the prefix.'),
  'requests.container-id': documented('A project or group in a path is its number or its URL-encoded full path.'),
  'requests.project-path-has-slash': observed(
    'A project path without a slash is never found; a group path may have none.',
  ),
  'requests.decoded-slash': observed(
    'A proxy that decodes `%2F` makes paths of projects and groups unknown routes; the number still works.',
  ),
  'requests.trailing-slash': observed('A slash or `.json` at the end of a path changes nothing.'),
  'requests.head': observed('HEAD is answered as GET is, without a body.'),
  'requests.epic-infix': observed(`Paths of epics work with and without \`${groupInfix}\` after the group.`),
  'requests.point-in-number': observed(
    'A point in a number of a path is read as a format, so that the path is unknown.',
  ),
  'requests.parameter-places': observed(
    'Parameters come from the path, the query, and a body of JSON, a form or multipart; the path wins over the '
    + 'body, and the body over the query.',
  ),
  'requests.last-value': observed('Of several values with the same name in a query, the last one counts.'),
  'requests.get-body': observed('The body of a GET is ignored.'),
  'requests.content-types': observed(
    'A body of JSON needs `Content-Type: application/json`; an unknown type is 415 with `The provided content-type '
    + '\'…\' is not supported.`',
  ),
  'requests.json-array': observed('An empty body and an array of JSON count as no parameters.'),
  'requests.broken-json': observed('Broken JSON is 400 with the key `error`.'),
  'requests.accept': observed('`Accept` is ignored: responses are JSON.'),
  'requests.unknown-parameters': observed('Unknown parameters are ignored.'),
  'requests.plus': observed('`+` in a query is a space.'),
  'requests.nested': documented(
    'In a query or form a nested parameter is written `position[base_sha]`; in JSON it is an object.',
  ),
  'requests.media-type': observed('Responses have `Content-Type: application/json`.'),
  'requests.escaped-json': observed('JSON has `<`, `>` and `&` as `\\u003c`, `\\u003e` and `\\u0026`.'),
  'requests.times': documented('Times are ISO 8601 in UTC, with milliseconds.'),
  'requests.request-id': observed('Responses have `X-Request-Id`.'),
  'requests.other-headers': observed('Responses have headers about caching, framing and the correlation id.'),
  'requests.etag': observed('A GET whose `If-None-Match` is the ETag of the response is 304 without a body.'),
  'requests.redirect': observed(
    'A GET with the path of a moved project is 301 to the path with its number.', { from: '16.7' },
  ),
  'requests.redirected-writes': observed(
    'Redirects turn a POST or PUT into a GET, so a write must be sent to the address that is redirected to.',
  ),
  'requests.target-limit': chosen(
    `A request target of more than ${targetLimit} characters is 414, as with nginx, the usual proxy in front of `
    + 'the service.',
  ),
  'requests.removed-api': observed(
    `Paths below \`${removedApi.prefix}\` are ${removedApi.status} with \`${removedApi.body.error}\`.`,
  ),
  'requests.created': observed('Creating and assigning is 201; all other successful calls are 200.'),
  'requests.deleted': observed('Deleting a note is 204 without a body, and 404 the second time.'),
  'requests.no-idempotency': observed(
    'There are no idempotency keys: a POST that is sent again creates a second note.',
  ),
  'requests.companions': observed(
    'The service has more operations than the interface document; those that clients need to find ids and SHAs '
    + 'exist here too.',
  ),
});
