import { bodyLimit, suggestionReach, titleLimit, versions } from '../conventions.js';
import { chosen, documented, factsAbout, observed } from './fact.js';

export const pushFacts = factsAbout('pushes', {
  'pushes.versions': documented(
    'Each push to a merge request adds a version with the SHAs of its base, start and head; the newest comes first.'),
  'pushes.version-ids': chosen('The first version of a merge request has the id of the merge request.'),
  'pushes.added-line': observed(
    'After a push, a comment on an added line is on that line if it is still added, or unchanged and in the diff; else '
    + 'the comment is outdated.'),
  'pushes.removed-line': observed(
    'After a push, a comment on a removed line is on that line if it is still removed; else the comment is outdated.'),
  'pushes.unchanged-line': observed(
    'After a push, a comment on an unchanged line is on that line if it is in the diff, as unchanged or as added; else '
    + 'the comment is outdated.'),
  'pushes.whole-file': chosen(
    'After a push, a comment on an image or a whole file is outdated unless both diffs change that file in the same '
    + 'way.'),
  'pushes.moved': observed(
    'A push gives all notes of a thread that is not outdated the new SHAs, paths and lines, and keeps `line_range` and '
    + '`updated_at`.'),
  'pushes.outdated': observed(
    'The position of an outdated thread keeps its SHAs: its `head_sha` is not the head of the newest version.'),
  'pushes.thread-note': observed(
    'An outdated thread gets a system note: `changed this line in` and a link to the version.'),
  'pushes.commits-note': observed(
    'A merge request gets a system note for each push: `added 1 commit`, a list of commits, and a link to compare '
    + 'versions.'),
  'pushes.forced': chosen(
    'A forced push replaces the commits of the merge request; those of before can still be read by their SHAs.'),
  'pushes.former-version': chosen(
    'A new comment on a line of an older version is accepted, and treated as if the push came after it.'),
  'pushes.unknown': chosen(
    'A comment is outdated on this server if nobody knows where its line is, as after a change of the base without the '
    + 'content of the files.'),
});

const since = { from: versions.suggestions } as const;

export const suggestionFacts = factsAbout('suggestions', {
  'suggestions.apply': observed(
    'Suggestions that are applied are a commit on the source branch, which is a push of the caller; they are then '
    + 'applied and not appliable, and their thread stays as it is.', since),
  'suggestions.response': observed(
    'The response to applying a suggestion shows it as it was before, appliable and not applied: only the note, read '
    + 'again, shows that it was applied.', since),
  'suggestions.right': documented('Developers of the project may apply suggestions; others get 403.', since),
  'suggestions.unknown': observed(
    'An unknown suggestion gets 404: `Suggestion is not applicable as the suggestion was not found.`; among several: '
    + '`Suggestions are not applicable as one or more suggestions were not found.`', since),
  'suggestions.repeated': observed('A suggestion that is named twice among several is unknown.', since),
  'suggestions.ids-missing': observed('Applying several suggestions without `ids` gets 400 with `ids is missing`.',
    since),
  'suggestions.id-number': observed(
    'The id of a suggestion that is not a number gets 400 with `id is invalid`.', { from: versions.recent }),
  'suggestions.id-text': observed(
    'The id of a suggestion that is not a number is unknown.', { ...since, to: versions.recent }),
  'suggestions.hidden': chosen('A suggestion in a project that the caller cannot see is unknown.', since),
  'suggestions.refused': observed(
    'A suggestion that is not appliable gets 400 with the first reason that fits: it is already applied, the merge '
    + 'request was merged, or is closed, the lines changed in a more recent version, or the suggestion already matches '
    + 'its content.', since),
  'suggestions.too-long': observed(
    `A suggestion for more than ${suggestionReach} lines before or after its line gets 400 with \`Cannot apply as this `
    + 'suggestion spans more than 100 lines.`, unless the merge request is the reason.', { from: versions.recent }),
  'suggestions.notebooks': observed(
    'A suggestion on a file `.ipynb`, which has no other reason, gets 400 with `This file was modified for '
    + 'readability, and can\'t accept suggestions. Edit it directly.`', since),
  'suggestions.branches-stay': chosen(
    'This server deletes no branches, so that no suggestion gets 400 with `Can\'t apply as the source branch was '
    + 'deleted.`', since),
  'suggestions.together': observed(
    'Suggestions that are applied together must be on the same branch, and their lines cannot overlap: else 400 and '
    + 'nothing is applied.', since),
  'suggestions.commit': observed(
    'The commit is of the author of the note, or of the caller for notes of several authors. Its default message is '
    + '`Apply 1 suggestion(s) to 1 file(s)`, with `Co-authored-by` for each author but the caller.', since),
  'suggestions.content': observed(
    '`from_content` has the lines as they were when the note was written; an edit of the note makes new suggestions.',
    since),
});

const readable = { from: versions.draftNotes } as const;
const changeable = { from: versions.draftNoteChanges } as const;
const reviewed = { from: versions.reviews } as const;
const unreviewed = { from: versions.draftNoteChanges, to: versions.reviews } as const;

export const draftFacts = factsAbout('drafts', {
  'drafts.read': observed(
    'Users list their draft notes on a merge request at `/draft_notes`, and get one by its id.', readable),
  'drafts.write': observed(
    'Draft notes are created, changed, deleted and published below `/draft_notes` of a merge request.', changeable),
  'drafts.unpaged': observed('The draft notes of a merge request are one list without pages.', readable),
  'drafts.own': observed(
    'Draft notes of others are not in the list of draft notes, and get 404 with `404 Not found`.', changeable),
  'drafts.hidden': observed(
    'Draft notes are not in the lists of discussions and notes, not even for their author.', changeable),
  'drafts.keys': observed(
    'A draft note has `id`, `author_id`, `merge_request_id`, `resolve_discussion`, `discussion_id`, `note`, '
    + '`commit_id`, `line_code` and `position`.', changeable),
  'drafts.new-thread': observed('`discussion_id` of a draft note is null unless it is a reply.', changeable),
  'drafts.no-position': observed(
    'A draft note without a position has a `position` whose keys are null, except `position_type`, which is `text`.',
    changeable),
  'drafts.line-code': observed(
    'The position of a new draft note need not be on the diff; `line_code` is null if it is not on a line of the diff.',
    changeable),
  'drafts.incomplete': observed(
    'A draft note with an incomplete position, such as the one of keys that are null, is not on the diff.', changeable),
  'drafts.commit-id': observed(
    '`commit_id` of a draft note without a position on that commit gets 400 with `does not match the diff refs`.',
    changeable),
  'drafts.text': chosen(
    `A blank draft note gets 400 with \`can't be blank\`, one of more than ${bodyLimit} characters with `
    + '`is too long`.', changeable),
  'drafts.reply-unknown': observed(
    'A draft note in reply to an unknown thread gets 400 with `Thread to reply to cannot be found`.', changeable),
  'drafts.reply-system': observed(
    'A draft note in reply to a system note gets 400 with `Replies to system notes are not allowed`.', changeable),
  'drafts.one-reply': observed(
    'A second draft note of the same author in the same thread gets 400 with `has already been taken` for `author_id`.',
    changeable),
  'drafts.resolve-right': observed(
    '`resolve_discussion` of a new draft note gets 400 with `User is not allowed to resolve thread` if it is not a '
    + 'reply, or the caller may not resolve the thread.', changeable),
  'drafts.edit-missing': observed(
    'A change of a draft note without `note` gets 400 with `Missing params to modify`, with a blank one '
    + '`note is empty`.', changeable),
  'drafts.edit-position': observed('A change of a draft note without `position` removes its position.', changeable),
  'drafts.publish': observed(
    'A published draft note becomes a diff note if it has a position, a note of its thread if it is a reply, else a '
    + 'thread.', changeable),
  'drafts.publish-all': observed(
    '`POST` on `bulk_publish` publishes all draft notes of the caller on the merge request, and gets 204 if there are '
    + 'none.', changeable),
  'drafts.publish-resolves': observed(
    'A published reply resolves its thread if the draft note has `resolve_discussion`, else it unresolves the thread.',
    changeable),
  'drafts.publish-actions': observed('Quick actions in a draft note run when it is published.', changeable),
  'drafts.publish-failed': observed('A draft note that cannot be published alone gets 500 without a body.', changeable),
  'drafts.publish-all-failed-older': observed(
    '`bulk_publish` of draft notes that cannot be published gets 500 without a body.', unreviewed),
  'drafts.publish-all-failed': observed(
    '`bulk_publish` of draft notes that cannot be published gets 500 with a `message`.', reviewed),
  'drafts.publish-all-text': chosen(
    'If `bulk_publish` cannot publish draft notes, the message is `Not allowed to create notes`, or '
    + '`Unable to save Note: ` and the reason.', reviewed),
  'drafts.publish-together': chosen(
    'If one of several draft notes cannot be published, none is: they are published in one transaction.', changeable),
  'drafts.review': observed(
    '`bulk_publish` also takes the `reviewer_state` of the caller, `requested_changes` or `reviewed`, and a summary as '
    + '`note`, which is a comment, and internal with `internal`; all without draft notes too.', reviewed),
  'drafts.review-ignored': observed('`bulk_publish` ignores `reviewer_state`, `note` and `internal`.', unreviewed),
  'drafts.review-order': observed(
    'The draft notes are published first, then the summary is posted, then the state is set; what was done before a '
    + 'failure stays.', reviewed),
  'drafts.review-blank': observed('`bulk_publish` with a blank `note` posts no summary.', reviewed),
  'drafts.review-note': observed(
    'A summary that cannot be stored gets 422 with a `message`: all reasons, joined by commas.', reviewed),
  'drafts.review-actions': chosen(
    'A summary of quick actions alone gets 422 with `Commands only` and what they did.', reviewed),
  'drafts.review-state': observed(
    'Any other `reviewer_state` gets 400 with `reviewer_state does not have a valid value`.', reviewed),
  'drafts.review-stranger': observed(
    'A `reviewer_state` of a caller who is not a reviewer gets 204, and changes nothing.', reviewed),
  'drafts.review-approval': observed('No `reviewer_state` gives or removes an approval.', reviewed),
});

export const changeFacts = factsAbout('changes', {
  'changes.right': observed(
    'Developers and above, and the author and assignees, can change a merge request; nobody in an archived project.'),
  'changes.missing': observed(
    'A change of a merge request without parameters gets 400 with `at least one parameter must be provided`.'),
  'changes.title-length': observed(
    `A title of a merge request with more than ${titleLimit} characters gets 400 with \`is too long\`.`),
  'changes.state': observed(
    '`state_event` closes an open merge request and reopens a closed one; it is ignored for other states.'),
  'changes.same-branch': observed(
    'A target branch that is the source branch gets 409 with `You can\'t use same project/branch for source and '
    + 'target`.'),
  'changes.any-branch': chosen('A merge request can get any other target branch: this server has no list of branches.'),
  'changes.people': observed(
    '`assignee_ids` and `reviewer_ids` replace all; ids of users who cannot see the project are ignored, and 0 or an '
    + 'empty list removes all.'),
  'changes.assignee-id': observed(
    '`assignee_id` of an issue or merge request is the only assignee, and overrides `assignee_ids`; a blank one is '
    + 'ignored.'),
  'changes.people-limit': observed('More than 200 assignees or reviewers get 400.'),
  'changes.several-people': chosen('A merge request can have several assignees and reviewers in every tier.'),
  'changes.labels': observed(
    '`labels` replaces all labels, `add_labels` and `remove_labels` change them; each is a list, or a text with '
    + 'commas.'),
  'changes.new-labels': observed(
    'A label that the project does not have is created if the caller is a reporter or above, else ignored.'),
  'changes.scoped-labels': chosen('A label such as `status::done` replaces others of its scope, in every tier.'),
  'changes.labels-note': observed('A change of labels adds no system note.'),
  'changes.metadata-right': observed(
    'Labels, assignees and reviewers are ignored in changes of callers below developer, for issues below reporter, '
    + 'even of the author.'),
  'changes.issue-right': observed('Reporters and above, and the author and assignees, can change an issue.'),
  'changes.issue-create': observed(
    'Everybody who sees a project can create an issue; its labels and assignees are ignored unless a member does.'),
  'changes.issue-title': observed('A blank title of an issue gets 400 with `can\'t be blank`.'),
  'changes.notes': observed(
    'A change of the title, description, state, target branch, assignees or reviewers of a merge request adds a system '
    + 'note.'),
  'changes.draft-note': observed(
    'A title that makes a merge request a draft, or ready, adds a system note about that; another one only if the '
    + 'rest of the title changes too.'),
  'changes.nothing': observed('A change of a merge request to its present values adds no system note.'),
  'changes.approve-right': observed('Developers and above can approve a merge request.'),
  'changes.approve-own': chosen('Authors can approve their own merge requests.'),
  'changes.approve-sha': observed(
    'An approval with a `sha` that is not the head gets 409 with `SHA does not match HEAD of source branch`.'),
  'changes.approve-again': observed('A second approval of the same user gets 401.'),
  'changes.unapprove': observed('The removal of an approval that the caller did not give gets 404.'),
  'changes.approvals-stay': chosen('A push removes no approvals.'),
  'changes.approve-state': chosen(
    'An approval makes the state of a reviewer `approved`, its removal `unapproved`; other users become no reviewers.'),
  'changes.approve-notes': observed('An approval and its removal add a system note.'),
});
