import { versions } from '../conventions.js';
import { chosen, documented, factsOf, observed } from './fact.js';

export const resolvingFacts = factsOf('resolving', {
  'resolving.kinds': documented('Threads of merge requests can be resolved.'),
  'resolving.issues': observed(
    'Threads of issues can be resolved.', { dialects: ['live'], from: versions.issueThreads },
  ),
  'resolving.epics': observed(
    'Threads of epics can be resolved.', { dialects: ['live'], from: versions.epicThreads },
  ),
  'resolving.issues-unknown': observed(
    'Resolving a thread of an issue is an unknown route.', { to: versions.issueThreads },
  ),
  'resolving.epics-unknown': observed(
    'Resolving a thread of an epic is an unknown route.', { to: versions.epicThreads },
  ),
  'resolving.other-kinds': observed('Resolving a thread of a snippet or a commit is an unknown route.'),
  'resolving.comments': observed('A single comment or a system note cannot be resolved.'),
  'resolving.sets-resolver': documented('Resolving sets `resolved_by`, and unresolving clears it.'),
  'resolving.resolver': observed('`resolved_by` is a user with the same fields as the author.'),
  'resolving.keys': documented(
    'Every note of a merge request has `resolved` and `resolved_by`.', { dialects: ['document'] },
  ),
  'resolving.keys-if-resolvable': observed(
    'Only notes that can be resolved have `resolved` and `resolved_by`.', { dialects: ['live'] },
  ),
  'resolving.time-if-resolvable': observed(
    'Only notes that can be resolved have `resolved_at`.', { dialects: ['live'], from: versions.unknown },
  ),
  'resolving.time-always': observed(
    'Every note has `resolved_at`, which is null on notes that cannot be resolved.',
    { dialects: ['live'], to: versions.unknown },
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
  'resolving.note-order': observed('Resolving a note without the right gets 403, even if the note cannot be resolved.'),
  'resolving.unknown': chosen('Resolving an unknown thread gets 404; other services fail with 500.'),
  'resolving.who': observed(
    'Developers and the author of the object can resolve its threads, and the author of a note that note.',
  ),
  'resolving.locked': observed('Only members can resolve threads of a locked object.'),
});
