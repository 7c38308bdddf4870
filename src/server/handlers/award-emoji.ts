import { holdsIn } from '../../contract/behavior/fact.js';
import { awardFacts } from '../../contract/behavior/notes.js';
import { emojiName, emojiPattern, type NoteableKind } from '../../contract/conventions.js';
import type { AwardEmoji } from '../../contract/lookups/award-emoji.js';
import type { Contract } from '../../contract/operations.js';
import { canComment, lockNoteable, readableNoteable, visibleGroup } from '../api/access.js';
import { requestedPage, type Call, type HandlersOf } from '../api/context.js';
import { json, type Json, jsonFields, jsonObject, notFound, recordNotFound, unauthorized } from '../http/response.js';
import { epicByIid } from '../repositories/epics.js';
import { awardOf, type AwardRow, awardsOf, deleteAward, insertAward } from '../repositories/notes.js';
import { userJson } from '../serializers/note.js';
import { checkUnmodified } from './discussions/change.js';
import { noteInPath, type NotePath } from './discussions/read.js';

/** @param reason of the service @throws HttpError 404 (behavior: awards.hidden) */
const noAward = (reason = '') => notFound(`Award Emoji${reason && ` ${reason}`}`);

const awardJson = (
  { edition }: Call, { id, name, created_at, note_id, ...award }: AwardRow,
): Json<AwardEmoji> => jsonObject<AwardEmoji>({
  ...jsonFields({ id, name }),
  user: userJson({
    id: award.user_id, username: award.user_username, name: award.user_name, state: award.user_state,
  }, edition),
  ...jsonFields({ created_at, updated_at: created_at, awardable_id: note_id, awardable_type: 'Note' }),
  url: holdsIn(awardFacts['awards.url'], edition) ? json(null) : undefined,
});

/** Reads and changes find the note in the same way (behavior: awards.hidden). */
const awardedNote = async (call: Call, kind: NoteableKind, path: NotePath, noteableOf = readableNoteable) =>
  noteInPath(call, kind, kind === 'epic' ? await withGlobalId(call, path) : path, noteableOf, () => noAward());

/** An unknown epic takes as many queries as a hidden one (behavior: awards.epic-iid). */
const withGlobalId = async (call: Call, { noteable_id: iid, ...path }: NotePath): Promise<NotePath> => {
  const { container } = await visibleGroup(call, path.id);
  const epic = typeof iid === 'number' ? await epicByIid(call.queries, container.id, iid) : undefined;
  return { ...path, noteable_id: epic?.id ?? 0 };
};

/** @throws HttpError 404 (behavior: awards.unknown) */
const findAward = async ({ queries }: Call, note: number, id: number | null): Promise<AwardRow> => {
  const award = id === null ? undefined : await awardOf(queries, note, id);
  if (!award) throw recordNotFound();
  return award;
};

/** @throws HttpError 404 (behavior: awards.invalid-name, awards.names) */
const validName = (given: string | null): string => {
  const name = emojiName(given ?? '');
  if (!emojiPattern.test(name)) throw noAward('Name is not a valid emoji name');
  return name;
};

/** Nothing is announced to webhooks (behavior: awards.paths, awards.create, awards.no-hooks). */
const ofKind = (kind: NoteableKind): HandlersOf<Contract['awardEmoji']['issue']> => ({
  list: async (path, call) => {
    const { note } = await awardedNote(call, kind, path);
    return requestedPage(call, (await awardsOf(call.queries, note.id)).map((award) => awardJson(call, award)));
  },
  get: async (path, call) => {
    const { note } = await awardedNote(call, kind, path);
    return awardJson(call, await findAward(call, note.id, path.award_id));
  },
  /** The noteable is locked, so that an emoji is awarded once (behavior: awards.again, awards.system-notes). */
  create: async ({ name, ...path }, call) => {
    const { target, note } = await awardedNote(call, kind, path, lockNoteable);
    if (!canComment(target)) throw noAward();
    if (note.system) throw noAward('Awardable cannot be awarded emoji');
    const id = await insertAward(call.queries, note.id, call.caller.id, validName(name), call.now);
    if (id === null) throw noAward('Name has already been taken');
    return awardJson(call, await findAward(call, note.id, id));
  },
  /** @throws HttpError 401, 412 (behavior: awards.delete) */
  delete: async (path, call) => {
    const { note } = await awardedNote(call, kind, path, lockNoteable);
    const award = await findAward(call, note.id, path.award_id);
    if (award.user_id !== call.caller.id && !call.caller.admin) throw unauthorized();
    checkUnmodified(call, award.created_at);
    await deleteAward(call.queries, award.id);
  },
});

export const awardEmojiHandlers: HandlersOf<Contract['awardEmoji']> = {
  issue: ofKind('issue'), snippet: ofKind('snippet'), merge_request: ofKind('merge_request'), epic: ofKind('epic'),
};
