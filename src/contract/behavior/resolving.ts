import { chosen, documented, factsOf, observed } from './fact.js';

export const resolvingFacts = factsOf('resolving', {
  'resolving.kinds': documented('Threads of merge requests can be resolved.'),
  'resolving.other-kinds': observed('On other kinds, resolving a thread is an unknown route.'),
  'resolving.comments': observed('A single comment and a system note cannot be resolved.'),
  'resolving.sets-resolver': documented('Resolving sets `resolved_by`, unresolving clears it.'),
  'resolving.resolver': observed('`resolved_by` is a user like the author.'),
  'resolving.keys': documented(
    'Every note of a merge request has `resolved` and `resolved_by`.', { dialects: ['document'] },
  ),
  'resolving.keys-if-resolvable': observed(
    '`resolved`, `resolved_by` and `resolved_at` are on notes that can be resolved.', { dialects: ['live'] },
  ),
  'resolving.all-notes': observed(
    'Resolving a thread resolves all its notes; those that are resolved keep their resolver.',
  ),
  'resolving.again': observed('Resolving again is 200 and changes nothing.'),
  'resolving.keeps-time': observed('Resolving a thread keeps `updated_at`; resolving one note changes it.'),
  'resolving.counts': observed('A thread is resolved when all its notes are that can be.'),
  'resolving.missing': observed('Without `resolved` it is 400 with `resolved is missing`.'),
  'resolving.blank': observed('A blank `resolved` unresolves the thread.'),
  'resolving.unresolvable': observed('A thread that cannot be resolved is 403.'),
  'resolving.note-unresolvable': observed('A note that cannot be resolved is 400 with `Note is not resolvable`.'),
  'resolving.unknown': chosen('An unknown thread is 404, where the service fails with 500.'),
  'resolving.who': observed(
    'Developers and the author of the merge request resolve threads; notes also their authors.',
  ),
  'resolving.locked': observed('On a locked merge request only members do.'),
});
