import type { Contract } from '../../contract/contract.js';
import { readableNoteable } from '../access/noteable.js';
import { canResolveThread, demand } from '../access/rights.js';
import type { Behaviour } from '../call.js';
import { touchNoteable } from '../records/noteables.js';
import { updateNote } from '../records/notes.js';
import { forbidden } from '../refusal.js';
import { isResolvable } from '../render/note.js';
import { notesOfThread, threadJson } from './threads.js';

/**
 * Resolve or unresolve a thread: notes already resolved keep their resolver, times of change stay (wire-facts 4.9.7,
 * 4.4.3). Blank passes as null and unresolves (4.9.4b). An unknown thread is 404 here, where the real service fails
 * with 500 (4.9.6).
 */
export const resolveThread: Behaviour<Contract['discussions']['merge_request']['resolve']> = async (params, call) => {
  const target = await readableNoteable(call, 'merge_request', params);
  const thread = await notesOfThread(call, target, params);
  demand(canResolveThread(call, target));
  const resolvable = thread.filter((note) => isResolvable(target.noteable, note));
  if (resolvable.length === 0) throw forbidden();
  const changes = params.resolved
    ? { resolved_by: call.caller.id, resolved_at: call.now }
    : { resolved_by: null, resolved_at: null };
  const toChange = resolvable.filter((note) => (note.resolved_at !== null) !== Boolean(params.resolved));
  for (const note of toChange) await updateNote(call.queries, note.id, changes);
  if (toChange.length > 0) await touchNoteable(call.queries, target.noteable.id);
  return threadJson(call, target, await notesOfThread(call, target, params));
};
