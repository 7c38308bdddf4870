import type { EpicDetails } from '../../contract/companions/shapes.js';
import type { Contract } from '../../contract/contract.js';
import { levels } from '../access/caller.js';
import { visibleGroup, type Place } from '../access/container.js';
import { canRead } from '../access/noteable.js';
import type { Behaviour, Call } from '../call.js';
import { json, jsonObject, ownUrl, type Json } from '../json.js';
import { epicByIid, type EpicRow } from '../records/epics.js';
import { forbidden, recordNotFound } from '../refusal.js';
import { epicFields, epicPath } from '../render/epic.js';

/** An epic by its internal id. Without the feature it is forbidden (wire-facts 6.2.6); missing and hidden are alike. */
export const getEpic: Behaviour<Contract['lookups']['epic']> = async ({ id, iid }, call) => {
  const place = await visibleGroup(call, id);
  if (!call.world.settings.epics) throw forbidden();
  const epic = iid === null ? undefined : await epicByIid(call.queries, place.container.id, iid);
  if (!epic || !canRead(call, place, epic)) throw recordNotFound();
  return epicDetails(call, place, epic);
};

/** An epic with what lists of children do not show of it in the document. */
export const epicDetails = (call: Call, place: Place, epic: EpicRow): Json<EpicDetails> => {
  const view = { dialect: call.dialect, group: place.container.path, administers: place.level >= levels.reporter };
  return jsonObject<EpicDetails>({
    ...epicFields(epic, view),
    confidential: json(epic.confidential === 1),
    state: json(epic.state),
    web_url: ownUrl(epicPath(epic)),
  });
};
