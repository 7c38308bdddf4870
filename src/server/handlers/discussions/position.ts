import { type Edition, holdsIn } from '../../../contract/behavior/fact.js';
import { positionFacts } from '../../../contract/behavior/positions.js';
import { missingParts, type PartialPosition, type Position } from '../../../contract/shapes/position.js';
import { textsAfter } from '../../../diff/apply.js';
import { type DiffLine, lineAt, lineCode, diffLines, unfoldedLine } from '../../../diff/lines.js';
import { type FileTexts, splitLines, traceOnSameBase, traceTexts } from '../../../diff/matching.js';
import { changesIn, type FileChange, parsePatch, patchParts } from '../../../diff/patch.js';
import { sameFiles, type Trace, traceLine, unknownFiles, type VersionChange } from '../../../diff/trace.js';
import type { Target } from '../../api/access.js';
import type { Call } from '../../api/context.js';
import { invalidNote } from '../../http/response.js';
import {
  storedDiff, diffOfVersion, diffVersionsOf, filesOfBase, filesOfDiff, type DiffVersionRow,
} from '../../repositories/diffs.js';
import { commitsBetween, type NoteableRow } from '../../repositories/noteables.js';
import { hasRefs } from '../../serializers/suggestions.js';
import type { Queries } from '../../store/database.js';

export interface VersionContent extends Refs {
  readonly diff: string | null;
  readonly files: readonly FileChange[];
  readonly base: FileTexts;
}

export const versionContent = async (
  queries: Queries, { project_id }: NoteableRow, { base_sha, start_sha, head_sha }: Refs, diff: string | null,
): Promise<VersionContent> => ({
  base_sha, start_sha, head_sha, diff, files: parsePatch(diff ?? ''),
  base: base_sha === null ? new Map() : await filesOfBase(queries, project_id!, base_sha),
});

/** Leaves out files that the diff changes but nobody knows. Null if the diff is not known, or does not fit. */
export const headTexts = ({ base, diff, files }: Pick<VersionContent, 'base' | 'diff' | 'files'>): FileTexts | null =>
  diff === null ? null : base.size === 0 ? new Map()
    : textsAfter(base, files.filter((file) => file.new_file || base.has(file.old_path)));

/** From the texts where they are known, else from the diffs if both have the same base (behavior: pushes.unknown). */
export const versionChange = (former: VersionContent, next: VersionContent): VersionChange => {
  const [before, after] = [headTexts(former), headTexts(next)];
  const hasSameBase = former.base_sha === next.base_sha;
  const [formerDiff, diff] = [changesIn(former.files), changesIn(next.files)];
  const [base, head] = before === null || after === null ? [unknownFiles, unknownFiles]
    : [traceTexts(former.base, next.base), traceTexts(before, after)];
  return {
    base: hasSameBase ? sameFiles : base,
    head: former.diff === null ? unknownFiles
      : firstKnown(before ?? new Map(), head, hasSameBase ? traceOnSameBase(formerDiff, diff) : unknownFiles),
    diff,
  };
};

const firstKnown = (texts: FileTexts, known: Trace, other: Trace): Trace =>
  (path) => texts.has(path) ? known(path) : other(path);

export const tracedPosition = (
  position: Position, former: VersionContent, next: VersionContent, change: VersionChange,
): Position | null => {
  const { base_sha, start_sha, head_sha } = next;
  const { old_path, new_path } = position;
  const place = position.position_type === 'text' ? traceLine({
    old_path: old_path ?? new_path!, new_path: new_path ?? old_path!,
    old_line: position.old_line ?? null, new_line: position.new_line ?? null,
  }, change) : isSameFile(new_path!, former, next) ? {} : null;
  return place && { ...position, base_sha: base_sha!, start_sha: start_sha!, head_sha: head_sha!, ...place };
};

/** Both diffs change it in the same way (behavior: pushes.whole-file). */
const isSameFile = (path: string, former: VersionContent, next: VersionContent): boolean => {
  const change = filePatch(former.diff, path);
  return former.base_sha === next.base_sha && change !== undefined && change === filePatch(next.diff, path);
};

/** Undefined for an image whose blobs the diff does not name: nobody knows whether it is the same. */
const filePatch = (diff: string | null, path: string): string | undefined => patchParts(diff ?? '')
  .filter(({ change }) => change.new_path === path).map(({ header, hunks }) => header + hunks)
  .find((part) => /^(?:@@|index|rename|old mode) /m.test(part));

/**
 * @throws HttpError 400 if it is incomplete (behavior: positions.incomplete, positions.empty), or not in the diff, if
 * the diff is known (behavior: positions.not-in-diff, positions.unknown-diff), or on a commit of something else
 * (behavior: positions.commit-of-merge-request)
 */
export const validPosition = async (
  call: Call, target: Target, given: PartialPosition, commit: string | null = null,
): Promise<Position> => {
  if (missingParts(given).length > 0) throw invalidNote({ position: ['is incomplete'] });
  if (commit && target.noteable.head_sha !== null && !await commitIn(call, target, commit)) {
    throw invalidNote({ commit_id: ['does not match the diff refs'] });
  }
  const { position, isOnDiff, version } = await locatePosition(call, target, given, commit);
  if (!isOnDiff) throw invalidNote({ line_code: ["can't be blank", 'must be a valid line code'] });
  return version ? onNewest(call, target, position, version) : position;
};

interface LocatedPosition {
  readonly position: Position;
  readonly isOnDiff: boolean;
  readonly lineCode: string | null;
  readonly isUnfolded?: boolean;
  readonly version?: DiffVersionRow;
}

export const locatePosition = async (
  call: Call, target: Target, given: PartialPosition, commit: string | null,
): Promise<LocatedPosition> => {
  const on = await commitOf(call, target, given, commit) ?? target.noteable;
  const version = on === target.noteable ? await olderVersion(call, target, given) : undefined;
  const diff = version ? await diffOfVersion(call.queries, version) : await storedDiff(call.queries, on.id);
  const diffRefs = version ?? on;
  const located = locateOnDiff(diffRefs, diff, withRefs(diffRefs, given), call.edition);
  const isThere = !located.isUnfolded || await mayHaveLine(call.queries, target.noteable, diffRefs, located.position);
  return { ...located, isOnDiff: located.isOnDiff && isThere, ...version && { version } };
};

/** In the base, which has all unchanged lines (behavior: positions.unfolded-end). */
const mayHaveLine = async (
  queries: Queries, { project_id }: NoteableRow, { base_sha }: Refs, { old_path, old_line }: PartialPosition,
): Promise<boolean> => {
  const text = base_sha === null ? undefined : (await filesOfBase(queries, project_id!, base_sha)).get(old_path!);
  return text === undefined || old_line! <= splitLines(text).length;
};

/**
 * Added lines have a new number, removed ones an old one, unchanged ones both (behavior: positions.which-lines).
 * @param diff null if it is not known
 */
export const locateOnDiff = (
  on: Refs, diff: string | null, given: PartialPosition, edition: Edition,
): LocatedPosition => {
  const files = diff === null ? null : filesOfDiff(diff);
  const fitting = files?.filter((change) => fits(change, given));
  const lineInFile = (file: FileChange) => given.position_type === 'text' ? lineIn(file, given, edition) : undefined;
  const file = fitting?.find(lineInFile) ?? fitting?.find(({ deleted_file }) => !deleted_file) ?? fitting?.[0];
  const position = storedPosition(given, file);
  if (!files) return { position, isOnDiff: true, lineCode: null };
  if (!file || !hasRefs(on, given)) return { position, isOnDiff: false, lineCode: null };
  const line = lineInFile(file);
  return {
    position, isOnDiff: given.position_type !== 'text' || line !== undefined,
    lineCode: line ? lineCode(position.new_path!, line) : null, isUnfolded: line !== undefined && !('kind' in line),
  };
};

type Line = Pick<DiffLine, 'oldLine' | 'newLine'>;

const lineIn = (file: FileChange, given: PartialPosition, edition: Edition): Line | undefined => {
  const lines = diffLines(file.diff);
  return lineAt(lines, given)
    ?? (holdsIn(positionFacts['positions.unfolded'], edition) ? unfoldedIn(file, lines, given) : undefined);
};

/** A file that is new or deleted has no unchanged lines. */
const unfoldedIn = (
  file: FileChange, lines: readonly DiffLine[], { old_line, new_line }: PartialPosition,
): Line | undefined => {
  if (file.new_file || file.deleted_file || !old_line || !new_line) return undefined;
  const line = unfoldedLine(lines, 'new', new_line);
  return line?.oldLine === old_line ? line : undefined;
};

/** Given paths must match the file: a renamed file needs its old path (behavior: positions.both-paths). */
const fits = (change: FileChange, { old_path, new_path }: PartialPosition): boolean =>
  (!new_path || change.new_path === new_path) && (!old_path || change.old_path === old_path);

export const commitOf = async (call: Call, target: Target, given: PartialPosition, sha: string | null) =>
  given.head_sha !== sha || hasRefs(target.noteable, given) ? undefined : commitIn(call, target, sha);

const commitIn = async ({ queries }: Call, { noteable }: Target, sha: string | null) =>
  (await commitsBetween(queries, noteable)).find((commit) => commit.sha === sha);

type Refs = Pick<NoteableRow, 'base_sha' | 'start_sha' | 'head_sha'>;

const olderVersion = async ({ queries }: Call, { kind, noteable }: Target, given: PartialPosition) =>
  kind !== 'merge_request' || isOn(noteable, given) ? undefined
    : (await diffVersionsOf(queries, noteable)).slice(1).find((version) => isOn(version, given));

const isOn = (refs: Refs, given: PartialPosition): boolean => hasRefs(refs, withRefs(refs, given));

/** behavior: positions.one-base */
const withRefs = (refs: Refs, given: PartialPosition): PartialPosition => {
  const { base_sha, start_sha, head_sha } = refs;
  const hasOneBase = given.base_sha === given.start_sha && [base_sha, start_sha].includes(given.base_sha ?? null);
  return hasOneBase && given.head_sha === head_sha && !hasRefs(refs, given) ? { ...given, base_sha, start_sha } : given;
};

/** As if the push came after the comment (behavior: pushes.former-version). */
const onNewest = async (
  { queries }: Call, { noteable }: Target, position: Position, version: DiffVersionRow,
): Promise<Position> => {
  const former = await versionContent(queries, noteable, version, await diffOfVersion(queries, version));
  const next = await versionContent(queries, noteable, noteable, await storedDiff(queries, noteable.id));
  return tracedPosition(position, former, next, versionChange(former, next)) ?? position;
};

/** behavior: positions.nulls, positions.missing-path */
const storedPosition = (given: PartialPosition, file: FileChange | undefined): Position => {
  const refs = { base_sha: given.base_sha!, start_sha: given.start_sha!, head_sha: given.head_sha! };
  const paths = {
    old_path: given.old_path || (file?.old_path ?? given.new_path!),
    new_path: given.new_path || (file?.new_path ?? given.old_path!),
  };
  if (given.position_type === 'image') {
    const { width, height, x, y } = given;
    return { ...refs, ...paths, position_type: 'image', width: width!, height: height!, x: x!, y: y! };
  }
  if (given.position_type === 'file') return { ...refs, ...paths, position_type: 'file' };
  return {
    ...refs, ...paths, position_type: 'text',
    old_line: given.old_line ?? null, new_line: given.new_line ?? null, line_range: given.line_range ?? null,
  };
};
