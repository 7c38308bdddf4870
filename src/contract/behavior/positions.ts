import { versions } from '../conventions.js';
import { chosen, documented, factsAbout, inDocument, observed, onLive } from './fact.js';

export const positionFacts = factsAbout('positions', {
  'positions.optional': documented('A thread on a merge request or commit needs no position.'),
  'positions.required': documented('A position needs `base_sha`, `start_sha`, `head_sha` and `position_type`.'),
  'positions.types': documented('`position_type` is `text` or `image`.'),
  'positions.file-type': observed(
    '`position_type` can also be `file`, for a comment on a whole file.', { from: versions.filePositions }),
  'positions.nulls': observed('A returned position has all keys of its type; keys that are not set are null.', onLive),
  'positions.no-nulls': documented('A returned position has only the keys that are set.', inDocument),
  'positions.ranges-kept': observed('`line_range` is returned as it was sent, unknown keys included.', onLive),
  'positions.ranges-on-merge-requests': documented('Only notes of merge requests have `line_range`.', inDocument),
  'positions.range-ends': documented(
    '`line_range` has `start` and `end`, each with `line_code` and `type`.', inDocument),
  'positions.range-parts-optional': observed(
    '`line_code` and `type` of `start` and `end` of a `line_range` can be left out.'),
  'positions.line-code': observed(
    'A line code is the SHA-1 of the path, the old and the new line number, joined by `_`.'),
  'positions.which-lines': observed(
    'A position on an added line has `new_line`, on a removed line `old_line`, and on an unchanged line both.'),
  'positions.both-paths': observed('A position in a renamed file needs both paths.'),
  'positions.incomplete': observed(
    'A position of type `text` without a line, of type `image` without its size and place, or without a path gets 400 '
    + 'with `is incomplete`.'),
  'positions.empty': observed('An empty JSON object as position gets 400 with `is incomplete`.'),
  'positions.missing-path': chosen(
    'A path that a position leaves out is that of the file in the diff, or the same as the other path.'),
  'positions.not-in-diff': observed(
    'A position on a line outside the diff gets 400 with `can\'t be blank` and `must be a valid line code`.'),
  'positions.unfolded': observed(
    'A position on an unchanged line outside the hunks is accepted with the old and the new number of the line.',
    onLive),
  'positions.unfolded-end': chosen(
    'A position on a line after the end of the file gets 400 as one outside the diff, if a world has the file.',
    onLive),
  'positions.unknown-diff': chosen(
    'Every line is accepted in a position on an object whose diff this server does not know.'),
  'positions.other-shas': observed(
    'A position with the SHAs of other commits gets 400 with `must be a valid line code`, or 500.'),
  'positions.one-base': observed(
    'A position with the head of a merge request, and its base or its start as both `base_sha` and `start_sha`, is '
    + 'accepted, and returned with the SHAs of the merge request.'),
  'positions.other-kinds': chosen('A position is ignored on issues, snippets and epics.'),
  'positions.refs': observed('The versions of a merge request, and its `diff_refs`, have the SHAs of a position.'),
  'positions.commits': observed(
    'A position on a commit has the SHA of its parent as base and start, and its own SHA as head.'),
  'positions.commit-id': documented(
    '`commit_id` starts a thread of a merge request on one of its commits.', { from: versions.commitThreads }),
  'positions.commit-of-merge-request': observed(
    'A position in a thread with `commit_id` on a merge request can have the SHA of that commit as head, and of its '
    + 'parent as base and start; the commit has to belong to the merge request.', { from: versions.commitThreads }),
  'positions.commit-id-alone': observed('`commit_id` is ignored in a thread without a position.'),
  'positions.merged-results': observed(
    'The commit of a merged-results pipeline is not in the diff of its merge request.'),
});
