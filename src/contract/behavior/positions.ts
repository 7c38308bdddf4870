import { chosen, documented, factsOf, observed } from './fact.js';

export const positionFacts = factsOf('positions', {
  'positions.required': documented('A position needs `base_sha`, `start_sha`, `head_sha` and `position_type`.'),
  'positions.types': documented('`position_type` is `text` or `image`.'),
  'positions.file-type': observed('It can be `file` too: a comment on a file.', { dialects: ['live'], from: '16.4' }),
  'positions.nulls': observed(
    'A returned position has all keys of its type; what is not set is null.', { dialects: ['live'] },
  ),
  'positions.no-nulls': documented('A returned position has only the keys that are set.', { dialects: ['document'] }),
  'positions.ranges-kept': observed(
    '`line_range` comes back as it was given, unknown keys included.', { dialects: ['live'] },
  ),
  'positions.ranges-on-merge-requests': documented(
    'Only merge requests show `line_range`.', { dialects: ['document'] },
  ),
  'positions.line-code': observed('A line code is the SHA-1 of the path, and both counters of lines, joined by `_`.'),
  'positions.which-lines': observed('An added line has `new_line`, a removed one `old_line`, an unchanged one both.'),
  'positions.both-paths': observed('A renamed file needs both paths.'),
  'positions.incomplete': observed('A position without a line, a size or a path is 400 with `is incomplete`.'),
  'positions.not-in-diff': observed(
    'A line outside the diff is 400 with `can\'t be blank` and `must be a valid line code`.',
  ),
  'positions.other-shas': observed('SHAs of other commits are the same 400, or 500.'),
  'positions.other-kinds': chosen('On issues, snippets and epics a position is ignored.'),
  'positions.refs': observed('The versions of a merge request, and its `diff_refs`, have the SHAs of a position.'),
  'positions.commits': observed(
    'A position on a commit has the SHA of its parent as base and start, and its own as head.',
  ),
  'positions.commit-id': documented(
    '`commit_id` starts a thread of a merge request on one of its commits.', { from: '13.7' },
  ),
  'positions.commit-id-alone': observed('Without a position it is ignored.'),
  'positions.merged-results': observed(
    'The commit of a merged-results pipeline is not in the diff of its merge request.',
  ),
});
