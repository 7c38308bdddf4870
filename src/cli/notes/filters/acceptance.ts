import { Option } from 'commander';
import type { Discussion } from '../../../contract/shapes/note.js';
import type { User } from '../../../contract/shapes/scalars.js';
import { isUnknownUser } from '../../../client/whole-records.js';
import { plainLine } from '../../../text/plain.js';
import { readMarker } from '../../../wire/note-text.js';
import { usage, Problem } from '../../command-line/failure.js';
import { nullIfUnsupported } from '../../service/connection/unsupported.js';
import type { Target } from '../../service/targets/target.js';
import { readMergeRequest } from '../../service/targets/threads.js';
import { resolvedNote, threadState } from '../views/note.js';

const acceptors = ['anyone', 'others'] as const;

export interface AcceptFlags { readonly acceptBy?: (typeof acceptors)[number] }

export const acceptByOption = (): Option => new Option('--accept-by <who>',
  'others: resolving by the author or token owner does not count').choices(acceptors).default('anyone');

/** Users are compared by their ids, which some services do not report. */
export const resolverOf = (thread: Discussion): User | null => {
  const resolver = resolvedNote(thread)?.resolved_by ?? null;
  return Number.isInteger(resolver?.id) ? resolver : null;
};

/** Null if the resolving of everybody counts. @throws Problem */
export const excludedAuthor = async (target: Target, { acceptBy }: AcceptFlags): Promise<number | null> => {
  if (acceptBy !== 'others') return null;
  const { kind, name } = target;
  if (kind !== 'merge_request') throw usage(`--accept-by others cannot be used on ${name}`, 'name a merge request');
  const found = await readMergeRequest(target);
  const author: unknown = found?.author?.id;
  if (Number.isInteger(author)) return author as number;
  if (found && isUnknownUser(found.author)) {
    throw new Problem('unavailable', `cannot tell who wrote ${name}: the service sent no author`,
      'use --accept-by anyone');
  }
  throw unknownUser(`cannot tell who wrote ${name}`);
};

const unknownUser = (message: string): Problem =>
  usage(`${message}: the service does not report it`, 'use --accept-by anyone');

/** Who resolved the thread, and why that does not count; null if it counts, or the thread is open. */
export type ExcludedResolver = (thread: Discussion) => string | null;

/** One that the owner of the token resolved because its finding was gone stays resolved. @throws Problem */
export const excludedResolver = async (target: Target, flags: AcceptFlags): Promise<ExcludedResolver> => {
  const author = await excludedAuthor(target, flags);
  if (author === null) return () => null;
  const owner = await nullIfUnsupported(target.client.lookups.user());
  if (!owner || !Number.isInteger(owner.id)) throw unknownUser('cannot tell who owns the token');
  return (thread) => {
    if (threadState(thread) !== 'resolved') return null;
    const resolver = resolverOf(thread);
    return excludedAs(thread, author)
      ?? (resolver?.id === owner.id && !isFinding(thread, owner)
        ? `${plainLine(resolver.username)}, the owner of the token` : null);
  };
};

/** Of a resolved thread, if its resolver is not known, or does not count as another one than the author. */
export const excludedAs = (thread: Discussion, author: number): string | null => {
  const resolver = resolverOf(thread);
  if (resolver === null) return 'an unknown user';
  const name = plainLine(resolver.username);
  if (resolver.id === author) return `${name}, the author of the merge request`;
  return isResolvedByChange(thread, resolver)
    ? `${name} because the author of the merge request changed its lines` : null;
};

/** The author of the merge request wrote the change for which `resolve --changed` resolved the thread. */
const isResolvedByChange = ({ notes }: Discussion, resolver: User): boolean =>
  notes.some(({ system, author, body }) => !system && author.id === resolver.id
    && readMarker(body).marker?.['changed'] !== undefined);

const isFinding = ({ notes: [first] }: Discussion, owner: Pick<User, 'id'>): boolean =>
  first !== undefined && first.author.id === owner.id && readMarker(first.body).marker?.['fp'] !== undefined;
