import type { DiffVersion, FileDiff } from '../../contract/companions/shapes.js';
import type { Contract } from '../../contract/contract.js';
import { parsePatch, type FileChange } from '../../diff/patch.js';
import { readableNoteable } from '../access/noteable.js';
import type { Behaviour, Call, PageOf } from '../call.js';
import { json } from '../json.js';
import { diffOf, type NoteableRow } from '../records/noteables.js';
import { diffRefsOf } from './diff-refs.js';

type Lookups = Contract['lookups'];

/** A merge request has one version of its diff here, or none where its SHAs are not known. */
export const listVersions: Behaviour<Lookups['versions']> = async ({ id, iid }, call) => {
  const { noteable } = await readableNoteable(call, 'merge_request', { id, noteable_id: iid });
  return pageOf(call, versionsOf(noteable, await filesOf(call, noteable)));
};

/** The changed files, in the order of the diff; a merge request without a diff has none. */
export const listDiffs: Behaviour<Lookups['diffs']> = async ({ id, iid }, call) => {
  const { noteable } = await readableNoteable(call, 'merge_request', { id, noteable_id: iid });
  return pageOf<FileDiff>(call, await filesOf(call, noteable));
};

const versionsOf = (noteable: NoteableRow, files: readonly FileChange[]): DiffVersion[] => {
  const refs = diffRefsOf(noteable);
  return refs === null ? [] : [{
    id: noteable.global_id,
    head_commit_sha: refs.head_sha,
    base_commit_sha: refs.base_sha,
    start_commit_sha: refs.start_sha,
    created_at: noteable.created_at,
    merge_request_id: noteable.global_id,
    state: 'collected',
    real_size: String(files.length),
  }];
};

const filesOf = async (call: Call, { id }: NoteableRow): Promise<FileChange[]> => {
  const diff = await diffOf(call.queries, id);
  return diff === null ? [] : parsePatch(diff);
};

const pageOf = <T>({ page: { offset, limit } }: Call, all: readonly T[]): PageOf<T> =>
  ({ items: all.slice(offset, offset + limit).map((item) => json(item)), rows: all.length });
