import type { Contract } from '../../contract/contract.js';
import { noteables, type NoteableKind } from '../../contract/noteables.js';
import { heldNoteable } from '../access/noteable.js';
import { canComment, demand } from '../access/rights.js';
import type { Behaviour } from '../call.js';
import { isThreadResolved } from '../records/threads.js';
import { badRequest } from '../refusal.js';
import { numbered } from '../render/note.js';
import { addNote } from './add.js';
import { checkBody, keptBody } from './body.js';
import { changeNote } from './change.js';
import { creationTime } from './created-at.js';
import { threadStart } from './threads.js';

type AddNote = Contract['discussions']['issue']['addNote'];

/**
 * Add note. In a diff thread the reply takes the position over (wire-facts 4.8.1); in a resolved one it is born
 * resolved (4.8.7); a single comment or system note becomes a thread by it, on the kinds that allow it (4.8.2–4.8.4).
 */
export const addNoteToThread = (kind: NoteableKind): Behaviour<AddNote> => async (params, call) => {
  const target = await heldNoteable(call, kind, params);
  const first = await threadStart(call, target, params);
  demand(canComment(target));
  const isComment = first.type === null;
  if (isComment && !noteables[kind].threadsFromComments) throw badRequest('Discussion can not be replied to.');
  const body = keptBody(kind, checkBody(params.body));
  const note = await addNote(call, target, {
    discussion_id: first.discussion_id,
    first,
    type: first.type === 'DiffNote' ? 'DiffNote' : 'DiscussionNote',
    body,
    created_at: creationTime(target, params.created_at, call.now),
    position: first.position,
    commit_id: first.commit_id,
    resolved: noteables[kind].resolvable
      && await isThreadResolved(call.queries, target.noteable.id, first.discussion_id),
  });
  if (isComment) await changeNote(call, target, first, { type: 'DiscussionNote' });
  return numbered(note.id, note.fragment);
};
