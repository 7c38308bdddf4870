import { nothingStored, unknownRoute } from '../conventions.js';
import { chosen, documented, factsOf, observed } from './fact.js';

export const errorFacts = factsOf('errors', {
  'errors.parameter-body': observed('The body of an error about parameters is `{"error": text}`.'),
  'errors.message-body': observed(
    'The body of an error that is not about parameters is `{"message": text}`, or has messages by field.',
  ),
  'errors.unknown-route': observed(
    `An unknown path, or a known one with a method that it does not have, gets ${unknownRoute.status} with `
    + `\`{"error": "${unknownRoute.body.error}"}\`.`,
  ),
  'errors.missing': observed('A request without a required parameter gets 400, for example with `body is missing`.'),
  'errors.nested': observed(
    'A missing field of a nested parameter gets 400, for example with `position[start_sha] is missing`.',
  ),
  'errors.invalid': observed('A parameter of another type gets 400, for example with `page is invalid`.'),
  'errors.not-in-list': observed(
    'A parameter whose value is not one of a list gets 400 with `… does not have a valid value`.',
  ),
  'errors.blank': observed(
    'A change of a note to a blank text gets 400 with `body is empty` at `/notes/:note_id` of its object.',
  ),
  'errors.joined': observed(
    'An error about parameters reports all problems at once, in the order of the parameters, joined by `, `.',
  ),
  'errors.noteable-name': observed(
    'Messages call the id of every issue, merge request, snippet, epic and commit `noteable_id`.',
  ),
  'errors.exclusive': observed(
    'A request with both of two exclusive parameters gets 400 with `body, resolved are mutually exclusive`, and '
    + 'one with neither gets 400 with `body, resolved are missing, exactly one parameter must be provided`.',
  ),
  'errors.hidden': observed('An object that the caller may not see gets 404, as if it did not exist.'),
  'errors.project': observed(
    'An unknown or hidden project gets 404 with `404 Project Not Found`, and such a group `404 Group Not Found`.',
  ),
  'errors.record': observed(
    'An unknown issue, merge request, snippet or note gets 404 with `404 Not found`, with a lower-case `f`.',
  ),
  'errors.commit': observed('An unknown commit gets 404 with `404 Commit Not Found`.'),
  'errors.thread': observed(
    'An unknown thread gets 404 with `404 Discussion Not Found`, and the list of its notes with `404 Notes Not Found`.',
  ),
  'errors.note-of-thread': chosen('A `GET` of a note that is in another thread gets 404 with `404 Note Not Found`.'),
  'errors.forbidden': observed('A call without the needed right gets 403 with `403 Forbidden`.'),
  'errors.model': observed(
    'A note that the service rejects gets 400, for example with `400 Bad request - Note {:note=>["can\'t be blank"]}`.',
  ),
  'errors.field-texts': observed(
    'Rejected values of the appearance or an epic get 400 with messages by field, for example `{"message": {"title": '
    + '["can\'t be blank"]}}`.',
  ),
  'errors.order': observed(
    'If a call on a thread has several errors, the first of these counts: 401, 400 for parameters, 404 for the project '
    + 'or group, 404 for the object, 404 for the thread, 403, 400 for values.',
  ),
  'errors.appearance-order': observed('For the appearance, 403 comes before errors about parameters.'),
  'errors.epic-links-order': observed(
    'For epic links, 403 for the tier and the right comes before errors about the child.',
  ),
  'errors.private-group': documented('A GET on a private group of which the caller is not a member gets 404.'),
  'errors.feature': documented('Epic links get 403 if the service has no multi-level epics.'),
  'errors.server': observed('A failure of the service gets 500 with `500 Internal Server Error`.'),
  'errors.too-large': observed('A body that is too large gets 413 with `413 Request Entity Too Large`.'),
  'errors.unavailable': observed('A call gets 503 with `503 Service Unavailable` while the service is overloaded.'),
  'errors.nothing-stored': chosen(
    `The message of an error after which nothing is stored contains \`${nothingStored}\`, so that clients can `
    + 'repeat the request.',
  ),
  'errors.text': chosen('A text with NUL or a lone surrogate is an invalid parameter.'),
});
