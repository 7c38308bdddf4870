import { holdsIn } from '../../contract/behavior/fact.js';
import { draftFacts } from '../../contract/behavior/merge-requests.js';
import type { DraftNote } from '../../contract/lookups/draft-notes.js';
import type { Contract } from '../../contract/operations.js';
import type { QuickActions } from '../../contract/shapes/note.js';
import { missingParts, type PartialPosition, type Position } from '../../contract/shapes/position.js';
import {
  canComment, canResolveThread, lockNoteable, readableNoteable, requirePermission, type Target,
} from '../api/access.js';
import type { Call, HandlersOf } from '../api/context.js';
import {
  badRequest, fullMessages, HttpError, httpError, invalidFields, InvalidNote, json, type Json, jsonArray,
  publishingFailed, recordNotFound,
} from '../http/response.js';
import { setReviewerState } from '../repositories/issuables.js';
import {
  draftNoteOf, type DraftNoteRow, draftNotesOf, hasDraftReply, insertDraftNote, removeDraftNote,
  type ShownNoteRow, touchNoteable, updateDraftNote,
} from '../repositories/notes.js';
import { addComment, addReply, startThread, textProblem } from './discussions/add.js';
import { isResolvableThread, reportingLastThread, setResolved } from './discussions/change.js';
import { commitOf, locatePosition } from './discussions/position.js';
import { threadIfReadable } from './discussions/read.js';

interface DraftPath { readonly id: number | string | null; readonly merge_request_iid: number | null }

const readMergeRequest = (call: Call, { id, merge_request_iid }: DraftPath, read = readableNoteable): Promise<Target> =>
  read(call, 'merge_request', { id, noteable_id: merge_request_iid });

const lockMergeRequest = (call: Call, path: DraftPath): Promise<Target> => readMergeRequest(call, path, lockNoteable);

const ownDrafts = (call: Call, { noteable }: Target) => draftNotesOf(call.queries, noteable.id, call.caller.id);

/** @throws HttpError 404, even for one of another author */
const ownDraft = async (
  call: Call, { noteable }: Target, { draft_note_id: id }: { readonly draft_note_id: number | null },
): Promise<DraftNoteRow> => {
  const draft = id === null ? undefined : await draftNoteOf(call.queries, noteable.id, call.caller.id, id);
  if (!draft) throw recordNotFound();
  return draft;
};

const invalid = (field: string, text: string): HttpError => invalidFields({ [field]: [text] });

/** @throws HttpError 400 (behavior: drafts.reply-unknown, drafts.reply-system) */
const repliedThread = async (call: Call, target: Target, id: string): Promise<readonly ShownNoteRow[]> => {
  const thread = await threadIfReadable(call, target, id);
  if (thread.length === 0) throw invalid('base', 'Thread to reply to cannot be found');
  if (thread[0]!.system) throw invalid('base', 'Replies to system notes are not allowed');
  return thread;
};

/** @throws HttpError 400 (behavior: drafts.text) */
const checkText = (text: string | null): string => {
  const problem = textProblem(text);
  if (problem !== null) throw invalid('note', problem);
  return text!;
};

/** Browsers send the word `undefined` for none. */
const commitIn = (given: string | null | undefined): string | null =>
  given && given !== 'undefined' ? given : null;

/** @throws HttpError 400 (behavior: drafts.incomplete, drafts.line-code, drafts.commit-id) */
const positionFields = async (
  call: Call, target: Target, sent: PartialPosition | null | undefined, commit_id: string | null,
) => {
  const given = sent && missingParts(sent).length === 0 ? sent : null;
  if (commit_id !== null && !(given && await commitOf(call, target, given, commit_id))) {
    throw invalid('commit_id', 'does not match the diff refs');
  }
  if (!given) return { commit_id, position: null, line_code: null };
  const { position, lineCode } = await locatePosition(call, target, given, commit_id);
  return { commit_id, position: JSON.stringify(position), line_code: lineCode };
};

/** behavior: drafts.no-position */
const noPosition = {
  base_sha: null, start_sha: null, head_sha: null, old_path: null, new_path: null, position_type: 'text',
  old_line: null, new_line: null, line_range: null,
} as const;

/** behavior: drafts.keys */
const draftNoteJson = ({ noteable }: Target, draft: DraftNoteRow): Json<DraftNote> => {
  const { id, author_id, discussion_id, note, commit_id, line_code, position } = draft;
  return json<DraftNote>({
    id, author_id, merge_request_id: noteable.global_id, resolve_discussion: draft.resolve_discussion === 1,
    discussion_id, note, commit_id, line_code,
    position: position === null ? noPosition : JSON.parse(position) as DraftNote['position'],
  });
};

/** Posts it if there is none (behavior: drafts.review-note, drafts.review-actions, drafts.review-blank). */
const summaryProblem = async (
  call: Call, target: Target, summary: { readonly body: string; readonly internal: boolean | null | undefined },
): Promise<string | null> => {
  try {
    const added = await addComment(call, target, summary);
    if (!('accepted' in added)) return null;
    return ['Commands only', ...(JSON.parse(added.accepted) as QuickActions).summary].join(' ');
  } catch (error) {
    if (error instanceof InvalidNote) return fullMessages(error.fields);
    throw error;
  }
};

/**
 * behavior: drafts.publish-together, drafts.publish-failed, drafts.publish-all-failed, drafts.publish-all-text @throws
 * HttpError 500
 */
const publish = async (
  call: Call, target: Target, drafts: readonly DraftNoteRow[], namesReason = false,
): Promise<void> => {
  const failed = (reason: string) => namesReason ? httpError(500, reason) : publishingFailed();
  if (!canComment(target)) throw failed('Not allowed to create notes');
  try {
    await reportingLastThread(call, target, async () => {
      for (const draft of drafts) await publishOne(call, target, draft);
    });
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const reason = error instanceof InvalidNote ? fullMessages(error.fields) : 'Thread is not found';
    throw failed(`Unable to save Note: ${reason}`);
  }
};

/** behavior: drafts.publish, drafts.publish-actions */
const publishOne = async (call: Call, target: Target, draft: DraftNoteRow): Promise<void> => {
  const { id, discussion_id, note: body, commit_id } = draft;
  if (discussion_id === null) {
    const position = draft.position === null ? null : JSON.parse(draft.position) as Position;
    await startThread(call, target, { body, position, commit_id });
  } else await reply(call, target, discussion_id, draft);
  await removeDraftNote(call.queries, id);
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

export const draftNoteHandlers: HandlersOf<Contract['draftNotes']> = {
  /** behavior: drafts.own, drafts.unpaged */
  list: async (params, call) => {
    const target = await readMergeRequest(call, params);
    return jsonArray((await ownDrafts(call, target)).map((draft) => draftNoteJson(target, draft)));
  },
  get: async (params, call) => {
    const target = await readMergeRequest(call, params);
    return draftNoteJson(target, await ownDraft(call, target, params));
  },
  /** behavior: drafts.resolve-right */
  create: async (params, call) => {
    const target = await lockMergeRequest(call, params);
    requirePermission(canComment(target));
    const { in_reply_to_discussion_id: reply, resolve_discussion } = params;
    const thread = reply ? await repliedThread(call, target, reply) : null;
    const canResolve = thread && canResolveThread(call, target) && isResolvableThread(call, target, thread);
    if (resolve_discussion && !canResolve) {
      throw invalid('base', 'User is not allowed to resolve thread');
    }
    const row = {
      noteable: target.noteable.id, author_id: call.caller.id, discussion_id: thread?.[0]!.discussion_id ?? null,
      note: checkText(params.note), resolve_discussion: Number(resolve_discussion ?? false),
      ...await positionFields(call, target, params.position, commitIn(params.commit_id)),
    };
    const { noteable, author_id, discussion_id } = row;
    if (discussion_id !== null && await hasDraftReply(call.queries, noteable, author_id, discussion_id)) {
      throw invalid('author_id', 'has already been taken');
    }
    const id = await insertDraftNote(call.queries, row);
    await touchNoteable(call.queries, target.noteable.id);
    return draftNoteJson(target, { ...row, id });
  },
  /** behavior: drafts.edit-missing, drafts.edit-position */
  modify: async (params, call) => {
    if (params.note === undefined || params.note === null) throw badRequest('Missing params to modify');
    const target = await lockMergeRequest(call, params);
    const draft = await ownDraft(call, target, params);
    requirePermission(canComment(target));
    const fields = await positionFields(call, target, params.position, draft.commit_id);
    const changed = { ...draft, note: checkText(params.note), ...fields };
    await updateDraftNote(call.queries, changed);
    await touchNoteable(call.queries, target.noteable.id);
    return draftNoteJson(target, changed);
  },
  delete: async (params, call) => {
    const target = await lockMergeRequest(call, params);
    const { id } = await ownDraft(call, target, params);
    await removeDraftNote(call.queries, id);
    await touchNoteable(call.queries, target.noteable.id);
  },
  publish: async (params, call) => {
    const target = await lockMergeRequest(call, params);
    await publish(call, target, [await ownDraft(call, target, params)]);
  },
  /** behavior: drafts.publish-all, drafts.review, drafts.review-order, drafts.review-approval */
  publishAll: async (params, call) => {
    const { note, internal, reviewer_state } = params;
    const target = await lockMergeRequest(call, params);
    const namesReason = holdsIn(draftFacts['drafts.publish-all-failed'], call.edition);
    await publish(call, target, await ownDrafts(call, target), namesReason);
    const problem = note?.trim() ? await summaryProblem(call, target, { body: note, internal }) : null;
    if (problem !== null) return { failure: httpError(422, problem) };
    if (reviewer_state) await setReviewerState(call.queries, target.noteable.id, call.caller.id, reviewer_state);
  },
};
