import { chosen, documented, factsOf, observed } from './fact.js';

export const noteFacts = factsOf('notes', {
  'notes.keys': documented('A note has the keys of the interface document.', { dialects: ['document'] }),
  'notes.more-keys': observed(
    'A note also has `project_id`, `confidential`, `internal`, `imported`, `imported_from` and `commands_changes`.',
    { dialects: ['live'] },
  ),
  'notes.unknown-keys': observed('Newer versions add keys, so clients ignore what they do not know.'),
  'notes.type': documented(
    '`type` is `DiscussionNote` in a thread, `DiffNote` on a line of a diff, and null for a single comment.',
  ),
  'notes.attachment': observed('`attachment` is the name of a file, or null.'),
  'notes.author': documented('`author` has `id`, `name`, `username`, `state`, `avatar_url` and `web_url`.'),
  'notes.author-locked': observed(
    '`author` also has `locked`, and the user name before the name.', { dialects: ['live'] },
  ),
  'notes.noteable-type': documented(
    '`noteable_type` is `Issue`, `Snippet`, `Epic`, `Merge request` or `Commit`.', { dialects: ['document'] },
  ),
  'notes.noteable-type-one-word': observed(
    '`noteable_type` of a merge request is `MergeRequest`.', { dialects: ['live'] },
  ),
  'notes.noteable-id': documented('`noteable_id` is the global id of the object.'),
  'notes.noteable-id-commit': observed('`noteable_id` of a note on a commit is null.', { dialects: ['live'] }),
  'notes.noteable-iid-null': documented('`noteable_iid` is null.', { dialects: ['document'] }),
  'notes.noteable-iid': observed(
    '`noteable_iid` is the number of an issue or merge request in its project, and null for others.',
    { dialects: ['live'] },
  ),
  'notes.resolvable': observed('`resolvable` is on every note of every kind.'),
  'notes.commit-id-head': documented(
    '`commit_id` of a diff note of a merge request is the head of its position.', { dialects: ['document'] },
  ),
  'notes.commit-id': observed(
    '`commit_id` of a diff note of a merge request is null unless the thread was started on a commit.',
    { dialects: ['live'] },
  ),
  'notes.position-on-diff-notes': documented('Only diff notes have `position`.'),
  'notes.no-marker-key': observed('The text of a note comes back as it is stored, HTML comments included.'),
  'notes.blank': observed('A blank text is 400 with `can\'t be blank`.'),
  'notes.trimmed': observed(
    'Carriage returns and white space at the end are removed from the text, except on snippets.',
  ),
  'notes.created-at': documented('Administrators and owners can set `created_at`.'),
  'notes.created-at-ignored': observed('For everybody else it is ignored.'),
  'notes.created-at-updated': observed('`updated_at` takes the same time.'),
  'notes.created-at-old': observed(
    'A time before 1970 is 400 with `The created date provided is too far in the past.`',
  ),
  'notes.created-at-future': observed('A time in the future is accepted.'),
  'notes.created-at-invalid': chosen('A `created_at` that is not a time is ignored.'),
  'notes.quick-actions': observed(
    'Lines that begin with a quick action are run, and removed from the text.', { dialects: ['live'] },
  ),
  'notes.quick-actions-off': chosen('Quick actions are text.', { dialects: ['document'] }),
  'notes.quick-actions-code': observed('Quick actions in code, quotes and blocks of HTML are text.'),
  'notes.quick-actions-alone': observed(
    'A text of quick actions alone is 202 with `commands_changes` and `summary`, and creates no note.',
    { dialects: ['live'] },
  ),
  'notes.quick-actions-summary': chosen(
    'This server runs no quick action: the object does not change.', { dialects: ['live'] },
  ),
  'notes.quick-actions-snippets': observed('Snippets have no quick actions.'),
  'notes.edit-exclusive': documented('On merge requests, editing needs exactly one of `body` and `resolved`.'),
  'notes.edit-all-kinds': observed('The same holds for every kind.'),
  'notes.edit-blank': observed('Editing to a blank text is 400 with `Failed to save note` in older versions.'),
  'notes.edit-null': observed('A text of null changes nothing and is 200.'),
  'notes.edit-time': observed('Editing changes `updated_at`.'),
  'notes.edit-actions': observed('Editing to quick actions alone deletes the note.', { dialects: ['live'] }),
  'notes.thread-unchecked': observed(
    'The thread in the path of an edit or a deletion is not checked: the note is found by its own id.',
  ),
  'notes.who-edits': observed('Authors edit and delete their notes, maintainers all but system notes.'),
  'notes.unmodified-since': observed(
    '`If-Unmodified-Since` before the last change of the note makes its deletion 412.',
  ),
});
