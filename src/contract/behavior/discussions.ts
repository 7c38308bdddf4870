import { documented, factsOf, observed } from './fact.js';

export const discussionFacts = factsOf('discussions', {
  'threads.kinds': documented('Issues, snippets, epics, merge requests and commits have threads.'),
  'threads.epic-id': documented(
    'The path of the threads of an epic has its global id; those of other operations on epics have the number in '
    + 'the group.',
  ),
  'threads.commit-path': documented('Threads of commits are below `/commits`.', { dialects: ['document'] }),
  'threads.commit-repository-path': observed('Threads of commits are below `/repository/commits`.'),
  'threads.commit-number': documented('A commit in a path is its number or its SHA.', { dialects: ['document'] }),
  'threads.commit-sha': observed('A commit in a path is its full SHA.', { dialects: ['live'] }),
  'threads.keys': documented('A thread has `id`, `individual_note` and `notes`, and nothing else.'),
  'threads.id': observed('The id of a thread is text of 40 lower-case hexadecimal digits.'),
  'threads.individual-id': observed(
    'A single comment has a thread id of its own, which stays when it becomes a thread.',
  ),
  'threads.never-individual': observed('A thread that is created is never a single comment, on any kind.'),
  'threads.oldest-first': documented('The notes of a thread are in the order of their creation, then of their ids.'),
  'threads.order': observed('Threads are in the order of their first notes.'),
  'threads.last-note': observed('A thread without notes is gone.'),
  'threads.first-note': observed('When the first note of a thread is deleted, the rest stays the same thread.'),
  'threads.no-deletion': observed('A thread cannot be deleted as a whole: `DELETE` of it is an unknown route.'),
  'threads.response': observed('Creating a thread responds with the whole thread and its one note.'),
  'threads.system-notes': documented('System notes about changes of an object are among its threads.'),
  'threads.no-labels': documented('Changes of labels are not among them.'),
  'threads.one-note': observed('`GET` of one note of a thread, and of all its notes, exists too.'),
});
