import { isByPerson, sortAllCopies, type SortedCopies } from '../../../client/exactly-once/copies.js';
import type { MarkedNote } from '../../../client/exactly-once/known-notes.js';
import { hasSince, noteables, versions } from '../../../contract/conventions.js';
import type { Note } from '../../../contract/shapes/note.js';
import type { PartialPosition, Position, PositionInput } from '../../../contract/shapes/position.js';
import { firstOf } from '../../../text/messages.js';
import { Problem } from '../../command-line/failure.js';
import { currentUser, nullIfFailed, nullIfUnsupported } from '../../service/connection/unsupported.js';
import { mergeRequestPath, type Target } from '../../service/targets/target.js';
import { shasOfCommit, shasOfVersion, type Shas } from '../position/version.js';
import { mayBePublic, threadState } from '../views/note.js';
import { earlierNotes } from '../write/own-notes.js';
import type { ExportedThread } from './exported-threads.js';

export type ImportedNotes = ReadonlyMap<string, SortedCopies<MarkedNote> & {
  readonly kept: MarkedNote; readonly isAnswered: boolean;
}>;

export const findImportedNotes = async (target: Target): Promise<ImportedNotes> => {
  const { owner, notes } = await earlierNotes(target, 'notes');
  const isAnswer = (note: Note) => isByPerson(note, owner);
  const hasPerson = ({ discussion }: MarkedNote) => discussion.notes.some(isAnswer);
  const all = sortAllCopies(notes, ({ marker: { source } }) => source, { order: bestFirst, isAnswer });
  return new Map([...all].map(([source, { kept, surplus, changed }]) => [source, {
    kept: kept!, surplus: surplus.filter((copy) => !hasPerson(copy)), changed, isAnswered: hasPerson(kept!),
  }]));
};

/** The copy in the longest thread is the best one, because other copies of a thread have no replies. */
const bestFirst = ({ discussion: one }: MarkedNote, { discussion: other }: MarkedNote): number =>
  other.notes.length - one.notes.length || one.notes[0]!.id - other.notes[0]!.id;

/**
 * Deletes the copies that a stopped import and the next one created of the same notes, unless a person wrote in their
 * thread. @param changed receives the ids of copies with another text, which stay
 */
export const removeImportedCopies = async (target: Target, changed = new Set<number>()): Promise<ImportedNotes> => {
  const imported = await findImportedNotes(target);
  const all = [...imported.values()];
  for (const { note } of all.flatMap((one) => one.changed)) changed.add(note.id);
  const surplus = all.flatMap((one) => one.surplus);
  await target.client.removeNotes(target, surplus);
  return surplus.length === 0 ? imported : findImportedNotes(target);
};

export type ImportStep = ReturnType<typeof planThread>;

/** Sends no writes. @throws Problem if a copy of an internal thread would be public */
export const planThreads = async (
  target: Target, threads: readonly ExportedThread[], imported: ImportedNotes,
): Promise<ImportStep[]> => {
  const hasVersion = await knownVersions(target, threads);
  const steps = threads.map((thread) => planThread(target, imported, hasVersion, thread));
  await checkInternalThreads(target, steps);
  return steps;
};

const planThread = ({ kind }: Target, imported: ImportedNotes, hasVersion: HasVersion, thread: ExportedThread) => {
  const first = thread.notes.find(({ source }) => imported.has(source));
  const earlier = first && imported.get(first.source)!;
  const existing = earlier?.kept.discussion ?? null;
  const position = existing === null ? thread.notes[0]!.position : null;
  const hasPosition = position !== null && !thread.isInternal && hasVersion(position);
  return {
    thread, existing, missing: thread.notes.filter(({ source }) => !imported.has(source)),
    /** A thread that somebody answered or resolved keeps its state. An internal note without replies is a comment. */
    isResolved: thread.isResolved && noteables[kind].resolvable && !(thread.isInternal && thread.notes.length === 1)
      && (!earlier || (threadState(earlier.kept.discussion) === 'open' && !earlier.isAnswered)),
    /** Null for existing and internal threads, those without a position, and a version that the noteable lacks. */
    position: hasPosition ? asInput(position) : null, isUnanchored: position !== null && !hasPosition,
  };
};

type HasVersion = (position: Position) => boolean;

const knownVersions = async (target: Target, threads: readonly ExportedThread[]): Promise<HasVersion> => {
  const isPlaced = threads.some(({ notes }) => notes.some(({ position }) => position !== null));
  if (!isPlaced || !noteables[target.kind].hasDiff) return () => false;
  const known = new Set((await shasOfVersions(target)).map(shasKey));
  return (position) => known.has(shasKey(position));
};

const shasKey = ({ base_sha, start_sha, head_sha }: Shas): string => [base_sha, start_sha, head_sha].join(' ');

/** Those of the current version only, if the service does not list them. */
const shasOfVersions = async (target: Target): Promise<readonly Shas[]> => {
  if (target.kind === 'commit') return [await shasOfCommit(target)].filter((shas) => shas !== null);
  const { client } = target;
  const mergeRequest = mergeRequestPath(target);
  const listed = await nullIfUnsupported(client.lookups.versions(mergeRequest).all()) ?? [];
  if (listed.length > 0) return listed.map(shasOfVersion);
  const current = (await nullIfUnsupported(client.lookups.mergeRequest(mergeRequest)))?.diff_refs;
  return current ? [current] : [];
};

const inputParts = ['old_path', 'new_path', 'old_line', 'new_line', 'line_range', 'x', 'y', 'width', 'height'] as const;

const asInput = (position: Position): PositionInput => {
  const { base_sha, start_sha, head_sha, position_type } = position;
  const parts: PartialPosition = position;
  const given = inputParts.filter((name) => (parts[name] ?? null) !== null).map((name) => [name, parts[name]]);
  return { base_sha, start_sha, head_sha, position_type, ...Object.fromEntries(given) } as PositionInput;
};

/** Internal threads are imported as internal threads or not at all. */
const checkInternalThreads = async (target: Target, steps: readonly ImportStep[]): Promise<void> => {
  const internal = steps.filter(({ thread, missing }) => thread.isInternal && missing.length > 0);
  if (internal.length === 0) return;
  // A reply to a public thread is public.
  const hasPublicCopy = internal.some(({ existing }) => existing?.notes.every(mayBePublic));
  const reason = hasPublicCopy ? 'an earlier import made public copies of their threads'
    : await reasonForPublicCopies(target);
  if (reason === null) return;
  const lines = firstOf(internal.map(({ thread }) => String(thread.line)), 10);
  throw new Problem('rejected', `the internal notes on line ${lines} would be public on ${target.name}: ${reason}`,
    'remove these lines to import the others; nothing was sent');
};

/** Reporters see and write internal notes (behavior: access.internal-notes, notes.internal-right). */
const reporter = 20;

/** Null if the token can create internal notes here; where that is not known, it cannot. */
const reasonForPublicCopies = async ({ client, kind, path: { id } }: Target): Promise<string | null> => {
  if (kind === 'commit' || kind === 'snippet') return `a ${noteables[kind].noun} has no internal notes`;
  const { lookups } = client;
  const version = (await nullIfFailed(lookups.version()))?.version;
  if (typeof version !== 'string') return 'the service does not report its version';
  if (!hasSince(version, versions.internalNotes)) {
    return `version ${version} of the service has no internal notes, which began with ${versions.internalNotes}`;
  }
  const user = await nullIfFailed(currentUser(client));
  if (user === null) return 'the service does not report the user of the token';
  if (user.is_admin === true) return null;
  const container = String(id);
  const member = await nullIfFailed(kind === 'epic' ? lookups.anyGroupMember({ id: container, user_id: user.id })
    : lookups.anyProjectMember({ id: container, user_id: user.id }));
  const level = member?.access_level ?? 0;
  return level >= reporter ? null : `${user.username} is not a reporter there, or has no higher role`;
};
