import { apiPrefix, epicColors } from '../../contract/conventions.js';
import { holdsIn, type Edition } from '../../contract/behavior/fact.js';
import { epicFacts } from '../../contract/behavior/epics.js';
import type { Epic, LinkedEpic } from '../../contract/epics.js';
import { json, jsonFields, jsonObject, ownUrl, type Json } from '../http/response.js';
import type { EpicRow } from '../repositories/epics.js';
import { labelTitles } from '../repositories/issuables.js';
import { workItemIdOf } from '../repositories/noteables.js';
import { userJson } from './note.js';

interface EpicView {
  readonly edition: Edition;
  readonly group: string;
  /** The live dialect shows fixed dates to reporters and above (behavior: epics.fixed-dates). */
  readonly administers: boolean;
}

/** behavior: epics.keys, epics.more-keys, epics.newer-keys */
export const epicJson = (epic: EpicRow, view: EpicView): Json<Epic> => jsonObject<Epic>(epicFields(epic, view));

/** behavior: epics.description, epics.labels, epics.more-keys, epics.closed-at, epics.votes */
export const epicFields = (
  epic: EpicRow, { edition, group, administers }: EpicView,
): { readonly [K in keyof Epic]: Json<Epic[K]> } => {
  const isLive = edition.dialect === 'live';
  const isNewer = isLive && holdsIn(epicFacts['epics.newer-keys'], edition);
  return {
    id: json(epic.id),
    ...isNewer && { work_item_id: json(workItemIdOf({ global_id: epic.id, work_item_id: epic.work_item_id })) },
    ...jsonFields({ iid: epic.iid, group_id: epic.group_id, parent_id: epic.parent_id }),
    ...isNewer && newerFields(epic),
    ...isLive && { confidential: json(epic.confidential === 1) },
    title: json(epic.title),
    description: json(isLive ? epic.description : epic.description ?? ''),
    author: userJson({
      id: epic.author_id, username: epic.author_username, name: epic.author_name, state: epic.author_state,
    }, edition),
    ...dates(epic, !isLive || administers),
    ...isLive && {
      ...jsonFields({ state: epic.state, web_edit_url: epicPath(epic) }), web_url: ownUrl(epicPath(epic)),
      ...jsonFields({
        references: { short: `&${epic.iid}`, relative: epicReference(epic, group), full: fullReference(epic) },
        reference: fullReference(epic),
      }),
    },
    ...jsonFields({ created_at: epic.created_at, updated_at: epic.updated_at, labels: labelTitles(epic) }),
    ...isLive && jsonFields({
      closed_at: epic.state === 'closed' ? epic.changed_at : null, upvotes: 0, downvotes: 0,
    }),
    ...isNewer && { _links: links(epic) },
  };
};

export const epicPath = (epic: Pick<EpicRow, 'group_path' | 'iid'>): string =>
  `/groups/${epic.group_path}/-/epics/${epic.iid}`;

/** `&3`, or with the group's path if it differs from `group` (behavior: epics.create-reference). */
export const epicReference = (epic: Pick<EpicRow, 'group_path' | 'iid'>, group: string): string =>
  epic.group_path === group ? `&${epic.iid}` : `${epic.group_path}&${epic.iid}`;

/** behavior: epics.no-derived-dates, epics.deprecated-dates */
const dates = (epic: EpicRow, showsFixed: boolean) => {
  const startFixed = epic.start_date_is_fixed === 1;
  const dueFixed = epic.due_date_is_fixed === 1;
  const start = startFixed ? epic.start_date_fixed ?? epic.start_date : epic.start_date;
  const due = dueFixed ? epic.due_date_fixed ?? epic.due_date : epic.due_date;
  const startInherited = startFixed ? null : epic.start_date;
  const dueInherited = dueFixed ? null : epic.due_date;
  return jsonFields({
    start_date: start, ...showsFixed && { start_date_is_fixed: startFixed, start_date_fixed: epic.start_date_fixed },
    start_date_from_milestones: startInherited, start_date_from_inherited_source: startInherited,
    end_date: due, due_date: due,
    ...showsFixed && { due_date_is_fixed: dueFixed, due_date_fixed: epic.due_date_fixed },
    due_date_from_milestones: dueInherited, due_date_from_inherited_source: dueInherited,
  });
};

/** behavior: epics.newer-keys, epics.colors */
const newerFields = ({ parent_iid }: EpicRow) => jsonFields({
  parent_iid, color: epicColors.background, text_color: epicColors.text, imported: false, imported_from: 'none',
});

const fullReference = ({ group_path, iid }: EpicRow): string => `${group_path}&${iid}`;

const links = ({ group_id, iid, parent_group_id, parent_iid }: EpicRow): Json<NonNullable<Epic['_links']>> => {
  const group = (id: number) => `${apiPrefix}/groups/${id}`;
  return jsonObject<NonNullable<Epic['_links']>>({
    self: ownUrl(`${group(group_id)}/epics/${iid}`),
    epic_issues: ownUrl(`${group(group_id)}/epics/${iid}/issues`),
    group: ownUrl(group(group_id)),
    parent: parent_group_id === null ? json(null) : ownUrl(`${group(parent_group_id)}/epics/${parent_iid}`),
  });
};

/** behavior: epics.create-response, epics.create-empty, epics.create-urls */
export const linkedEpicJson = (parent: EpicRow, child: EpicRow): Json<LinkedEpic> => jsonObject<LinkedEpic>({
  ...jsonFields({
    id: child.id, iid: child.iid, title: child.title, group_id: child.group_id, parent_id: parent.id,
    has_children: false, has_issues: false, reference: epicReference(child, parent.group_path),
  }),
  url: ownUrl(epicPath(child)),
  relation_url: ownUrl(`${epicPath(parent)}/links/${child.id}`),
});
