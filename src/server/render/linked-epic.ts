import type { LinkedEpic } from '../../contract/shapes/epic.js';
import { json, jsonObject, ownUrl, type Json } from '../json.js';
import type { EpicRow } from '../records/epics.js';
import { epicPath, epicReference } from './epic.js';

/** interface.md, LinkedEpic, of an epic just made as a child: it has nothing below it yet (wire-facts 6.4.5). */
export const linkedEpicJson = (parent: EpicRow, child: EpicRow): Json<LinkedEpic> => jsonObject<LinkedEpic>({
  id: json(child.id),
  iid: json(child.iid),
  title: json(child.title),
  group_id: json(child.group_id),
  parent_id: json(parent.id),
  has_children: json(false),
  has_issues: json(false),
  reference: json(epicReference(child, parent.group_path)),
  url: ownUrl(epicPath(child)),
  relation_url: ownUrl(`${epicPath(parent)}/links/${child.id}`),
});
