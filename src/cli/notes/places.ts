import * as Type from '@sinclair/typebox';
import type { DiffVersion } from '../../contract/lookups/shapes.js';
import { Discussion } from '../../contract/shapes/note.js';
import type { Position } from '../../contract/shapes/position.js';
import { nullable } from '../../contract/shapes/scalars.js';
import { currentLine, type CurrentLine, type LinePlace, type VersionChange } from '../../diff/trace.js';
import { asText } from '../../text/plain.js';
import type { App } from '../app.js';
import { agent, type GlobalFlags } from '../command-line/flags.js';
import { once } from '../service/connection/batch.js';
import { nullIfFailed } from '../service/connection/unsupported.js';
import type { Target } from '../service/targets/target.js';
import { chosenFormat, fieldsIn } from '../terminal/output/format.js';
import { type Listed, mapPages } from '../terminal/output/list-printer.js';
import { positionText } from './position/position.js';
import { versionChange } from './position/version-change.js';
import { type Shas, shasOfVersion, versionDiffs } from './position/version.js';
import { type Proof, proofs } from './proofs/names.js';
import { newsIn } from './seen.js';

const placeFields = Type.Object({
  outdated: Type.Boolean({ description: 'whether it is on an older version of the diff' }),
  current_line: nullable(Type.Integer({ description: 'its line in the newest version' })),
  current_path: nullable(Type.String({ description: 'the file of this line' })),
  new: Type.Boolean({ description: 'whether others wrote since the last look' }),
  proof: Type.Union(proofs.map((proof) => Type.Literal(proof)), {
    description: 'whether the commit that a reply names as the fix is there: verified, renewed, gone, reverted or none',
  }),
});
/** The places, `new` and `proof` are absent if nobody asked for them. */
export const PlacedThread = Type.Object({ ...Discussion.properties, ...placeFields.properties });
export type PlacedThread = Discussion & Partial<Type.Static<typeof placeFields>>;

/** JSON shows places by name, other output if people read it. */
export const showsPlaces = (app: App, flags: GlobalFlags): boolean =>
  Object.keys(placeFields.properties).some((field) => names(flags, field))
  || ['quickfix', agent].includes(String(flags.output))
  || (app.out.isTerminal && flags.json === undefined && (chosenFormat(flags) ?? 'table') === 'table');

const names = (flags: GlobalFlags, field: string): boolean =>
  fieldsIn(flags)?.includes(field) === true || new RegExp(`\\b${field}\\b`).test(flags.jq ?? '');

export const placedThreads = (
  app: App, target: Target, flags: GlobalFlags,
): (thread: Discussion) => Promise<PlacedThread> => {
  const placeOf = currentPlaces(app, target);
  const isNew = names(flags, 'new') ? newsIn(app, target) : null;
  const proofOf = names(flags, 'proof') ? shownProofs(app, target) : null;
  return async (thread) => {
    const [{ outdated, now }, news, proof] = await Promise.all([placeOf(thread), isNew?.(thread), proofOf?.(thread)]);
    const place = { outdated, current_line: now?.line ?? null, current_path: now?.path ?? null };
    return { ...thread, ...place, ...news !== undefined && { new: news }, ...proof !== undefined && { proof } };
  };
};

/** What cannot be checked is no proof. Sends requests for threads with a reply that names a commit. */
export const shownProofs = (app: App, target: Target): (thread: Discussion) => Promise<Proof> => {
  const findings = once(() => import('./proofs/proof.js').then(({ findingsOf }) => findingsOf(app, target)));
  return async (thread) => {
    const hasClaim = thread.notes.some(({ body }) => asText(body).includes('fix='));
    if (target.kind !== 'merge_request' || !hasClaim) return 'none';
    return await nullIfFailed((await findings()).proofOf(thread)) ?? 'none';
  };
};

export const withPlaces = <T extends Discussion>(
  app: App, target: Target, flags: GlobalFlags, threads: Listed<T>,
): Listed<T & PlacedThread> => {
  const placed = placedThreads(app, target, flags);
  return mapPages(threads, (items) =>
    Promise.all(items.map(async (thread) => ({ ...thread, ...await placed(thread) }))));
};

/** `fix verified`; empty without a proof. */
export const proofText = ({ proof = 'none' }: PlacedThread): string => proof === 'none' ? '' : `fix ${proof}`;

/** `src/a.ts:28`, and for an older version `src/a.ts:28 → now 31` or `…, line removed`. */
export const placeText = ({ notes, outdated, current_line, current_path }: PlacedThread): string => {
  const position = notes[0]?.position;
  const written = positionText(position);
  if (!outdated) return written;
  if (typeof current_line !== 'number') {
    return `${written}, ${position?.position_type === 'text' ? 'line removed' : 'outdated'}`;
  }
  const isSameFile = current_path === (position?.new_path ?? position?.old_path);
  return `${written} → now ${isSameFile ? '' : `${current_path}:`}${current_line}`;
};

export interface CurrentPlace {
  /** Whether its position is on an older version (behavior: pushes.outdated). */
  readonly outdated: boolean;
  /** Null for a thread without a line, and if the line is gone or nobody knows where it is. */
  readonly now: CurrentLine | null;
}

/**
 * Requests versions for the first thread with a position, and diffs if one is outdated; git has the commits that it
 * knows. A place is never guessed.
 */
export const currentPlaces = (app: App, target: Target): (thread: Discussion) => Promise<CurrentPlace> => {
  const changes = new Map<string, Promise<VersionChange | null>>();
  const changeFrom = (former: Shas, newest: DiffVersion) => {
    const key = `${former.base_sha} ${former.head_sha}`;
    if (!changes.has(key)) changes.set(key, versionChange(app, target, former, shasOfVersion(newest)));
    return changes.get(key)!;
  };
  return async ({ notes: [note] }) => {
    const position = note?.position;
    if (!position) return { outdated: false, now: null };
    const place = linePlace(position);
    const all = await versionDiffs(target).all();
    if (all.length === 0 || all[0]!.head_commit_sha === position.head_sha) {
      return { outdated: false, now: place && lineOf(place) };
    }
    const { base_sha, start_sha, head_sha } = position;
    const change = place && base_sha && head_sha
      ? await changeFrom({ base_sha, start_sha: start_sha ?? base_sha, head_sha }, all[0]!) : null;
    return { outdated: true, now: change && currentLine(place!, change) };
  };
};

const linePlace = (position: Position): LinePlace | null => {
  if (position.position_type !== 'text') return null;
  const { old_path, new_path, old_line = null, new_line = null } = position;
  const path = new_path ?? old_path;
  const isKnown = typeof path === 'string' && (old_line ?? new_line) !== null;
  return isKnown ? { old_path: old_path ?? path, new_path: path, old_line, new_line } : null;
};

const lineOf = ({ new_path, old_line, new_line }: LinePlace): CurrentLine =>
  ({ path: new_path, line: new_line ?? old_line!, isRemoved: new_line === null });
