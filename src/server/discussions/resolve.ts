import type { Contract } from '../../contract/contract.js';
import { heldNoteable } from '../access/noteable.js';
import { canResolveThread, demand } from '../access/rights.js';
import type { Behaviour } from '../call.js';
import { forbidden } from '../refusal.js';
import { discussionJson, isResolvable, withFragment, type ThreadPart } from '../render/note.js';
import { changeNote } from './change.js';
import { notesOfThread } from './threads.js';

/**
 * Resolve or unresolve a thread: notes already resolved keep their resolver, times of change stay (wire-facts 4.9.7,
 * 4.4.3). Blank passes as null and unresolves (4.9.4b). An unknown thread is 404 here, where the real service fails
 * with 500 (4.9.6).
 */
export const resolveThread: Behaviour<Contract['discussions']['merge_request']['resolve']> = async (params, call) => {
  const target = await heldNoteable(call, 'merge_request', params);
  const thread = await notesOfThread(call, target, params);
  demand(canResolveThread(call, target));
  const resolvable = thread.filter((note) => isResolvable(target.noteable, note));
  if (resolvable.length === 0) throw forbidden();
  const changes = params.resolved
    ? { resolved_by: call.caller.id, resolved_at: call.now }
    : { resolved_by: null, resolved_at: null };
  const shown: ThreadPart[] = [];
  for (const note of thread) {
    const isToChange = resolvable.includes(note) && (note.resolved_at !== null) !== Boolean(params.resolved);
    shown.push(isToChange ? await changeNote(call, target, note, changes)
      : withFragment(target.noteable, note, call.dialect));
  }
  return discussionJson(shown);
};
