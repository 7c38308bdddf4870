import type { FactId } from '../contract/behavior/behavior.js';
import type { Values } from './check.js';

export const factKeys = {
  'notes.keys': [
    'id', 'type', 'body', 'attachment', 'author', 'created_at', 'updated_at', 'system', 'noteable_id', 'noteable_type',
    'resolvable',
  ],
  'threads.more-keys': ['resolvable', 'resolved'],
  'notes.more-keys': ['confidential', 'commands_changes'],
  'notes.internal': ['internal'],
  'notes.newer-keys': ['project_id', 'imported', 'imported_from'],
  'notes.noteable-iid': ['noteable_iid'],
  'notes.resolvable': ['resolvable'],
  'resolving.time-always': ['resolved_at'],
  'notes.author-locked': ['locked'],
  'epics.keys': [
    'id', 'iid', 'group_id', 'parent_id', 'title', 'description', 'author', 'start_date', 'start_date_is_fixed',
    'start_date_fixed', 'start_date_from_milestones', 'start_date_from_inherited_source', 'end_date', 'due_date',
    'due_date_is_fixed', 'due_date_fixed', 'due_date_from_milestones', 'due_date_from_inherited_source', 'created_at',
    'updated_at', 'labels',
  ],
  'epics.deprecated-dates': [
    'end_date', 'start_date_from_milestones', 'start_date_from_inherited_source', 'due_date_from_milestones',
    'due_date_from_inherited_source',
  ],
  'epics.more-keys': [
    'confidential', 'state', 'references', 'reference', 'web_url', 'web_edit_url', 'upvotes', 'downvotes',
  ],
  'epics.newer-keys': ['work_item_id', 'parent_iid', 'color', 'text_color', 'imported', 'imported_from', '_links'],
  'lookups.patch-ids': ['patch_id_sha'],
  'appearance.keys': [
    'title', 'description', 'logo', 'header_logo', 'favicon', 'new_project_guidelines', 'header_message',
    'footer_message', 'message_background_color', 'message_font_color', 'email_header_and_footer_enabled',
  ],
  'appearance.profile-guidelines': ['profile_image_guidelines'],
  'appearance.web-app': ['pwa_name', 'pwa_short_name', 'pwa_description', 'pwa_icon'],
  'appearance.member-guidelines': ['member_guidelines'],
} as const satisfies Partial<Record<FactId, readonly string[]>>;

export type KeyFactId = keyof typeof factKeys;

const epicFacts: readonly KeyFactId[] = ['epics.keys', 'epics.deprecated-dates', 'epics.more-keys', 'epics.newer-keys'];

export const keyFacts: Readonly<Record<string, readonly KeyFactId[]>> = {
  Note: [
    'notes.keys', 'notes.more-keys', 'notes.internal', 'notes.newer-keys', 'notes.noteable-iid', 'notes.resolvable',
    'resolving.time-always',
  ],
  Discussion: ['threads.more-keys'],
  User: ['notes.author-locked'], CurrentUser: ['notes.author-locked'], Member: ['notes.author-locked'],
  DiffVersion: ['lookups.patch-ids'], DiffVersionDetails: ['lookups.patch-ids'],
  Epic: epicFacts, EpicDetails: epicFacts,
  Appearance: [
    'appearance.keys', 'appearance.profile-guidelines', 'appearance.web-app', 'appearance.member-guidelines',
  ],
};

/**
 * The keys that depend on the others of an object (behavior: notes.position-on-diff-notes,
 * resolving.keys-if-resolvable).
 */
export const dependentKeys = (shape: string | undefined, value: Values): readonly string[] => shape !== 'Note' ? [] : [
  ...value['type'] === 'DiffNote' ? ['position'] : [],
  ...value['resolvable'] === true ? ['resolved', 'resolved_by'] : [],
];
