import { bodyLimit, versions } from '../conventions.js';
import { chosen, factsOf, observed } from './fact.js';

const readable = { dialects: ['live'], from: versions.draftNotes } as const;
const changeable = { dialects: ['live'], from: versions.draftNoteChanges } as const;

export const draftFacts = factsOf('drafts', {
  'drafts.read': observed(
    'Users list their draft notes on a merge request at `/draft_notes`, and get one by its id.', readable,
  ),
  'drafts.write': observed(
    'Draft notes are created, changed, deleted and published below `/draft_notes` of a merge request.', changeable,
  ),
  'drafts.unpaged': observed('The draft notes of a merge request are one list without pages.', readable),
  'drafts.own': observed(
    'Draft notes of others are not in the list of draft notes, and get 404 with `404 Not found`.', changeable,
  ),
  'drafts.hidden': observed(
    'Draft notes are not in the lists of discussions and notes, not even for their author.', changeable,
  ),
  'drafts.keys': observed(
    'A draft note has `id`, `author_id`, `merge_request_id`, `resolve_discussion`, `discussion_id`, `note`, '
    + '`commit_id`, `line_code` and `position`.', changeable,
  ),
  'drafts.new-thread': observed('`discussion_id` of a draft note is null unless it is a reply.', changeable),
  'drafts.no-position': observed(
    'A draft note without a position has a `position` whose keys are null, except `position_type`, which is `text`.',
    changeable,
  ),
  'drafts.line-code': observed(
    'The position of a new draft note need not be on the diff; `line_code` is null if it is not on a line of the diff.',
    changeable,
  ),
  'drafts.incomplete': chosen(
    'An incomplete position of a draft note gets 400 with `is incomplete` for `position`.', changeable,
  ),
  'drafts.commit-id': observed(
    '`commit_id` of a draft note without a position on that commit gets 400 with `does not match the diff refs`.',
    changeable,
  ),
  'drafts.text': chosen(
    `A blank draft note gets 400 with \`can't be blank\`, one of more than ${bodyLimit} characters with `
    + '`is too long`.',
    changeable,
  ),
  'drafts.reply-unknown': observed(
    'A draft note in reply to an unknown thread gets 400 with `Thread to reply to cannot be found`.', changeable,
  ),
  'drafts.reply-system': observed(
    'A draft note in reply to a system note gets 400 with `Replies to system notes are not allowed`.', changeable,
  ),
  'drafts.one-reply': observed(
    'A second draft note of the same author in the same thread gets 400 with `has already been taken` for `author_id`.',
    changeable,
  ),
  'drafts.resolve-right': observed(
    '`resolve_discussion` of a new draft note gets 400 with `User is not allowed to resolve thread` if it is not a '
    + 'reply, or the caller may not resolve the thread.', changeable,
  ),
  'drafts.edit-missing': observed(
    'A change of a draft note without `note` gets 400 with `Missing params to modify`, with a blank one '
    + '`note is empty`.',
    changeable,
  ),
  'drafts.edit-position': observed(
    'A change of a draft note without `position` removes its position.', changeable,
  ),
  'drafts.publish': observed(
    'A published draft note becomes a diff note if it has a position, a note of its thread if it is a reply, else a '
    + 'thread.', changeable,
  ),
  'drafts.publish-all': observed(
    '`POST` on `bulk_publish` publishes all draft notes of the caller on the merge request, and gets 204 if there are '
    + 'none.', changeable,
  ),
  'drafts.publish-resolves': observed(
    'A published reply resolves its thread if the draft note has `resolve_discussion`, else it unresolves the thread.',
    changeable,
  ),
  'drafts.publish-actions': observed('Quick actions in a draft note run when it is published.', changeable),
  'drafts.publish-failed': observed('A draft note that cannot be published gets 500 without a body.', changeable),
  'drafts.publish-together': chosen(
    'If one of several draft notes cannot be published, none is: they are published in one transaction.', changeable,
  ),
});
