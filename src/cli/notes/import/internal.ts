import { hasSince, versions } from '../../../contract/conventions.js';
import { noteables } from '../../../contract/noteables.js';
import { Problem } from '../../command-line/failure.js';
import { nullIfFailed } from '../../service/connection/unsupported.js';
import type { Target } from '../../service/targets/target.js';
import { isInternal } from '../views/note.js';
import type { ImportStep } from './import-thread.js';

/**
 * Internal threads are imported as internal threads or not at all. Sends no writes.
 * @throws Problem before anything is imported, if a copy would be public
 */
export const checkInternalThreads = async (target: Target, steps: readonly ImportStep[]): Promise<void> => {
  const internal = steps.filter(({ thread, missing }) => thread.isInternal && missing.length > 0);
  if (internal.length === 0) return;
  const reason = earlierPublicCopy(internal) ?? await reasonForPublicCopies(target);
  if (reason === null) return;
  const lines = internal.map(({ thread }) => thread.line);
  const shown = lines.slice(0, 10).join(', ') + (lines.length > 10 ? ` and ${lines.length - 10} more` : '');
  throw new Problem('rejected', `the internal notes on line ${shown} would be public on ${target.name}: ${reason}`,
    'remove these lines to import the others; nothing was sent');
};

/** A reply to a public thread is public. */
const earlierPublicCopy = (internal: readonly ImportStep[]): string | null =>
  internal.some(({ existing }) => existing !== null && !existing.notes.some(isInternal))
    ? 'an earlier import made public copies of their threads' : null;

/** Members with this role see and write internal notes (behavior: access.internal-notes, notes.internal-right). */
const reporter = 20;

/** Null if the token can create internal notes here; where that is not known, it cannot. */
const reasonForPublicCopies = async ({ client, kind, path: { id } }: Target): Promise<string | null> => {
  if (kind === 'commit' || kind === 'snippet') return `a ${noteables[kind].noun} has no internal notes`;
  const { lookups } = client;
  const version = (await nullIfFailed(lookups.version({})))?.version;
  if (typeof version !== 'string') return 'the service does not report its version';
  if (!hasSince(version, versions.internalNotes)) {
    return `version ${version} of the service has no internal notes, which began with ${versions.internalNotes}`;
  }
  const user = await nullIfFailed(lookups.user({}));
  if (user === null) return 'the service does not report the user of the token';
  if (user.is_admin === true) return null;
  const container = String(id);
  const member = await nullIfFailed(kind === 'epic' ? lookups.anyGroupMember({ id: container, user_id: user.id })
    : lookups.anyProjectMember({ id: container, user_id: user.id }));
  const level = member?.access_level ?? 0;
  return level >= reporter ? null : `${user.username} is not a reporter there, or has no higher role`;
};
