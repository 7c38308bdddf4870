import type { Contract } from '../../contract/contract.js';
import type { NoteableKind } from '../../contract/noteables.js';
import type { Discussion } from '../../contract/shapes/discussion.js';
import { heldNoteable } from '../access/noteable.js';
import { canComment, demand } from '../access/rights.js';
import type { AcceptedOf, Call } from '../call.js';
import type { Json } from '../json.js';
import { discussionJson } from '../render/note.js';
import { addNote } from './add.js';
import { checkBody, keptBody } from './body.js';
import { creationTime } from './created-at.js';
import { checkedPosition } from './position.js';

type Issue = Contract['discussions']['issue']['create'];
type MergeRequest = Contract['discussions']['merge_request']['create'];
type NewThread = AcceptedOf<Issue> & Partial<Pick<AcceptedOf<MergeRequest>, 'position' | 'commit_id'>>;

/**
 * Create thread. With a position it is a diff note, else a discussion note; never a single comment (wire-facts 4.3.4,
 * 4.5.2). `commit_id` counts only together with a position (4.5.1).
 */
export const createThread = (kind: NoteableKind) =>
  async (params: NewThread, call: Call): Promise<Json<Discussion>> => {
    const target = await heldNoteable(call, kind, params);
    demand(canComment(target));
    const body = keptBody(kind, checkBody(params.body));
    const position = params.position ? await checkedPosition(call, target, params.position) : null;
    const discussion_id = call.hex(40);
    const note = await addNote(call, target, {
      discussion_id,
      type: position ? 'DiffNote' : 'DiscussionNote',
      body,
      created_at: creationTime(target, params.created_at, call.now),
      position: position && JSON.stringify(position),
      commit_id: position && params.commit_id ? params.commit_id : null,
    });
    return discussionJson([note]);
  };
