import type { Contract } from '../../../contract/operations.js';
import type { Position } from '../../../contract/shapes/position.js';
import { canComment, canResolveThread, type Target } from '../../api/access/access.js';
import type { Call, OperationHandler } from '../../api/context.js';
import { HttpError, publishingFailed } from '../../http/errors.js';
import { deleteDraftNote, type DraftNoteRow } from '../../repositories/draft-notes.js';
import { touchNoteable } from '../../repositories/noteables.js';
import { addReply, startThread } from '../discussions/add.js';
import { isResolvableThread, setResolved } from '../discussions/change.js';
import { threadIfReadable } from '../discussions/read.js';
import { lockedMergeRequest, ownDraft, ownDrafts } from './read.js';

type DraftNotes = Contract['draftNotes'];

export const publishDraftNote: OperationHandler<DraftNotes['publish']> = async (params, call) => {
  const target = await lockedMergeRequest(call, params);
  await publish(call, target, [await ownDraft(call, target, params)]);
};

/** behavior: drafts.publish-all */
export const publishDraftNotes: OperationHandler<DraftNotes['publishAll']> = async (params, call) => {
  const target = await lockedMergeRequest(call, params);
  await publish(call, target, await ownDrafts(call, target));
};

/**
 * All of them or none, because one that fails undoes the transaction (behavior: drafts.publish-together).
 * @throws HttpError 500 (behavior: drafts.publish-failed)
 */
const publish = async (call: Call, target: Target, drafts: readonly DraftNoteRow[]): Promise<void> => {
  if (!canComment(target)) throw publishingFailed();
  try {
    for (const draft of drafts) await publishOne(call, target, draft);
  } catch (error) {
    throw error instanceof HttpError ? publishingFailed() : error;
  }
};

/** behavior: drafts.publish, drafts.publish-actions */
const publishOne = async (call: Call, target: Target, draft: DraftNoteRow): Promise<void> => {
  const { id, discussion_id, note: body, commit_id } = draft;
  if (discussion_id === null) {
    const position = draft.position === null ? null : JSON.parse(draft.position) as Position;
    await startThread(call, target, { body, position, commit_id });
  } else await reply(call, target, discussion_id, draft);
  await deleteDraftNote(call.queries, id);
  await touchNoteable(call.queries, target.noteable.id);
};

/** @throws HttpError 500 if the thread is gone */
const reply = async (call: Call, target: Target, thread: string, draft: DraftNoteRow): Promise<void> => {
  const [first] = await threadIfReadable(call, target, thread);
  if (!first) throw publishingFailed();
  await addReply(call, target, first, { body: draft.note });
  const notes = await threadIfReadable(call, target, thread);
  if (!isResolvableThread(call, target, notes)) return;
  await setResolved(call, target, notes, draft.resolve_discussion === 1 && canResolveThread(call, target));
};
