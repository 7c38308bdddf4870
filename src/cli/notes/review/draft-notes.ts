import type { DraftNote } from '../../../contract/lookups/draft-notes.js';
import { ApiError } from '../../../client/errors.js';
import { nullIfUnsupported } from '../../service/connection/unsupported.js';
import type { Target } from '../../service/targets/target.js';
import { positionText } from '../position/text.js';
import type { Writing } from './steps.js';

const pathOf = ({ path: { id }, ref }: Target) => ({ id, merge_request_iid: Number(ref.id) });

/** Null if the service has no draft notes. */
export const listDrafts = (target: Target): Promise<readonly DraftNote[] | null> =>
  nullIfUnsupported(ownDrafts(target));

/** Of the owner of the token. */
export const ownDrafts = (target: Target): Promise<readonly DraftNote[]> =>
  target.client.draftNotes.list(pathOf(target));

export const createDraft = (
  target: Target, { position, thread, body }: Writing, resolves: boolean,
): Promise<DraftNote> => target.client.draftNotes.create({
  ...pathOf(target), note: body, ...position && { position },
  ...thread !== null && { in_reply_to_discussion_id: thread, resolve_discussion: resolves },
});

/** Has the same text at the same place. */
export const isDraftOf = ({ position, thread, body }: Writing, draft: DraftNote): boolean =>
  draft.note === body && draft.discussion_id === thread && placeOf(position) === placeOf(draft.position);

const placeOf = (position: unknown): string => {
  const { old_path, new_path, old_line, new_line } = (position ?? {}) as Readonly<Record<string, unknown>>;
  return JSON.stringify([new_path ?? old_path, old_line, new_line].map((value) => value ?? null));
};

/** Empty for a draft that is not on the diff. */
export const draftPlace = (position: DraftNote['position']): string =>
  position.new_path === null ? '' : positionText(position);

/** Together, or one by one so that others stay drafts. A draft that is gone was published before. */
export const publishDrafts = async (target: Target, ids: readonly number[], isTogether: boolean): Promise<void> => {
  const { draftNotes } = target.client;
  if (isTogether) {
    await draftNotes.publishAll(pathOf(target));
    return;
  }
  for (const draft_note_id of ids) {
    await draftNotes.publish({ ...pathOf(target), draft_note_id }).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
    });
  }
};

export const deleteDraft = async (target: Target, draft_note_id: number): Promise<void> => {
  await target.client.draftNotes.delete({ ...pathOf(target), draft_note_id });
};
