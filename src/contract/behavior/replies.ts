import { documented, factsOf, observed } from './fact.js';

export const replyFacts = factsOf('replies', {
  'replies.note': documented('The response to a reply is the new note.'),
  'replies.type': observed('A reply in a thread that is not on a diff is a `DiscussionNote`.'),
  'replies.keep-position': observed('A reply in a thread on a diff is a `DiffNote` with the position of the thread.'),
  'replies.to-comment': documented(
    'A reply turns a single comment on an issue, an epic or a merge request into a thread.',
  ),
  'replies.to-comment-refused': observed(
    'A reply to a single comment on a snippet or a commit gets 400 with `Discussion can not be replied to.`',
  ),
  'replies.to-system-note': documented('A reply to a system note turns it into a thread.'),
  'replies.comment-type': observed(
    'A comment or system note that gets its first reply becomes a `DiscussionNote`; `system` stays as it is.',
  ),
  'replies.note-id': documented(
    'The parameter `note_id` of a reply, which the documentation calls required, is an integer; a reply without it '
    + 'works too.',
    { dialects: ['document'] },
  ),
  'replies.note-id-ignored': observed('The parameter `note_id` of a reply is ignored.', { dialects: ['live'] }),
  'replies.internal': observed('A reply to an internal note is internal.', { dialects: ['live'] }),
  'replies.resolved': observed(
    'A reply in a resolved thread is resolved by its author, and the thread stays resolved.',
  ),
});
