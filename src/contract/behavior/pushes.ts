import { chosen, documented, factsOf, observed } from './fact.js';

export const pushFacts = factsOf('pushes', {
  'pushes.versions': documented(
    'Each push to a merge request adds a version with the SHAs of its base, start and head; the newest comes first.',
  ),
  'pushes.version-ids': chosen('The first version of a merge request has the id of the merge request.'),
  'pushes.added-line': observed(
    'After a push, a comment on an added line is on that line if it is still added, or unchanged and in the diff; else '
    + 'the comment is outdated.',
  ),
  'pushes.removed-line': observed(
    'After a push, a comment on a removed line is on that line if it is still removed; else the comment is outdated.',
  ),
  'pushes.unchanged-line': observed(
    'After a push, a comment on an unchanged line is on that line if it is in the diff, as unchanged or as added; else '
    + 'the comment is outdated.',
  ),
  'pushes.whole-file': chosen(
    'After a push, a comment on an image or a whole file is outdated unless both diffs change that file in the same '
    + 'way.',
  ),
  'pushes.moved': observed(
    'A push gives all notes of a thread that is not outdated the new SHAs, paths and lines, and keeps `line_range` and '
    + '`updated_at`.',
  ),
  'pushes.outdated': observed(
    'The position of an outdated thread keeps its SHAs: its `head_sha` is not the head of the newest version.',
  ),
  'pushes.thread-note': observed(
    'An outdated thread gets a system note: `changed this line in` and a link to the version.',
  ),
  'pushes.commits-note': observed(
    'A merge request gets a system note for each push: `added 1 commit`, a list of commits, and a link to compare '
    + 'versions.',
  ),
  'pushes.former-version': chosen(
    'A new comment on a line of an older version is accepted, and treated as if the push came after it.',
  ),
  'pushes.unknown': chosen(
    'A comment is outdated on this server if nobody knows where its line is, as after a change of the base without the '
    + 'content of the files.',
  ),
});
