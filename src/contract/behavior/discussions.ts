import { versions } from '../conventions.js';
import { documented, factsAbout, observed } from './fact.js';

export const discussionFacts = factsAbout('discussions', {
  'threads.kinds': documented('Issues, snippets, epics, merge requests and commits have threads.'),
  'threads.epic-id': documented(
    'The path of the threads of an epic has its global id; the paths of other operations on epics have the number in '
    + 'the group.'),
  'threads.commit-path': documented('The threads of commits are below `/commits`.', { dialects: ['document'] }),
  'threads.commit-path-unknown': observed(
    'A path of threads of a commit below `/commits` is an unknown route.', { dialects: ['live'] }),
  'threads.commit-repository-path': observed('The threads of commits are below `/repository/commits`.'),
  'threads.commit-number': documented('A commit in a path is its number or its SHA.', { dialects: ['document'] }),
  'threads.commit-sha': observed('A commit in a path is its full SHA.', { dialects: ['live'] }),
  'threads.keys': documented(
    'A thread has `id`, `individual_note` and `notes`, and nothing else.', { dialects: ['document'] }),
  'threads.more-keys': observed(
    'A thread also has `resolvable`, true if one of its notes can be resolved, and `resolved`, true if all of these '
    + 'are.', { dialects: ['live'], from: versions.recent }),
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
    + 'works too.', { dialects: ['document'] }),
  'replies.note-id-ignored': observed('The parameter `note_id` of a reply is ignored.', { dialects: ['live'] }),
  'replies.internal': observed('A reply to an internal note is internal.'),
  'replies.resolved': observed(
    'A reply in a resolved thread is resolved by its author, and the thread stays resolved.'),
});
