import { nothingStored, unknownRoute } from '../conventions.js';
import { chosen, documented, factsOf, observed } from './fact.js';

export const errorFacts = factsOf('errors', {
  'errors.parameter-body': observed('An error about parameters has the body `{"error": text}`.'),
  'errors.message-body': observed('All other errors have `{"message": text}`, or texts by field.'),
  'errors.unknown-route': observed(
    `An unknown path, and a known one with a method that it does not have, is ${unknownRoute.status} with `
    + `\`{"error": "${unknownRoute.body.error}"}\`.`,
  ),
  'errors.missing': observed('A missing required parameter is 400 with `body is missing`.'),
  'errors.invalid': observed('A value of another type is 400 with `page is invalid`.'),
  'errors.not-in-list': observed('A value that is not in the list is 400 with `… does not have a valid value`.'),
  'errors.joined': observed('All problems of the parameters are reported at once, joined by a comma and a space.'),
  'errors.noteable-name': observed(
    'Messages call the id of every issue, merge request, snippet, epic and commit `noteable_id`.',
  ),
  'errors.exclusive': observed(
    'Both of two exclusive parameters is 400 with `body, resolved are mutually exclusive`; neither is 400 with '
    + '`body, resolved are missing, exactly one parameter must be provided`.',
  ),
  'errors.hidden': observed('What the caller may not see is 404, as if it did not exist.'),
  'errors.project': observed(
    'An unknown or hidden project or group is 404 with `404 Project Not Found` or `404 Group Not Found`.',
  ),
  'errors.record': observed(
    'An unknown issue, merge request, snippet or note is 404 with `404 Not found`, in lower case.',
  ),
  'errors.commit': observed('An unknown commit is 404 with `404 Commit Not Found`.'),
  'errors.thread': observed(
    'An unknown thread is 404 with `404 Discussion Not Found`; for the list of its notes with `404 Notes Not '
    + 'Found`.',
  ),
  'errors.forbidden': observed('A missing right is 403 with `403 Forbidden`.'),
  'errors.model': observed(
    'A note that the service rejects is 400 with `400 Bad request - Note {:note=>["can\'t be blank"]}`.',
  ),
  'errors.order': observed(
    'Of several errors the first counts: 401, 400 for parameters, 404 for project or group, 404 for the object, '
    + '403, 400 for values.',
  ),
  'errors.appearance-order': observed('For the appearance, 403 comes before errors of parameters.'),
  'errors.epic-links-order': observed(
    'For epic links, 403 for the tier and the right comes before errors about the child.',
  ),
  'errors.private-group': documented('A GET on a private group of which the caller is no member is 404.'),
  'errors.feature': documented('Without multi-level epics, epic links are 403.'),
  'errors.server': observed('An error of the service is 500 with `500 Internal Server Error`.'),
  'errors.nothing-stored': chosen(
    `An error after which nothing is stored says \`${nothingStored}\`, so that the request can be repeated.`,
  ),
  'errors.text': chosen('A text with NUL or a lone surrogate is an invalid parameter.'),
});
