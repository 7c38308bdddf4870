import { emojiPattern, suggestionReach, versions } from '../conventions.js';
import { chosen, documented, factsAbout, inDocument, newer, newerLive, observed, onLive } from './fact.js';

export const noteFacts = factsAbout('notes', {
  'notes.keys': documented('A note has the keys of the documentation, and no others.', inDocument),
  'notes.more-keys': observed('A note also has `confidential` and `commands_changes`.', onLive),
  'notes.internal': observed('A note also has `internal`.', { ...onLive, from: versions.internalNotes }),
  'notes.newer-keys': observed('A note also has `project_id`, `imported` and `imported_from`.', newerLive),
  'notes.alone': observed('A note that is read alone has the content that it has in its thread.'),
  'notes.unknown-keys': observed(
    'Newer versions add keys to notes, so clients have to ignore keys that they do not know.'),
  'notes.type': documented(
    '`type` of a note is `DiscussionNote` in a thread, `DiffNote` on a diff, and null for a single comment or '
    + 'system note.'),
  'notes.system': documented('`system` of a note is true if the service wrote it about a change of the object.'),
  'notes.attachment': observed(
    '`attachment` of a note is the name of a file, or null.', { ...onLive, to: versions.suggestions }),
  'notes.no-attachment': observed('A note does not have `attachment`.', { ...onLive, from: versions.suggestions }),
  'notes.suggestions': observed(
    'A diff note of a merge request has `suggestions`, one for each block of code of the kind `suggestion:-1+2` in its '
    + 'text, with `id`, `from_line`, `to_line`, `appliable`, `applied`, `from_content` and `to_content`; other notes '
    + 'do not have `suggestions`.',
    { ...onLive, from: versions.suggestions }),
  'notes.suggestion-ids': chosen(
    'The id of a suggestion follows from the id of its note on this server, and at most 1000 suggestions of a note are '
    + 'shown.', { from: versions.suggestions }),
  'notes.keys-where-used': chosen(
    'In the document format, only internal notes have `internal`, and only notes with suggestions `suggestions`.',
    { ...inDocument, from: versions.internalNotes }),
  'notes.suggestion-appliable': chosen(
    'A suggestion that was not applied is appliable if the merge request is open, the position has the SHAs of the '
    + 'diff, which still shows the lines, and the suggestion changes something.', { from: versions.suggestions }),
  'notes.suggestion-range': chosen(
    `\`from_line\` and \`to_line\` of a suggestion are at most ${suggestionReach} lines from the line of its note.`,
    { ...onLive, from: versions.suggestions }),
  'notes.suggestion-blank': observed(
    'A suggestion of nothing but blank lines deletes the lines that it replaces: its `to_content` is empty.',
    { from: versions.suggestions }),
  'notes.author': documented('`author` of a note has `id`, `name`, `username`, `state`, `avatar_url` and `web_url`.'),
  'notes.author-locked': observed(
    '`author` of a note also has `locked`, and `username` comes before `name`.', newerLive),
  'notes.author-state': observed(
    '`state` of an author is `active`, `blocked`, `ldap_blocked`, `blocked_pending_approval`, `deactivated` or '
    + '`banned`.'),
  'notes.noteable-type': documented(
    '`noteable_type` is `Issue`, `Snippet`, `Epic`, `Merge request` or `Commit`.', inDocument),
  'notes.noteable-type-one-word': observed('`noteable_type` of a merge request is `MergeRequest`.', onLive),
  'notes.noteable-id': documented(
    '`noteable_id` of a note is the global id of its issue, merge request, snippet or epic.'),
  'notes.noteable-id-commit': observed('`noteable_id` of a note on a commit is null.', onLive),
  'notes.second-noteable-id': chosen(
    'Where the documentation of lists on snippets, epics and commits shows a second `noteable_id`, notes have '
    + '`noteable_iid`.', inDocument),
  'notes.noteable-iid-null': documented('`noteable_iid` of a note is null.', inDocument),
  'notes.noteable-iid': observed(
    '`noteable_iid` of a note is the number of its issue or merge request in the project, and null on other kinds.',
    onLive),
  'notes.resolvable': observed('Every note of every kind has `resolvable`.'),
  'notes.commit-id-head': documented(
    '`commit_id` of a diff note of a merge request is the head of its position.', inDocument),
  'notes.commit-id': observed(
    '`commit_id` of a diff note of a merge request is null unless the thread was started on a commit.', onLive),
  'notes.position-on-diff-notes': documented('Only diff notes have `position`.'),
  'notes.comments-kept': observed('HTML comments stay in the text of a note.'),
  'notes.never-imported': chosen(
    '`imported` of a note is false on this server, and `imported_from` is `none`.', newerLive),
  'notes.confidential': observed(
    '`confidential` of a note is the same as `internal`.', { ...onLive, from: versions.internalNotes }),
  'notes.internal-create': observed(
    '`internal: true` makes a new single comment on an issue, epic or merge request an internal note.',
    { from: versions.internalNotes }),
  'notes.confidential-create': observed(
    '`confidential` of a new single comment is the old name of `internal`, and still accepted.'),
  'notes.internal-right': observed(
    'A new comment with `internal` of a caller below reporter is created, and is not internal.',
    { from: versions.internalNotes }),
  'notes.single-comments': observed(
    'A single comment is created with `POST` on `/notes` of an issue, snippet, epic or merge request.'),
  'notes.newest-first': observed(
    'The list at `/notes` of an object has the newest note first, unless `order_by` and `sort` say otherwise.'),
  'notes.activity-filter': documented(
    'The list at `/notes` of an object has only comments with `activity_filter=only_comments`, only system notes with '
    + '`only_activity`, and all notes with `all_notes`.', newer),
  'notes.activity-filter-invalid': observed(
    'Another `activity_filter` gets 400 with `activity_filter does not have a valid value`.', newer),
  'notes.blank': observed('A new note with a blank text gets 400 with `can\'t be blank`.'),
  'notes.trimmed': observed(
    'Carriage returns, and white space at the end, are removed from the text of a note, except on snippets.'),
  'notes.created-at': documented('Administrators and owners can set `created_at` of a new note.'),
  'notes.created-at-form': documented(
    '`created_at` of a new note is a time in ISO 8601, such as `2026-01-31T12:00:00Z`.'),
  'notes.created-at-zone': observed(
    '`created_at` of a new note can have the name of a time zone, such as `2026-01-31 12:00:00 UTC`.'),
  'notes.created-at-ignored': observed(
    '`created_at` of a new note is ignored if the caller is neither an administrator nor an owner.'),
  'notes.created-at-updated': observed(
    '`updated_at` of a new note is the same as `created_at`, even if that was given.'),
  'notes.created-at-old': observed(
    'A `created_at` before 1970 gets 400 with `The created date provided is too far in the past.`'),
  'notes.created-at-future': observed('A `created_at` in the future is accepted.'),
  'notes.created-at-invalid': chosen('A `created_at` that is not a time is ignored.'),
  'notes.quick-actions': observed(
    'Quick actions at the beginning of lines are removed from the text of the note, and run.', onLive),
  'notes.quick-actions-off': chosen('Quick actions are part of the text of a note.', inDocument),
  'notes.quick-actions-code': observed(
    'Quick actions in code, quotes and blocks of HTML are part of the text of a note.'),
  'notes.quick-actions-alone': observed(
    'A note that consists of quick actions gets 202 with `commands_changes` and `summary`, and is not created.',
    newerLive),
  'notes.quick-actions-comment': observed(
    'A single comment that consists of quick actions gets 202 with `commands_changes` and `summary`, and is not '
    + 'created.', onLive),
  'notes.quick-actions-blank': observed(
    'A note of a thread that consists of quick actions gets 400 with `can\'t be blank`.',
    { ...onLive, to: versions.unknown }),
  'notes.spend': observed(
    '`/spend 1d` on an issue or merge request adds 8 hours: `commands_changes` has `spend_time` with `duration` in '
    + 'seconds, `user_id` and `spent_at`, `summary` is `Added 1d spent time.`, and a system note says the same.',
    newerLive),
  'notes.spend-invalid': observed(
    'A note that consists of `/spend` without a valid time gets 400 with `Failed to apply commands.`', newerLive),
  'notes.commands-changes': observed(
    '`commands_changes` of a note is empty, except in the response to a text with quick actions.', onLive),
  'notes.quick-actions-run': observed(
    'After the text is stored, quick actions change its object in one go: `/close`, `/reopen`, `/title`, `/label`, '
    + '`/unlabel`, `/relabel`, `/assign`, `/unassign`, `/reassign` and `/confidential`, and on merge requests '
    + '`/assign_reviewer`, `/unassign_reviewer`, `/draft`, `/ready`, `/target_branch`, `/approve` and `/unapprove`.',
    onLive),
  'notes.quick-actions-right': observed(
    'A quick action needs the right of its change, and must fit the object as it was before the note, as `/reopen` a '
    + 'closed one; else it has no effect, and the summary says `Could not apply reopen command.`', onLive),
  'notes.quick-actions-labels': observed(
    'Quick actions about labels ignore labels that the project does not have, and create none; without a known label '
    + 'they do and say nothing.', onLive),
  'notes.quick-actions-users': observed(
    'A quick action about users of whom one is unknown has no effect, and the summary says `Could not apply assign '
    + 'command. Failed to find users for \'…\'.`', newerLive),
  'notes.quick-actions-summary': observed(
    '`summary` has one text, with the sentences of all quick actions, each once.', onLive),
  'notes.quick-actions-invalid': chosen(
    'A quick action with a value that its change refuses, such as a title of 256 characters, gets 400 with `Note '
    + '{:validation=>[…]}`, and nothing is stored, not even the rest of the text.', onLive),
  'notes.quick-actions-others': chosen(
    'Other quick actions, such as `/milestone`, and those about labels and people on epics, are removed and reported, '
    + 'and the object stays as it is.', onLive),
  'notes.quick-actions-snippets': observed('Quick actions in notes on snippets are part of the text.'),
  'notes.merge-head': chosen(
    'A comment with the quick action `/merge` gets 400 unless `merge_request_diff_head_sha` is the head of the merge '
    + 'request.', onLive),
  'notes.edit-exclusive': documented(
    'A change of a note of a merge request needs exactly one of `body` and `resolved`.'),
  'notes.edit-all-kinds': observed(
    'A change of a note needs exactly one of `body` and `resolved`, on every kind of object.'),
  'notes.edit-response': documented('The response to a change of a note is the changed note.'),
  'notes.edit-blank': observed(
    'A change of a note to a blank text gets 400 with `Failed to save note`.', { to: versions.unknown }),
  'notes.edit-blank-newer': observed(
    'A change of a note to a blank text gets 400 with `can\'t be blank`, as a new note does.', newer),
  'notes.single-edit-missing': observed(
    'A change of a note at `/notes` of an object without `body` gets 200 and changes nothing, with a blank one or null '
    + '400 with `body is empty`.'),
  'notes.edit-null': observed(
    'A change of a note at `/discussions` of an object to the text null gets 200 and changes nothing.'),
  'notes.edit-resolved-null': observed(
    'A change of a note with only a blank or null `resolved` gets 200 and changes nothing.'),
  'notes.edit-time': observed('A change of the text of a note also changes `updated_at`.'),
  'notes.edit-actions': observed('A change of a note to nothing but quick actions deletes the note.', newerLive),
  'notes.thread-unchecked': observed(
    'The thread in the path of a change or deletion of a note is not checked: the note is found by its own id.'),
  'notes.who-edits': observed(
    'Authors can change and delete their own notes, maintainers all notes, and nobody system notes.'),
  'notes.unmodified-since': observed(
    'The deletion of a note gets 412 if `If-Unmodified-Since` is before the last change of the note.'),
  'notes.unmodified-since-iso': observed('`If-Unmodified-Since` can be a time in ISO 8601 too.'),
});

export const awardFacts = factsAbout('notes', {
  'awards.paths': observed(
    'The award emoji of a note are at `…/notes/:note_id/award_emoji` below issues, merge requests, snippets and epics, '
    + 'oldest first, in pages.'),
  'awards.epic-iid': observed('The path of the award emoji of an epic has its `iid`, not its global id.'),
  'awards.keys': observed(
    'An award emoji has `id`, `name`, `user`, `created_at`, `updated_at`, `awardable_id`, which is the id of the note, '
    + 'and `awardable_type`, which is `Note`.'),
  'awards.url': observed('An award emoji also has `url`, which is null for an emoji of Unicode.', newerLive),
  'awards.create': observed('Awarding an emoji with its `name` gets 201 with the award emoji.'),
  'awards.aliases': observed('`+1` and `-1` are stored as `thumbsup` and `thumbsdown`.'),
  'awards.again': observed(
    'Awarding an emoji that the caller has awarded to the note gets 404 with `404 Award Emoji Name has already been '
    + 'taken Not Found`.'),
  'awards.invalid-name': observed(
    'Awarding an unknown emoji gets 404 with `404 Award Emoji Name is not a valid emoji name Not Found`.'),
  'awards.names': chosen(
    `This server knows every emoji whose name matches \`${emojiPattern.source}\`, as custom emoji can have such `
    + 'names.'),
  'awards.hidden': observed(
    'A caller who can see the object but not the note, or cannot comment, gets 404 with `404 Award Emoji Not Found`.'),
  'awards.system-notes': observed(
    'Awarding an emoji to a system note gets 404 with `404 Award Emoji Awardable cannot be awarded emoji Not Found`.'),
  'awards.delete': observed(
    'An award emoji is deleted by its user or an administrator with 204; others get 401 with `401 Unauthorized`.'),
  'awards.unknown': observed('An unknown award emoji, or one of another note, gets 404 with `404 Not found`.'),
  'awards.with-note': observed('The award emoji of a note are deleted with it.'),
  'awards.no-hooks': chosen('No webhook of this server reports award emoji.'),
});

export const resolvingFacts = factsAbout('resolving', {
  'resolving.kinds': documented('Threads of merge requests can be resolved.'),
  'resolving.issues': observed('Threads of issues can be resolved.', { ...onLive, from: versions.issueThreads }),
  'resolving.epics': observed('Threads of epics can be resolved.', { ...onLive, from: versions.epicThreads }),
  'resolving.issues-unknown': observed(
    'Resolving a thread of an issue is an unknown route.', { to: versions.issueThreads }),
  'resolving.epics-unknown': observed(
    'Resolving a thread of an epic is an unknown route.', { to: versions.epicThreads }),
  'resolving.other-kinds': observed('Resolving a thread of a snippet or a commit is an unknown route.'),
  'resolving.comments': observed('A single comment or a system note cannot be resolved.'),
  'resolving.sets-resolver': documented('Resolving sets `resolved_by`, and unresolving clears it.'),
  'resolving.resolver': observed('`resolved_by` is a user with the same fields as the author.'),
  'resolving.keys': documented('Every note of a merge request has `resolved` and `resolved_by`.', inDocument),
  'resolving.keys-if-resolvable': observed(
    'Only notes that can be resolved have `resolved` and `resolved_by`.', onLive),
  'resolving.time-if-resolvable': observed('Only notes that can be resolved have `resolved_at`.', newerLive),
  'resolving.time-always': observed('Every note has `resolved_at`, which is null on notes that cannot be resolved.',
    { ...onLive, to: versions.unknown }),
  'resolving.all-notes': observed(
    'Resolving a thread resolves all its notes; notes that are already resolved keep their resolver.'),
  'resolving.unresolve-all': observed('Unresolving a thread unresolves all its notes.'),
  'resolving.response': observed('The response to resolving a thread is the whole thread.'),
  'resolving.again': observed('Resolving a resolved thread gets 200 and changes nothing.'),
  'resolving.all-threads': observed(
    'Resolving the last open thread of a merge request adds a system note that is no part of a thread: `resolved all '
    + 'threads`.'),
  'resolving.keeps-time': observed(
    'Resolving a thread keeps `updated_at` of its notes; resolving one note changes it.'),
  'resolving.counts': observed('A thread is resolved when all its notes that can be resolved are resolved.'),
  'resolving.missing': observed('Resolving a thread without `resolved` gets 400 with `resolved is missing`.'),
  'resolving.blank': observed('A blank `resolved` unresolves the thread.'),
  'resolving.unresolvable': observed('Resolving a thread that cannot be resolved gets 403.'),
  'resolving.note-unresolvable': observed(
    'Resolving a note that cannot be resolved gets 400 with `Note is not resolvable`.'),
  'resolving.note-order': observed('Resolving a note without the right gets 403, even if the note cannot be resolved.'),
  'resolving.unknown': chosen('Resolving an unknown thread gets 404; other services fail with 500.'),
  'resolving.who': observed(
    'Developers and the author of the object can resolve its threads, and the author of a note that note.'),
  'resolving.locked': observed('Only members can resolve threads of a locked object.'),
});

export const discussionFacts = factsAbout('discussions', {
  'threads.kinds': documented('Issues, snippets, epics, merge requests and commits have threads.'),
  'threads.epic-id': documented(
    'The path of the threads of an epic has its global id; the paths of other operations on epics have the number in '
    + 'the group.'),
  'threads.commit-path': documented('The threads of commits are below `/commits`.', inDocument),
  'threads.commit-path-unknown': observed(
    'A path of threads of a commit below `/commits` is an unknown route.', onLive),
  'threads.commit-repository-path': observed('The threads of commits are below `/repository/commits`.'),
  'threads.commit-number': documented('A commit in a path is its number or its SHA.', inDocument),
  'threads.commit-sha': chosen('A commit in a path of threads is its full SHA.', onLive),
  'threads.keys': documented('A thread has `id`, `individual_note` and `notes`, and nothing else.', inDocument),
  'threads.more-keys': observed(
    'A thread also has `resolvable`, true if one of its notes can be resolved, and `resolved`, true if all of these '
    + 'are.', { ...onLive, from: versions.recent }),
  'threads.id': observed('The id of a thread is text of 40 lower-case hexadecimal digits.'),
  'threads.individual-note': documented(
    '`individual_note` of a thread is true for a single comment or system note without replies, else false.'),
  'threads.individual-id': observed(
    'A single comment has a thread id of its own, which stays when the comment becomes a thread.'),
  'threads.never-individual': observed('A new thread is never a single comment, on any kind of object.'),
  'threads.oldest-first': documented('The notes of a thread are in the order of their creation, then of their ids.'),
  'threads.order': observed('The threads of an object are in the order of their first notes.'),
  'threads.last-note': observed('A thread no longer exists when its last note is deleted.'),
  'threads.first-note': observed('A thread whose first note is deleted stays the same thread.'),
  'threads.no-deletion': observed('A thread cannot be deleted as a whole: `DELETE` of a thread is an unknown route.'),
  'threads.response': observed('The response to a new thread is the whole thread with its one note.'),
  'threads.system-notes': documented('The threads of an object include system notes about its changes.'),
  'threads.no-labels': documented('The threads of an object do not include changes of its labels.'),
  'threads.alone': observed('A thread that is read alone has the content that it has in the list of threads.'),
  'threads.one-note': observed('A client can `GET` one note of a thread, and all notes of a thread.'),
});

export const replyFacts = factsAbout('replies', {
  'replies.note': documented('The response to a reply is the new note.'),
  'replies.type': observed('A reply in a thread that is not on a diff is a `DiscussionNote`.'),
  'replies.keep-position': observed('A reply in a thread on a diff is a `DiffNote` with the position of the thread.'),
  'replies.to-comment': documented(
    'A reply turns a single comment on an issue, an epic or a merge request into a thread.'),
  'replies.to-comment-refused': observed(
    'A reply to a single comment on a snippet or a commit gets 400 with `Discussion can not be replied to.`'),
  'replies.to-system-note': documented('A reply to a system note turns it into a thread.'),
  'replies.comment-type': observed(
    'A comment or system note that gets its first reply becomes a `DiscussionNote`; `system` stays as it is.'),
  'replies.note-id': documented(
    'The parameter `note_id` of a reply, which the documentation calls required, is an integer; a reply without it '
    + 'works too.', inDocument),
  'replies.note-id-ignored': observed('The parameter `note_id` of a reply is ignored.', onLive),
  'replies.internal': observed('A reply to an internal note is internal.'),
  'replies.resolved': observed(
    'A reply in a resolved thread is resolved by its author, and the thread stays resolved.'),
});
