import type { DraftNote } from '../../../contract/lookups/draft-notes.js';
import type { Contract } from '../../../contract/operations.js';
import { lockedNoteable, readableNoteable, type Target } from '../../api/access/access.js';
import type { Call, OperationHandler } from '../../api/context.js';
import { recordNotFound } from '../../http/errors.js';
import { jsonArray, type Json } from '../../http/json.js';
import { draftNoteOf, draftNotesOf, type DraftNoteRow } from '../../repositories/draft-notes.js';
import { draftNoteJson } from '../../serializers/draft-note.js';

type DraftNotes = Contract['draftNotes'];

interface DraftPath { readonly id: number | string | null; readonly merge_request_iid: number | null }
interface OneDraftPath extends DraftPath { readonly draft_note_id: number | null }

const noteablePath = ({ id, merge_request_iid }: DraftPath) => ({ id, noteable_id: merge_request_iid });

/** behavior: drafts.own, drafts.unpaged */
export const listDraftNotes: OperationHandler<DraftNotes['list']> = async (params, call) => {
  const target = await readableNoteable(call, 'merge_request', noteablePath(params));
  return jsonArray((await ownDrafts(call, target)).map((draft) => shownDraft(target, draft)));
};

export const getDraftNote: OperationHandler<DraftNotes['get']> = async (params, call) => {
  const target = await readableNoteable(call, 'merge_request', noteablePath(params));
  return shownDraft(target, await ownDraft(call, target, params));
};

/** For changes. @throws HttpError 404 */
export const lockedMergeRequest = (call: Call, path: DraftPath): Promise<Target> =>
  lockedNoteable(call, 'merge_request', noteablePath(path));

export const ownDrafts = (call: Call, { noteable }: Target) =>
  draftNotesOf(call.queries, noteable.id, call.caller.id);

/** @throws HttpError 404, even for one of another author */
export const ownDraft = async (call: Call, { noteable }: Target, path: OneDraftPath): Promise<DraftNoteRow> => {
  const { draft_note_id: id } = path;
  const draft = id === null ? undefined : await draftNoteOf(call.queries, noteable.id, call.caller.id, id);
  if (!draft) throw recordNotFound();
  return draft;
};

export const shownDraft = ({ noteable }: Target, draft: DraftNoteRow): Json<DraftNote> =>
  draftNoteJson(draft, noteable.global_id);
