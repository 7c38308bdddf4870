import { versions } from '../conventions.js';
import { chosen, documented, factsOf, observed } from './fact.js';

const live = { dialects: ['live'], from: versions.suggestions } as const;

export const suggestionFacts = factsOf('suggestions', {
  'suggestions.apply': observed(
    'Suggestions that are applied are a commit on the source branch, which is a push of the caller; they are then '
    + 'applied and not appliable, and their thread stays as it is.', live,
  ),
  'suggestions.right': documented(
    'Developers of the project may apply suggestions; others get 403.', live,
  ),
  'suggestions.unknown': observed(
    'An unknown suggestion gets 404: `Suggestion is not applicable as the suggestion was not found.`; among several: '
    + '`Suggestions are not applicable as one or more suggestions were not found.`', live,
  ),
  'suggestions.hidden': chosen('A suggestion in a project that the caller cannot see is unknown.', live),
  'suggestions.refused': observed(
    'A suggestion that is not appliable gets 400 with the reason: the merge request was merged or is closed, the lines '
    + 'changed in a more recent version, or the suggestion already matches its content.', live,
  ),
  'suggestions.together': observed(
    'Suggestions that are applied together must be on the same branch, and their lines cannot overlap: else 400 and '
    + 'nothing is applied.', live,
  ),
  'suggestions.commit': observed(
    'The commit is of the author of the note, or of the caller for notes of several authors. Its default message is '
    + '`Apply 1 suggestion(s) to 1 file(s)`, with `Co-authored-by` for each author but the caller.', live,
  ),
  'suggestions.content': observed(
    '`from_content` has the lines as they were when the note was written; an edit of the note makes new suggestions.',
    live,
  ),
});
