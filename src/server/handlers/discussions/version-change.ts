import { applied } from '../../../diff/apply.js';
import { changesOf, type FileChange, parsePatch, partsOf } from '../../../diff/patch.js';
import { sameFiles, type Texts, traceOnSameBase, traceTexts, unknownFiles } from '../../../diff/matching.js';
import { traceLine, type LinePlace, type Trace, type VersionChange } from '../../../diff/trace.js';
import { filesOfBase } from '../../repositories/files.js';
import type { NoteableRow } from '../../repositories/noteables.js';
import type { Queries } from '../../store/database.js';
import type { Position } from '../../../contract/shapes/position.js';

/** One version of a merge request, as far as it is known. */
export interface VersionContent {
  readonly base_sha: string | null;
  readonly start_sha: string | null;
  readonly head_sha: string | null;
  /** Null if it is not known. */
  readonly diff: string | null;
  readonly files: readonly FileChange[];
  /** The texts of its base; empty if they are not known. */
  readonly base: Texts;
}

type Refs = Pick<VersionContent, 'base_sha' | 'start_sha' | 'head_sha'>;

export const versionContent = async (
  queries: Queries, { project_id }: NoteableRow, { base_sha, start_sha, head_sha }: Refs, diff: string | null,
): Promise<VersionContent> => ({
  base_sha, start_sha, head_sha, diff, files: parsePatch(diff ?? ''),
  base: base_sha === null ? new Map() : await filesOfBase(queries, project_id!, base_sha),
});

/** Without files that the diff changes but nobody knows. Null if the diff is not known, or does not fit. */
export const headTexts = ({ base, diff, files }: Pick<VersionContent, 'base' | 'diff' | 'files'>): Texts | null =>
  diff === null ? null : base.size === 0 ? new Map()
    : applied(base, files.filter((file) => file.new_file || base.has(file.old_path)));

/** From the texts where they are known, else from the diffs if both have the same base (behavior: pushes.unknown). */
export const versionChange = (former: VersionContent, next: VersionContent): VersionChange => {
  const [before, after] = [headTexts(former), headTexts(next)];
  const hasSameBase = former.base_sha === next.base_sha;
  const [formerDiff, diff] = [changesOf(former.files), changesOf(next.files)];
  const [base, head] = before === null || after === null ? [unknownFiles, unknownFiles]
    : [traceTexts(former.base, next.base), traceTexts(before, after)];
  return {
    base: hasSameBase ? sameFiles : base,
    head: former.diff === null ? unknownFiles
      : firstKnown(before ?? new Map(), head, hasSameBase ? traceOnSameBase(formerDiff, diff) : unknownFiles),
    diff,
  };
};

const firstKnown = (texts: Texts, known: Trace, other: Trace): Trace =>
  (path) => texts.has(path) ? known(path) : other(path);

/** Of the next version; null if the comment on it is outdated. */
export const tracedPosition = (
  position: Position, former: VersionContent, next: VersionContent, change: VersionChange,
): Position | null => {
  const { base_sha, start_sha, head_sha } = next;
  const place = position.position_type === 'text' ? traceLine(placeOf(position), change)
    : isSameFile(position.new_path!, former, next) ? {} : null;
  return place && { ...position, base_sha: base_sha!, start_sha: start_sha!, head_sha: head_sha!, ...place };
};

const placeOf = ({ old_path, new_path, old_line, new_line }: Extract<Position, { position_type: 'text' }>): LinePlace =>
  ({
    old_path: old_path ?? new_path!, new_path: new_path ?? old_path!, old_line: old_line ?? null,
    new_line: new_line ?? null,
  });

/** Both diffs change it in the same way (behavior: pushes.whole-file). */
const isSameFile = (path: string, former: VersionContent, next: VersionContent): boolean => {
  const change = partOf(former.diff, path);
  return former.base_sha === next.base_sha && change !== undefined && change === partOf(next.diff, path);
};

/** Undefined for an image whose blobs the diff does not name: nobody knows whether it is the same. */
const partOf = (diff: string | null, path: string): string | undefined => partsOf(diff ?? '')
  .filter(({ change }) => change.new_path === path).map(({ header, hunks }) => header + hunks)
  .find((part) => /^(?:@@|index|rename|old mode) /m.test(part));
