import type { DraftNote } from '../../contract/lookups/draft-notes.js';
import { json, type Json } from '../http/json.js';
import type { DraftNoteRow } from '../repositories/draft-notes.js';

/** Complete, whatever its type (behavior: drafts.no-position). */
const noPosition = {
  base_sha: null, start_sha: null, head_sha: null, old_path: null, new_path: null, position_type: 'text',
  old_line: null, new_line: null, line_range: null,
} as const;

/** @param mergeRequest global id (behavior: drafts.keys) */
export const draftNoteJson = (draft: DraftNoteRow, mergeRequest: number): Json<DraftNote> => json<DraftNote>({
  id: draft.id,
  author_id: draft.author_id,
  merge_request_id: mergeRequest,
  resolve_discussion: draft.resolve_discussion === 1,
  discussion_id: draft.discussion_id,
  note: draft.note,
  commit_id: draft.commit_id,
  line_code: draft.line_code,
  position: draft.position === null ? noPosition : JSON.parse(draft.position) as DraftNote['position'],
});
