import { chosen, documented, factsOf, observed } from './fact.js';

export const resolvingFacts = factsOf('resolving', {
  'resolving.kinds': documented('Threads of merge requests can be resolved.'),
  'resolving.other-kinds': observed(
    'Resolving a thread of an issue, a snippet, an epic or a commit is an unknown route.',
  ),
  'resolving.comments': observed('A single comment or a system note cannot be resolved.'),
  'resolving.sets-resolver': documented('Resolving sets `resolved_by`, and unresolving clears it.'),
  'resolving.resolver': observed('`resolved_by` is a user with the same fields as the author.'),
  'resolving.keys': documented(
    'Every note of a merge request has `resolved` and `resolved_by`.', { dialects: ['document'] },
  ),
  'resolving.keys-if-resolvable': observed(
    'Only notes that can be resolved have `resolved`, `resolved_by` and `resolved_at`.', { dialects: ['live'] },
  ),
  'resolving.all-notes': observed(
    'Resolving a thread resolves all its notes; notes that are already resolved keep their resolver.',
  ),
  'resolving.unresolve-all': observed('Unresolving a thread unresolves all its notes.'),
  'resolving.response': observed('The response to resolving a thread is the whole thread.'),
  'resolving.again': observed('Resolving a resolved thread gets 200 and changes nothing.'),
  'resolving.keeps-time': observed(
    'Resolving a thread keeps `updated_at` of its notes; resolving one note changes it.',
  ),
  'resolving.counts': observed('A thread is resolved when all its notes that can be resolved are resolved.'),
  'resolving.missing': observed('Resolving a thread without `resolved` gets 400 with `resolved is missing`.'),
  'resolving.blank': observed('A blank `resolved` unresolves the thread.'),
  'resolving.unresolvable': observed('Resolving a thread that cannot be resolved gets 403.'),
  'resolving.note-unresolvable': observed(
    'Resolving a note that cannot be resolved gets 400 with `Note is not resolvable`.',
  ),
  'resolving.note-order': observed('Resolving a note without the right gets 403, also if the note cannot be resolved.'),
  'resolving.unknown': chosen('Resolving an unknown thread gets 404; other services fail with 500.'),
  'resolving.who': observed(
    'Developers and the author of the merge request can resolve a thread, and the author of a note that note.',
  ),
  'resolving.locked': observed('Only members can resolve threads of a locked merge request.'),
});
