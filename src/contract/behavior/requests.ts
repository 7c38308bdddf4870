import {
  accessLevels, apiPrefix, bodyLimit, documentedVersion, groupInfix, newestVersion, notesLimit, removedApi,
  targetLimit, versions,
} from '../conventions.js';
import { chosen, documented, factsAbout, inDocument, newer, observed, onLive } from './fact.js';

export const requestFacts = factsAbout('requests', {
  'requests.prefix': documented(`All paths of the API are below \`${apiPrefix}\`.`),
  'requests.base-path': observed('The address of a service can have a path before the prefix of the API.'),
  'requests.container-id': documented('A project or group in a path is its id or its URL-encoded full path.'),
  'requests.numeric-id': observed('A project or group in a path that consists of digits is an id, never a path.'),
  'requests.project-path-has-slash': observed(
    'A project is not found by a path without a slash; the path of a group can have none.'),
  'requests.path-case': observed('The path of a project or group is found whatever its case.'),
  'requests.decoded-slash': observed(
    'A proxy that decodes `%2F` makes paths of projects and groups unknown routes; their ids still work.'),
  'requests.trailing-slash': observed('A slash or `.json` at the end of a path is ignored.'),
  'requests.head': observed('The response to HEAD is the response to GET without its body.'),
  'requests.options': observed(
    'An `OPTIONS` request to a known path gets 204 with the methods of the path in `Allow`.'),
  'requests.epic-infix': observed(`Paths of epics work with and without \`${groupInfix}\` after the group.`),
  'requests.point-in-number': observed('A dot in a number of a path starts a format, so the path is an unknown route.'),
  'requests.parameter-places': observed(
    'Parameters come from the path, the query, and a body of JSON, a form or multipart; the path takes '
    + 'precedence over the body, and the body over the query.'),
  'requests.last-value': observed('If a query has several values with the same name, the last one counts.'),
  'requests.get-body': observed('The body of a GET is ignored.'),
  'requests.content-types': observed(
    'A body of JSON needs `Content-Type: application/json`; another type, or none, gets 415 with `The provided '
    + 'content-type \'…\' is not supported.`'),
  'requests.json-array': observed('An empty body or an array of JSON counts as no parameters.'),
  'requests.broken-json': observed('A body of invalid JSON gets 400 with a body whose only key is `error`.'),
  'requests.json-limits': chosen(
    'JSON with many levels or values, far more than any call needs, gets 400 as invalid JSON does.'),
  'requests.accept': observed('The header `Accept` is ignored: responses are JSON.'),
  'requests.unknown-parameters': observed('Unknown parameters are ignored.'),
  'requests.plus': observed('A `+` in a query is a space.'),
  'requests.nested': documented(
    'A nested parameter is written `position[base_sha]` in a query or form, and as an object in JSON.'),
  'requests.media-type': observed('Responses have the header `Content-Type: application/json`.'),
  'requests.escaped-json': observed(
    'JSON in responses contains `<`, `>` and `&` as `\\u003c`, `\\u003e` and `\\u0026`.'),
  'requests.times': documented('Times in responses are ISO 8601 in UTC, with milliseconds.'),
  'requests.request-id': observed('Responses have the header `X-Request-Id`.'),
  'requests.other-headers': observed(
    'Responses have the headers `Cache-Control`, `Vary`, `X-Content-Type-Options` and `X-Frame-Options`.'),
  'requests.meta-header': observed(
    'Responses have the header `X-Gitlab-Meta`: JSON with the id of the request as `correlation_id`, and `version`.',
    { ...onLive, from: versions.metaHeader }),
  'requests.etag': observed('A GET whose `If-None-Match` is the ETag of the response gets 304 without a body.'),
  'requests.redirect': observed(
    'A GET with the path of a moved project gets 301 to the path with its id.', { from: '16.7' }),
  'requests.moved-writes': observed(
    'Other methods than GET with the path of a moved project get 405.', { from: '16.7' }),
  'requests.moved-document': chosen(
    'Moved projects respond as those of newer services: a world has them only to try clients.', inDocument),
  'requests.redirected-writes': observed(
    'A redirect turns a POST or PUT into a GET, so clients have to send writes to the final address.'),
  'requests.target-limit': chosen(
    `A request target of more than ${targetLimit} characters gets 414, as with nginx, the usual proxy in front of `
    + 'the service.'),
  'requests.removed-api': observed(
    `A path below \`${removedApi.prefix}\` gets ${removedApi.status} with \`${removedApi.body.error}\`.`),
  'requests.created': observed(
    'A call that creates or assigns gets 201; a successful call that does neither, and deletes no note, gets 200.'),
  'requests.deleted': observed('The deletion of a note gets 204 without a body, and 404 the second time.'),
  'requests.no-idempotency': observed(
    'The service has no idempotency keys: a POST that is sent again creates a second note.'),
  'requests.versions': chosen(
    `This server behaves like version ${newestVersion}, unless \`--service-version\` or the world says otherwise. The `
    + `document format shows what version ${documentedVersion} has in its form, whatever the version.`),
  'requests.work-items': observed(
    'Projects, groups and namespaces have hidden routes for work items at `/-/work_items`, which are off by default.',
    { from: versions.workItemRoutes }),
  'requests.work-items-off': observed(
    'A route of work items gets 403 with `403 Forbidden - work_item_rest_api feature flag is disabled for this user` '
    + 'where the routes are off.', { from: versions.workItemRoutes, to: versions.workItemThreads }),
  'requests.work-items-hidden': observed(
    'A route of work items gets 404 with `404 Not Found` as `message` where the routes are off, before errors about '
    + 'its parameters.', { from: versions.workItemThreads }),
  'requests.work-items-notes': observed(
    'Notes of work items are off only for items that exist; others get 404 with `404 Work Item Not Found`.',
    { from: versions.workItemList }),
  'requests.work-items-list': chosen(
    'The list of work items, which is never off, gets 501 from this server.', { from: versions.workItemList }),
  'requests.companions': observed(
    'The service has more operations than the documentation of discussions, the appearance and epic links, among them '
    + 'those that clients need to find ids and SHAs.'),
});

export const limitFacts = factsAbout('limits', {
  'limits.body': observed(
    `A note has at most ${bodyLimit} characters; a longer one gets 400 with \`is too long (maximum is ${bodyLimit} `
    + 'characters)\`.'),
  'limits.notes': observed(
    `An object has at most ${notesLimit} notes, not counting system notes; the next one gets 400 with \`Maximum number `
    + 'of comments exceeded\`.'),
  'limits.rate-text': observed(
    'A request over the rate limit gets 429 with the plain text `Retry later`, which is not JSON.'),
  'limits.rate-headers': observed(
    'A response with 429 for too many requests has `RateLimit-*` headers, and `Retry-After` in seconds.'),
  'limits.rate-headers-always': observed(
    'Every response of a service with a rate limit has `RateLimit-*` headers.', newer),
  'limits.rate-headers-document': chosen(
    'Every response of a service with a rate limit has `RateLimit-*` headers, whatever its version.', inDocument),
  'limits.rate-per-minute': observed('`RateLimit-Limit` is the number of requests per minute.'),
  'limits.rate-reset': observed(
    '`RateLimit-Reset` is a time in seconds since 1970, and `RateLimit-ResetTime` the same time as an HTTP date.'),
  'limits.rate-shared': chosen('All calls without a known token share one rate limit.'),
  'limits.application': observed(
    'A request over the limit of a single operation gets 429 with JSON, in older versions without `Retry-After`.'),
  'limits.application-wait': observed('A request over the limit of a single operation gets `Retry-After: 60`.', newer),
  'limits.notes-create': observed(
    'New comments, created with `POST` on `/notes` of an object, are limited for each user and minute: by default to '
    + '300, and not for users whom an administrator names. Threads and replies do not count.'),
  'limits.notes-create-order': observed(
    'A request counts for the limit of new comments after its parameters were checked, and before its object is looked '
    + 'for.'),
  'limits.notes-create-off': chosen('This server limits new comments only where the settings of its world say so.'),
  'limits.rate-default': chosen('Requests have no rate limit by default.'),
});

export const accessFacts = factsAbout('access', {
  'access.levels': observed(
    `The access levels of members are ${Object.entries(accessLevels)
      .map(([name, level]) => `${name} (${level})`).join(', ')}.`),
  'access.inherited': observed(
    'A member of a group is a member of its subgroups and of their projects, with the highest level of all.'),
  'access.administrators': observed('Administrators have the rights of owners everywhere.'),
  'access.private': observed(
    'A private project or group is visible only to its members, an internal or public one to every user.'),
  'access.users': chosen('Every user can list the users; a user name as a filter is compared without case.'),
  'access.comment': observed('Everybody who can read an object can comment on it.'),
  'access.locked': observed('Only members can add, change and delete notes on a locked object.'),
  'access.archived': observed('Nobody can add, change, resolve or delete notes in an archived project.'),
  'access.confidential': observed(
    'A confidential issue is visible only to its author and assignees, and to reporters and above.'),
  'access.confidential-epics': observed('A confidential epic is visible only to reporters and above.'),
  'access.references': observed(
    'A system note that mentions an issue, merge request or epic which the reader may not see is left out of lists, '
    + 'and gets 404 by itself.', onLive),
  'access.internal-notes': observed(
    'Only reporters and above see internal notes: the lists of others leave them out, and by themselves they get 404.'),
});
