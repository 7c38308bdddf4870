import type { DiffRefs } from '../../contract/companions/change-shapes.js';
import type { NoteableRow } from '../records/noteables.js';

/** The SHAs that a position on a noteable's diff takes, or null unless all three are known. */
export const diffRefsOf = ({ base_sha, head_sha, start_sha }: NoteableRow): DiffRefs | null =>
  base_sha !== null && head_sha !== null && start_sha !== null ? { base_sha, head_sha, start_sha } : null;
