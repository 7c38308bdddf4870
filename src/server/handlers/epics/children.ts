import type { Contract } from '../../../contract/operations.js';
import { accessLevels } from '../../../contract/conventions.js';
import type { Epic } from '../../../contract/epics.js';
import { parentEpic, readableChildren, type Parent } from '../../api/access/access.js';
import type { Call, OperationHandler } from '../../api/context.js';
import type { Json } from '../../http/json.js';
import { epicsByKey, type ChildRow } from '../../repositories/epics.js';
import { epicJson, type EpicView } from '../../serializers/epic.js';

/**
 * In order. Paginated as in the documentation (behavior: pages.children-paged); the live service returns all (behavior:
 * pages.children-whole).
 */
export const listChildren: OperationHandler<Contract['epics']['list']> = async (params, call) => {
  const parent = await parentEpic(call, params, 'read');
  const children = await readableChildren(call, parent.epic);
  if (call.dialect === 'live') return { items: await childrenJson(call, parent, children), rows: null };
  const { offset, limit } = call.page;
  return { items: await childrenJson(call, parent, children.slice(offset, offset + limit)), rows: children.length };
};

export const childrenJson = async (
  call: Call, parent: Parent, children: readonly ChildRow[],
): Promise<Json<Epic>[]> => {
  const epics = await epicsByKey(call.queries, children.map(({ noteable }) => noteable));
  return epics.map((epic) => epicJson(epic, viewOf(call, parent)));
};

export const viewOf = ({ edition }: Call, { place }: Parent): EpicView =>
  ({ edition, group: place.container.path, administers: place.level >= accessLevels.reporter });
