import type { Contract } from '../../../contract/operations.js';
import { missingParts, type PartialPosition } from '../../../contract/shapes/position.js';
import { canComment, canResolveThread, requirePermission, type Target } from '../../api/access/access.js';
import type { Call, OperationHandler } from '../../api/context.js';
import { badRequest, invalidFields, type HttpError } from '../../http/errors.js';
import {
  deleteDraftNote as deleteRow, hasDraftReply, insertDraftNote, updateDraftNote,
} from '../../repositories/draft-notes.js';
import { touchNoteable } from '../../repositories/noteables.js';
import type { ShownNoteRow } from '../../repositories/notes.js';
import { isResolvableThread } from '../discussions/change.js';
import { textProblem } from '../discussions/note-text.js';
import { commitOf, findPlace } from '../discussions/position.js';
import { threadIfReadable } from '../discussions/read.js';
import { lockedMergeRequest, ownDraft, shownDraft } from './read.js';

type DraftNotes = Contract['draftNotes'];

export const createDraftNote: OperationHandler<DraftNotes['create']> = async (params, call) => {
  const target = await lockedMergeRequest(call, params);
  requirePermission(canComment(target));
  const { in_reply_to_discussion_id: reply, resolve_discussion } = params;
  const thread = reply ? await repliedThread(call, target, reply) : null;
  if (resolve_discussion && !(thread && canResolve(call, target, thread))) {
    throw invalid('base', 'User is not allowed to resolve thread');
  }
  const row = {
    noteable: target.noteable.id, author_id: call.caller.id, discussion_id: thread?.[0]!.discussion_id ?? null,
    note: checkText(params.note), resolve_discussion: Number(resolve_discussion ?? false),
    ...await placeOf(call, target, params.position, commitIn(params.commit_id)),
  };
  if (row.discussion_id !== null && await hasDraftReply(call.queries, row.noteable, row.author_id, row.discussion_id)) {
    throw invalid('author_id', 'has already been taken');
  }
  const id = await insertDraftNote(call.queries, row);
  await touchNoteable(call.queries, target.noteable.id);
  return shownDraft(target, { ...row, id });
};

/** behavior: drafts.edit-missing, drafts.edit-position */
export const modifyDraftNote: OperationHandler<DraftNotes['modify']> = async (params, call) => {
  if (params.note === undefined || params.note === null) throw badRequest('Missing params to modify');
  const target = await lockedMergeRequest(call, params);
  const draft = await ownDraft(call, target, params);
  requirePermission(canComment(target));
  const place = await placeOf(call, target, params.position, draft.commit_id);
  const changed = { ...draft, note: checkText(params.note), ...place };
  await updateDraftNote(call.queries, changed);
  await touchNoteable(call.queries, target.noteable.id);
  return shownDraft(target, changed);
};

export const deleteDraftNote: OperationHandler<DraftNotes['delete']> = async (params, call) => {
  const target = await lockedMergeRequest(call, params);
  const { id } = await ownDraft(call, target, params);
  await deleteRow(call.queries, id);
  await touchNoteable(call.queries, target.noteable.id);
};

const invalid = (field: string, text: string): HttpError => invalidFields({ [field]: [text] });

/** @throws HttpError 400 (behavior: drafts.reply-unknown, drafts.reply-system) */
const repliedThread = async (call: Call, target: Target, id: string): Promise<readonly ShownNoteRow[]> => {
  const thread = await threadIfReadable(call, target, id);
  if (thread.length === 0) throw invalid('base', 'Thread to reply to cannot be found');
  if (thread[0]!.system) throw invalid('base', 'Replies to system notes are not allowed');
  return thread;
};

/** behavior: drafts.resolve-right */
const canResolve = (call: Call, target: Target, thread: readonly ShownNoteRow[]): boolean =>
  canResolveThread(call, target) && isResolvableThread(call, target, thread);

/** @throws HttpError 400 (behavior: drafts.text) */
const checkText = (text: string | null): string => {
  const problem = textProblem(text);
  if (problem !== null) throw invalid('note', problem);
  return text!;
};

/** Browsers send this word for none. */
const commitIn = (given: string | null | undefined): string | null =>
  given && given !== 'undefined' ? given : null;

/** @throws HttpError 400 (behavior: drafts.incomplete, drafts.line-code, drafts.commit-id) */
const placeOf = async (
  call: Call, target: Target, given: PartialPosition | null | undefined, commit_id: string | null,
) => {
  if (given && missingParts(given).length > 0) throw invalid('position', 'is incomplete');
  if (commit_id !== null && !(given && await commitOf(call, target, given, commit_id))) {
    throw invalid('commit_id', 'does not match the diff refs');
  }
  if (!given) return { commit_id, position: null, line_code: null };
  const { position, lineCode } = await findPlace(call, target, given, commit_id);
  return { commit_id, position: JSON.stringify(position), line_code: lineCode };
};
