// Derived from the contract. To change it, change that and run: npm run reference

/** Commits and paths of a position on a diff. */
export interface DiffPlace {
  /** Base commit SHA in the source branch. */
  base_sha: string;
  /** Commit SHA in the target branch. */
  start_sha: string;
  /** HEAD SHA of the merge request or commit. */
  head_sha: string;
  /** Path before the change; needed with `new_path` for a renamed file. */
  old_path?: string | null;
  /** Path after the change; the same as `old_path` unless the file was renamed. */
  new_path?: string | null;
}

/** Thread of notes, oldest first. */
export interface Discussion {
  /** Id of the thread: 40 lower-case hexadecimal digits. */
  id: string;
  /** True for a single comment or a system note without replies. */
  individual_note: boolean;
  /** Notes of the thread, oldest first; at least one. */
  notes: Note[];
}

/** Comment on an issue, snippet, epic, merge request or commit. */
export interface Note {
  /** Id of the note, unique on the service. */
  id: number;
  /** `DiscussionNote` in a thread, `DiffNote` on a diff, null for a single comment or a system note. */
  type: string | null;
  /** Text in Markdown, without the quick actions that were removed from it. */
  body: string;
  /** Name of an attached file, or null; newer services do not report it. */
  attachment?: unknown;
  /** User who wrote the note. */
  author: User;
  /** Time when the note was created. Format: ISO 8601. */
  created_at: string;
  /** Time of the last change of the note. Format: ISO 8601. */
  updated_at: string;
  /** True if the service wrote the note about a change of the object. */
  system: boolean;
  /** Global id of the object that the note belongs to; null for a commit on live services. */
  noteable_id: number | null;
  /** Kind of the object; `Merge request` in the documentation is `MergeRequest` on live services. */
  noteable_type: NoteableType;
  /** Number of the issue or merge request in its project; null on other kinds. */
  noteable_iid?: number | null;
  /** Whether the note can be resolved; false for single comments and system notes. */
  resolvable?: boolean;
  /** Whether the note is resolved; false or missing if it cannot be resolved. */
  resolved?: boolean;
  /** User who resolved the note; null while it is unresolved; null or missing if it cannot be resolved. */
  resolved_by?: User | null;
  /**
   * SHA of the commit that a diff note of a merge request is on; null on live services unless the thread started on a
   * commit; missing on other notes.
   */
  commit_id?: string | null;
  /** Place of the note on the diff; only diff notes have it. */
  position?: Position;
  /** Suggestions in the text, in their order; only diff notes of merge requests have them. On live services only. */
  suggestions?: Suggestion[];
  /**
   * Time when the note was resolved; null while it is unresolved; null or missing if it cannot be. Format: ISO 8601. On
   * live services only.
   */
  resolved_at?: string | null;
  /** Older name of `internal`, with the same value. On live services only. */
  confidential?: boolean | null;
  /** Whether only members with at least the role reporter see the note. On live services only. */
  internal?: boolean;
  /** Effects of the quick actions in the text that was just sent, by name; otherwise empty. On live services only. */
  commands_changes?: Record<string, unknown>;
  /** Id of the project; null for notes on epics. On live services only. */
  project_id?: number | null;
  /** Whether an import created the note. On live services only. */
  imported?: boolean;
  /** Service of the import, such as `github`; `none` if the note was not imported. On live services only. */
  imported_from?: string;
}

/** User of the service. */
export interface User {
  /** Id of the user, unique on the service. */
  id: number;
  /** Display name. */
  name: string;
  /** Unique name, as in `@username`. */
  username: string;
  /** `active`, `blocked`, `ldap_blocked`, `blocked_pending_approval`, `deactivated` or `banned`. */
  state: string;
  /** URL of the avatar; null without one. */
  avatar_url: string | null;
  /** URL of the profile page. */
  web_url: string;
  /** Whether the account is locked; only newer services report it. On live services only. */
  locked?: boolean;
  /** Email address that the user published; null or missing without one. On live services only. */
  public_email?: string | null;
}

/** Kind of object that a note belongs to. */
export type NoteableType = 'Issue' | 'Snippet' | 'Epic' | 'Commit' | 'Merge request' | 'MergeRequest';

/** Position of a note on a diff. */
export type Position = TextPosition | ImagePosition | FilePosition;

/** Position of a note on a line of a diff. */
export interface TextPosition extends DiffPlace {
  /** Always `text`: the note is on a line. */
  position_type: 'text';
  /** Line before the change; set on removed and unchanged lines. */
  old_line?: number | null;
  /** Line after the change; set on added and unchanged lines. */
  new_line?: number | null;
  /** Lines of a note on several lines; null or missing on one line. */
  line_range?: LineRange | null;
}

/** Lines of a multi-line note. */
export interface LineRange {
  /** First line of the range. */
  start?: LineEnd | null;
  /** Last line of the range. */
  end?: LineEnd | null;
}

/** First or last line of a range. */
export interface LineEnd {
  /** SHA-1 of the path, the old and the new line number, joined by `_`. */
  line_code?: string | null;
  /** `new` for an added line, otherwise `old`. */
  type?: string | null;
  /** Line before the change; null for an added line. On live services only. */
  old_line?: number | null;
  /** Line after the change; null for a removed line. On live services only. */
  new_line?: number | null;
}

/** Position of a note on an image. */
export interface ImagePosition extends DiffPlace {
  /** Always `image`: the note is on a point of an image. */
  position_type: 'image';
  /** Width of the image in pixels. */
  width?: number | null;
  /** Height of the image in pixels. */
  height?: number | null;
  /** Distance of the point from the left edge in pixels. */
  x?: number | null;
  /** Distance of the point from the top edge in pixels. */
  y?: number | null;
}

/** Position of a note on a whole file. */
export interface FilePosition extends DiffPlace {
  /** Always `file`: the note is on a whole file. */
  position_type: 'file';
}

/** Change of lines that a diff note suggests. */
export interface Suggestion {
  /** Id of the suggestion; applying it needs this id. */
  id: number;
  /** First line that the suggestion replaces. */
  from_line: number;
  /** Last line that the suggestion replaces. */
  to_line: number;
  /** Whether the suggestion can be applied now. */
  appliable: boolean;
  /** Whether the suggestion was applied. */
  applied: boolean;
  /** Lines to replace, as they were when the note was written. */
  from_content: string;
  /** Lines to insert. */
  to_content: string;
}

/** Response to a text of quick actions alone, which is not stored. */
export interface QuickActions {
  /** Effects of the quick actions by name, such as `spend_time`. */
  commands_changes: Record<string, unknown>;
  /** Sentences about the effects for people. */
  summary: string[];
}

/** Position of a new note on a merge request. */
export type PositionInput = NewLinePositionInput | OldLinePositionInput | ImagePositionInput | FilePositionInput;

/** Position of a new note on an added or unchanged line. */
export interface NewLinePositionInput extends DiffPlace {
  /** Always `text`: the note is on a line. */
  position_type: 'text';
  /** Line after the change; set on added and unchanged lines. */
  new_line: number;
  /** Line before the change; set on removed and unchanged lines. */
  old_line?: number | null;
  /** Lines of a note on several lines; null or missing on one line. */
  line_range?: LineRange | null;
}

/** Position of a new note on a removed or unchanged line. */
export interface OldLinePositionInput extends DiffPlace {
  /** Always `text`: the note is on a line. */
  position_type: 'text';
  /** Line before the change; set on removed and unchanged lines. */
  old_line: number;
  /** Line after the change; set on added and unchanged lines. */
  new_line?: number | null;
  /** Lines of a note on several lines; null or missing on one line. */
  line_range?: LineRange | null;
}

/** Position of a new note on an image. */
export interface ImagePositionInput extends DiffPlace {
  /** Always `image`: the note is on a point of an image. */
  position_type: 'image';
  /** Width of the image in pixels. */
  width: number;
  /** Height of the image in pixels. */
  height: number;
  /** Distance of the point from the left edge in pixels. */
  x: number;
  /** Distance of the point from the top edge in pixels. */
  y: number;
}

/** Position of a new note on a whole file; on live services only. */
export interface FilePositionInput extends DiffPlace {
  /** Always `file`: the note is on a whole file. */
  position_type: 'file';
}

/** Position of a new note on a commit. */
export type CommitPositionInput =
  NewLineCommitPositionInput | OldLineCommitPositionInput | ImagePositionInput | FilePositionInput;

/** Position of a new note on an added or unchanged line. */
export interface NewLineCommitPositionInput extends DiffPlace {
  /** Always `text`: the note is on a line. */
  position_type: 'text';
  /** Line after the change; set on added and unchanged lines. */
  new_line: number;
  /** Line before the change; set on removed and unchanged lines. */
  old_line?: number | null;
  /** Lines of a note on several lines; null or missing on one line. On live services only. */
  line_range?: LineRange | null;
}

/** Position of a new note on a removed or unchanged line. */
export interface OldLineCommitPositionInput extends DiffPlace {
  /** Always `text`: the note is on a line. */
  position_type: 'text';
  /** Line before the change; set on removed and unchanged lines. */
  old_line: number;
  /** Line after the change; set on added and unchanged lines. */
  new_line?: number | null;
  /** Lines of a note on several lines; null or missing on one line. On live services only. */
  line_range?: LineRange | null;
}

/** Text, colors and images of the instance. */
export interface Appearance {
  /** Title on the page for signing in and up; empty if not set. */
  title: string;
  /** Markdown text on the page for signing in and up; empty if not set. */
  description: string;
  /** Path or URL of the image on the page for signing in and up; null if not set. */
  logo: string | null;
  /** Path or URL of the image in the navigation bar; null if not set. */
  header_logo: string | null;
  /** Path or URL of the icon in the tab of the browser; null if not set. */
  favicon: string | null;
  /** Markdown text on the page for new projects; empty if not set. */
  new_project_guidelines: string;
  /** Markdown text below the avatar in the own profile, at most 4096 characters; older services do not have it. */
  profile_image_guidelines?: string;
  /** Text in the bar at the top of every page; empty if there is no bar. */
  header_message: string;
  /** Text in the bar at the bottom of every page; empty if there is no bar. */
  footer_message: string;
  /** Background color of both bars, as `#RGB` or `#RRGGBB`, or empty. */
  message_background_color: string;
  /** Text color of both bars, as `#RGB` or `#RRGGBB`, or empty. */
  message_font_color: string;
  /** Whether emails have `header_message` at the top and `footer_message` at the end. */
  email_header_and_footer_enabled: boolean;
  /** Name of the progressive web app, at most 255 characters. On live services only. */
  pwa_name?: string;
  /** Short name of the progressive web app, at most 255 characters. On live services only. */
  pwa_short_name?: string;
  /** Description of the progressive web app, at most 2048 characters. On live services only. */
  pwa_description?: string;
  /** Path or URL of the icon of the progressive web app; null if not set. On live services only. */
  pwa_icon?: string | null;
  /** Markdown text on the page with the members of a project or group. On live services only. */
  member_guidelines?: string;
}

/** Epic with its dates and links. */
export interface Epic {
  /** Global id of the epic, unique on the service; links and threads of epics need this id. */
  id: number;
  /** Number of the epic in its group, as in paths and references. */
  iid: number;
  /** Id of the group that the epic belongs to. */
  group_id: number;
  /** Global id of the parent epic; null without a parent. */
  parent_id: number | null;
  /** Title of the epic, at most 255 characters. */
  title: string;
  /** Description in Markdown; can be null on live services. */
  description: string | null;
  /** User who created the epic. */
  author: User;
  /** Day on which the epic starts, fixed or inherited; null without one. Format: YYYY-MM-DD. */
  start_date: string | null;
  /** Whether `start_date` is `start_date_fixed`; missing if the caller is below reporter. */
  start_date_is_fixed?: boolean;
  /** Start that somebody set; null without one; missing if the caller is below reporter. Format: YYYY-MM-DD. */
  start_date_fixed?: string | null;
  /**
   * Format: YYYY-MM-DD.
   *
   * @deprecated use start_date_from_inherited_source
   */
  start_date_from_milestones?: string | null;
  /** Start derived from the milestones and children of the epic; null without one. Format: YYYY-MM-DD. */
  start_date_from_inherited_source?: string | null;
  /**
   * Format: YYYY-MM-DD.
   *
   * @deprecated use due_date
   */
  end_date?: string | null;
  /** Day on which the epic ends, fixed or inherited; null without one. Format: YYYY-MM-DD. */
  due_date: string | null;
  /** Whether `due_date` is `due_date_fixed`; missing if the caller is below reporter. */
  due_date_is_fixed?: boolean;
  /** End that somebody set; null without one; missing if the caller is below reporter. Format: YYYY-MM-DD. */
  due_date_fixed?: string | null;
  /**
   * Format: YYYY-MM-DD.
   *
   * @deprecated use due_date_from_inherited_source
   */
  due_date_from_milestones?: string | null;
  /** End derived from the milestones and children of the epic; null without one. Format: YYYY-MM-DD. */
  due_date_from_inherited_source?: string | null;
  /** Time when the epic was created. Format: ISO 8601. */
  created_at: string;
  /** Time of the last change of the epic. Format: ISO 8601. */
  updated_at: string;
  /** Titles of the labels, sorted. */
  labels: unknown[];
  /** Id of the same epic as a work item. On live services only. */
  work_item_id?: number;
  /** Number of the parent epic in its group; null without a parent. On live services only. */
  parent_iid?: number | null;
  /** Background color of the epic, as `#RRGGBB`. On live services only. */
  color?: string;
  /** Text color that is readable on `color`, as `#RRGGBB`. On live services only. */
  text_color?: string;
  /** Whether an import created the epic. On live services only. */
  imported?: boolean;
  /** Service of the import, such as `github`; `none` if the epic was not imported. On live services only. */
  imported_from?: string;
  /** Whether only members with at least the role reporter see the epic. On live services only. */
  confidential?: boolean;
  /** `opened` or `closed`. On live services only. */
  state?: string;
  /** URL of the page of the epic. On live services only. */
  web_url?: string;
  /**
   * On live services only.
   *
   * @deprecated use web_url
   */
  web_edit_url?: string;
  /**
   * On live services only.
   *
   * @deprecated use references
   */
  reference?: string;
  /** References to the object in texts. On live services only. */
  references?: {
    /** Reference from the same group, such as `&3`. */
    short: string;
    /** Reference from the project or group in the path of the request. */
    relative: string;
    /** Reference from everywhere, with the full path of the project or group. */
    full: string;
  };
  /** Time when the epic was closed; null unless it is closed. Format: ISO 8601. On live services only. */
  closed_at?: string | null;
  /** Number of thumbs-up reactions. On live services only. */
  upvotes?: number;
  /** Number of thumbs-down reactions. On live services only. */
  downvotes?: number;
  /** API URLs of the epic and of records that belong to it. On live services only. */
  _links?: {
    /** API URL of the epic. */
    self: string;
    /** API URL of the issues of the epic. */
    epic_issues: string;
    /** API URL of the group. */
    group: string;
    /** API URL of the parent epic; null without a parent. */
    parent: string | null;
  };
}

/** New child epic. */
export interface LinkedEpic {
  /** Global id of the new epic, unique on the service. */
  id: number;
  /** Number of the new epic in its group. */
  iid: number;
  /** Title of the new epic. */
  title: string;
  /** Id of the group of the new epic. */
  group_id: number;
  /** Global id of the parent epic. */
  parent_id: number;
  /** Whether the epic has child epics; false for a new one. */
  has_children: boolean;
  /** Whether the epic has issues; false for a new one. */
  has_issues: boolean;
  /** Reference to the epic in texts, such as `&3`; with the path of the group if seen from another group. */
  reference: string;
  /** URL of the page of the epic. */
  url: string;
  /** URL of the link between parent and child. */
  relation_url: string;
}

/** Version of the service. */
export interface Version {
  /** Version of the service, such as `17.5.0-ee`. */
  version: string;
  /** Short SHA of the commit that the service was built from. */
  revision: string;
}

/** Version and edition of the service. */
export interface Metadata {
  /** Version of the service, such as `17.5.0-ee`. */
  version: string;
  /** Short SHA of the commit that the service was built from. */
  revision: string;
  /** Whether the service is the Enterprise Edition. */
  enterprise: boolean;
}

/** User the token belongs to. */
export interface CurrentUser {
  /** Id of the user, unique on the service. */
  id: number;
  /** Display name. */
  name: string;
  /** Unique name, as in `@username`. */
  username: string;
  /** `active`, `blocked`, `ldap_blocked`, `blocked_pending_approval`, `deactivated` or `banned`. */
  state: string;
  /** URL of the avatar; null without one. */
  avatar_url: string | null;
  /** URL of the profile page. */
  web_url: string;
  /** Whether the account is locked; only newer services report it. On live services only. */
  locked?: boolean;
  /** Email address that the user published; null or missing without one. On live services only. */
  public_email?: string | null;
  /** True for an administrator; missing for others. */
  is_admin?: boolean;
}

/** Project. */
export interface Project {
  /** Id of the project, unique on the service. */
  id: number;
  /** Display name. */
  name: string;
  /** Last part of the path. */
  path: string;
  /** Display names of the groups and of the project, joined by ` / `. */
  name_with_namespace: string;
  /** Full path, such as `acme/app`; can be used in place of the id. */
  path_with_namespace: string;
  /** Description of the project; null without one. */
  description: string | null;
  /** Name of the default branch; null without a repository. */
  default_branch: string | null;
  /** `private`, `internal` or `public`. */
  visibility: string;
  /** URL of the page of the project. */
  web_url: string;
  /** Whether the project is read-only. */
  archived: boolean;
  /** Access of the caller to the project. */
  permissions: {
    /** Access as a member of the project; null if the caller is not one. */
    project_access: {
      /** Role as a number, such as 30 for developer and 40 for maintainer. */
      access_level: number;
    } | null;
    /** Access as a member of a group above the project; null if the caller is not one. */
    group_access: {
      /** Role as a number, such as 30 for developer and 40 for maintainer. */
      access_level: number;
    } | null;
  };
}

/** Member of a project or group. */
export interface Member {
  /** Id of the user, unique on the service. */
  id: number;
  /** Display name. */
  name: string;
  /** Unique name, as in `@username`. */
  username: string;
  /** `active`, `blocked`, `ldap_blocked`, `blocked_pending_approval`, `deactivated` or `banned`. */
  state: string;
  /** URL of the avatar; null without one. */
  avatar_url: string | null;
  /** URL of the profile page. */
  web_url: string;
  /** Whether the account is locked; only newer services report it. On live services only. */
  locked?: boolean;
  /** Email address that the user published; null or missing without one. On live services only. */
  public_email?: string | null;
  /** Role as a number: 10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner. */
  access_level: number;
  /** Null; no membership of the test server expires. */
  expires_at: null;
  /** `active` for a member with access. */
  membership_state: string;
}

/** Text file of a project. */
export interface RepositoryFile {
  /** Name of the file without its folder. */
  file_name: string;
  /** Path of the file in the repository. */
  file_path: string;
  /** Size in bytes. */
  size: number;
  /** Encoding of `content`: `base64`. */
  encoding: string;
  /** Content of the file in Base64. */
  content: string;
  /** SHA-256 of the content, hexadecimal. */
  content_sha256: string;
  /** Branch, tag or commit of the request. */
  ref: string;
  /** SHA of the Git blob. */
  blob_id: string;
  /** SHA of the commit that `ref` names; null on the test server. */
  commit_id: string | null;
  /** SHA of the last commit that changed the file; null on the test server. */
  last_commit_id: string | null;
  /** Whether the file is executable. */
  execute_filemode: boolean;
}

/** Group. */
export interface Group {
  /** Id of the group, unique on the service. */
  id: number;
  /** Display name. */
  name: string;
  /** Last part of the path. */
  path: string;
  /** Full path, such as `acme/team`; can be used in place of the id. */
  full_path: string;
  /** `private`, `internal` or `public`. */
  visibility: string;
  /** URL of the page of the group. */
  web_url: string;
  /** Id of the group above; null for a group at the top. */
  parent_id: number | null;
}

/** Epic of a group. */
export interface EpicDetails {
  /** Global id of the epic, unique on the service; links and threads of epics need this id. */
  id: number;
  /** Number of the epic in its group, as in paths and references. */
  iid: number;
  /** Id of the group that the epic belongs to. */
  group_id: number;
  /** Global id of the parent epic; null without a parent. */
  parent_id: number | null;
  /** Title of the epic, at most 255 characters. */
  title: string;
  /** Description in Markdown; can be null on live services. */
  description: string | null;
  /** User who created the epic. */
  author: User;
  /** Day on which the epic starts, fixed or inherited; null without one. Format: YYYY-MM-DD. */
  start_date: string | null;
  /** Whether `start_date` is `start_date_fixed`; missing if the caller is below reporter. */
  start_date_is_fixed?: boolean;
  /** Start that somebody set; null without one; missing if the caller is below reporter. Format: YYYY-MM-DD. */
  start_date_fixed?: string | null;
  /**
   * Format: YYYY-MM-DD.
   *
   * @deprecated use start_date_from_inherited_source
   */
  start_date_from_milestones?: string | null;
  /** Start derived from the milestones and children of the epic; null without one. Format: YYYY-MM-DD. */
  start_date_from_inherited_source?: string | null;
  /**
   * Format: YYYY-MM-DD.
   *
   * @deprecated use due_date
   */
  end_date?: string | null;
  /** Day on which the epic ends, fixed or inherited; null without one. Format: YYYY-MM-DD. */
  due_date: string | null;
  /** Whether `due_date` is `due_date_fixed`; missing if the caller is below reporter. */
  due_date_is_fixed?: boolean;
  /** End that somebody set; null without one; missing if the caller is below reporter. Format: YYYY-MM-DD. */
  due_date_fixed?: string | null;
  /**
   * Format: YYYY-MM-DD.
   *
   * @deprecated use due_date_from_inherited_source
   */
  due_date_from_milestones?: string | null;
  /** End derived from the milestones and children of the epic; null without one. Format: YYYY-MM-DD. */
  due_date_from_inherited_source?: string | null;
  /** Time when the epic was created. Format: ISO 8601. */
  created_at: string;
  /** Time of the last change of the epic. Format: ISO 8601. */
  updated_at: string;
  /** Titles of the labels, sorted. */
  labels: unknown[];
  /** Id of the same epic as a work item. On live services only. */
  work_item_id?: number;
  /** Number of the parent epic in its group; null without a parent. On live services only. */
  parent_iid?: number | null;
  /** Background color of the epic, as `#RRGGBB`. On live services only. */
  color?: string;
  /** Text color that is readable on `color`, as `#RRGGBB`. On live services only. */
  text_color?: string;
  /** Whether an import created the epic. On live services only. */
  imported?: boolean;
  /** Service of the import, such as `github`; `none` if the epic was not imported. On live services only. */
  imported_from?: string;
  /** Whether only members with at least the role reporter see the epic. */
  confidential: boolean;
  /** `opened` or `closed`. */
  state: string;
  /** URL of the page of the epic. */
  web_url: string;
  /**
   * On live services only.
   *
   * @deprecated use web_url
   */
  web_edit_url?: string;
  /**
   * On live services only.
   *
   * @deprecated use references
   */
  reference?: string;
  /** References to the object in texts. On live services only. */
  references?: {
    /** Reference from the same group, such as `&3`. */
    short: string;
    /** Reference from the project or group in the path of the request. */
    relative: string;
    /** Reference from everywhere, with the full path of the project or group. */
    full: string;
  };
  /** Time when the epic was closed; null unless it is closed. Format: ISO 8601. On live services only. */
  closed_at?: string | null;
  /** Number of thumbs-up reactions. On live services only. */
  upvotes?: number;
  /** Number of thumbs-down reactions. On live services only. */
  downvotes?: number;
  /** API URLs of the epic and of records that belong to it. On live services only. */
  _links?: {
    /** API URL of the epic. */
    self: string;
    /** API URL of the issues of the epic. */
    epic_issues: string;
    /** API URL of the group. */
    group: string;
    /** API URL of the parent epic; null without a parent. */
    parent: string | null;
  };
}

/** Issue. */
export interface Issue {
  /** Global id of the issue, unique on the service. */
  id: number;
  /** Id of the project. */
  project_id: number;
  /** Title of the issue. */
  title: string;
  /** Description in Markdown; null without one. */
  description: string | null;
  /** User who created the issue. */
  author: User;
  /** URL of the page of the issue. */
  web_url: string;
  /** Time when the issue was created. Format: ISO 8601. */
  created_at: string;
  /** Time of the last change of the issue. Format: ISO 8601. */
  updated_at: string;
  /** Number of the issue in its project, as in paths and references. */
  iid: number;
  /** `opened` or `closed`. */
  state: string;
  /** Time when the issue was closed; null unless it is closed. Format: ISO 8601. */
  closed_at: string | null;
  /** Titles of the labels. */
  labels: string[];
  /** Users who are assigned; empty without any. */
  assignees: User[];
  /** Null; the test server has no milestones. */
  milestone: null;
  /** References to the object in texts. */
  references: {
    /** Reference from the same project or group, such as `#7`. */
    short: string;
    /** Reference from the project or group in the path of the request. */
    relative: string;
    /** Reference from everywhere, with the full path of the project or group. */
    full: string;
  };
  /** True if only members can comment; null or false if not. */
  discussion_locked: boolean | null;
  /** Whether only members with at least the role reporter, the author and the assignees see the issue. */
  confidential: boolean;
}

/** Snippet. */
export interface Snippet {
  /** Global id of the snippet, unique on the service. */
  id: number;
  /** Id of the project. */
  project_id: number;
  /** Title of the snippet. */
  title: string;
  /** Description in Markdown; null without one. */
  description: string | null;
  /** User who created the snippet. */
  author: User;
  /** URL of the page of the snippet. */
  web_url: string;
  /** Time when the snippet was created. Format: ISO 8601. */
  created_at: string;
  /** Time of the last change of the snippet. Format: ISO 8601. */
  updated_at: string;
  /** Name of the file of the snippet; empty without one. */
  file_name: string;
  /** `private`, `internal` or `public`. */
  visibility: string;
}

/** Merge request with its diff refs. */
export interface MergeRequest {
  /** Global id of the merge request, unique on the service. */
  id: number;
  /** Id of the project. */
  project_id: number;
  /** Title of the merge request. */
  title: string;
  /** Description in Markdown; null without one. */
  description: string | null;
  /** User who created the merge request. */
  author: User;
  /** URL of the page of the merge request. */
  web_url: string;
  /** Time when the merge request was created. Format: ISO 8601. */
  created_at: string;
  /** Time of the last change of the merge request. Format: ISO 8601. */
  updated_at: string;
  /** Number of the merge request in its project, as in paths and references. */
  iid: number;
  /** `opened`, `closed`, `merged` or `locked`. */
  state: string;
  /** Time when the merge request was closed; null unless it is closed. Format: ISO 8601. */
  closed_at: string | null;
  /** Titles of the labels. */
  labels: string[];
  /** Users who are assigned; empty without any. */
  assignees: User[];
  /** Null; the test server has no milestones. */
  milestone: null;
  /** References to the object in texts. */
  references: {
    /** Reference from the same project, such as `!12`. */
    short: string;
    /** Reference from the project or group in the path of the request. */
    relative: string;
    /** Reference from everywhere, with the full path of the project or group. */
    full: string;
  };
  /** True if only members can comment; null or false if not. */
  discussion_locked: boolean | null;
  /** Branch with the changes. */
  source_branch: string;
  /** Branch that receives the changes. */
  target_branch: string;
  /** Id of the project with the source branch; another one for forks. */
  source_project_id: number;
  /** Id of the project with the target branch. */
  target_project_id: number;
  /** Whether the title marks the merge request as a draft, for example with `Draft:`. */
  draft: boolean;
  /** Older name of `draft`, with the same value. */
  work_in_progress: boolean;
  /** First of `assignees`; null without any. */
  assignee: User | null;
  /** Users who are asked for a review; empty without any. */
  reviewers: User[];
  /** Number of notes, without system notes. */
  user_notes_count: number;
  /** Whether no thread that blocks the merge is unresolved. */
  blocking_discussions_resolved: boolean;
  /** Older form of `detailed_merge_status`, such as `can_be_merged`. */
  merge_status: string;
  /** Whether it can be merged, or the reason why not, such as `mergeable` or `discussions_not_resolved`. */
  detailed_merge_status: string;
  /** Number of changed files, as text; null without a diff; missing in lists. */
  changes_count?: string | null;
  /** Time when it was merged; null unless it is merged. Format: ISO 8601. */
  merged_at: string | null;
  /** SHA of the merge commit; null without one. */
  merge_commit_sha: string | null;
  /** SHA of the head of the source branch; null if it is not known. */
  sha: string | null;
  /** SHAs that a position on the newest diff needs; null while there is no diff. */
  diff_refs: DiffRefs | null;
}

/** SHAs that a position on a diff needs. */
export interface DiffRefs {
  /** Base commit SHA in the source branch. */
  base_sha: string;
  /** HEAD SHA of the merge request or commit. */
  head_sha: string;
  /** Commit SHA in the target branch. */
  start_sha: string;
}

/** Diff version of a merge request. */
export interface DiffVersion {
  /** Id of the diff version. */
  id: number;
  /** SHA for `head_sha` of a position. */
  head_commit_sha: string;
  /** SHA for `base_sha` of a position. */
  base_commit_sha: string;
  /** SHA for `start_sha` of a position. */
  start_commit_sha: string;
  /** Time when the version was pushed. Format: ISO 8601. */
  created_at: string;
  /** Global id of the merge request. */
  merge_request_id: number;
  /** `collected` if the diff is complete. */
  state: string;
  /** Number of changed files, as text. */
  real_size: string;
}

/** Diff version with its commits and changed files. */
export interface DiffVersionDetails {
  /** Id of the diff version. */
  id: number;
  /** SHA for `head_sha` of a position. */
  head_commit_sha: string;
  /** SHA for `base_sha` of a position. */
  base_commit_sha: string;
  /** SHA for `start_sha` of a position. */
  start_commit_sha: string;
  /** Time when the version was pushed. Format: ISO 8601. */
  created_at: string;
  /** Global id of the merge request. */
  merge_request_id: number;
  /** `collected` if the diff is complete. */
  state: string;
  /** Number of changed files, as text. */
  real_size: string;
  /** Commits of the version, newest first. */
  commits: CommitDetails[];
  /** Changed files in the order of the diff. */
  diffs: FileDiff[];
}

/** Commit. */
export interface CommitDetails {
  /** Full SHA of the commit. */
  id: string;
  /** First 8 characters of the SHA. */
  short_id: string;
  /** First line of the message. */
  title: string;
  /** Whole message. */
  message: string;
  /** SHAs of the parents; empty for the first commit. */
  parent_ids: string[];
  /** Name of the author. */
  author_name: string;
  /** Email address of the author. */
  author_email: string;
  /** Time when the change was written. Format: ISO 8601. */
  authored_date: string;
  /** Name of the committer. */
  committer_name: string;
  /** Email address of the committer. */
  committer_email: string;
  /** Time of the commit. Format: ISO 8601. */
  committed_date: string;
  /** Same as `committed_date`. Format: ISO 8601. */
  created_at: string;
  /** URL of the page of the commit. */
  web_url: string;
}

/** Changed file with its diff. */
export interface FileDiff {
  /** Path before the change. */
  old_path: string;
  /** Path after the change; the same as `old_path` unless the file was renamed. */
  new_path: string;
  /** Git file mode before the change, such as `100644`. */
  a_mode: string;
  /** Git file mode after the change. */
  b_mode: string;
  /** Hunks of the unified diff, without the lines with the paths; empty if it is left out. */
  diff: string;
  /** Whether the file was added. */
  new_file: boolean;
  /** Whether the file was renamed. */
  renamed_file: boolean;
  /** Whether the file was deleted. */
  deleted_file: boolean;
  /** Whether the diff is left out because the list is long. */
  collapsed?: boolean;
  /** Whether the diff is left out because it is large. */
  too_large?: boolean;
}

/** Merge request with its changed files. */
export interface MergeRequestChanges {
  /** Global id of the merge request, unique on the service. */
  id: number;
  /** Id of the project. */
  project_id: number;
  /** Title of the merge request. */
  title: string;
  /** Description in Markdown; null without one. */
  description: string | null;
  /** User who created the merge request. */
  author: User;
  /** URL of the page of the merge request. */
  web_url: string;
  /** Time when the merge request was created. Format: ISO 8601. */
  created_at: string;
  /** Time of the last change of the merge request. Format: ISO 8601. */
  updated_at: string;
  /** Number of the merge request in its project, as in paths and references. */
  iid: number;
  /** `opened`, `closed`, `merged` or `locked`. */
  state: string;
  /** Time when the merge request was closed; null unless it is closed. Format: ISO 8601. */
  closed_at: string | null;
  /** Titles of the labels. */
  labels: string[];
  /** Users who are assigned; empty without any. */
  assignees: User[];
  /** Null; the test server has no milestones. */
  milestone: null;
  /** References to the object in texts. */
  references: {
    /** Reference from the same project, such as `!12`. */
    short: string;
    /** Reference from the project or group in the path of the request. */
    relative: string;
    /** Reference from everywhere, with the full path of the project or group. */
    full: string;
  };
  /** True if only members can comment; null or false if not. */
  discussion_locked: boolean | null;
  /** Branch with the changes. */
  source_branch: string;
  /** Branch that receives the changes. */
  target_branch: string;
  /** Id of the project with the source branch; another one for forks. */
  source_project_id: number;
  /** Id of the project with the target branch. */
  target_project_id: number;
  /** Whether the title marks the merge request as a draft, for example with `Draft:`. */
  draft: boolean;
  /** Older name of `draft`, with the same value. */
  work_in_progress: boolean;
  /** First of `assignees`; null without any. */
  assignee: User | null;
  /** Users who are asked for a review; empty without any. */
  reviewers: User[];
  /** Number of notes, without system notes. */
  user_notes_count: number;
  /** Whether no thread that blocks the merge is unresolved. */
  blocking_discussions_resolved: boolean;
  /** Older form of `detailed_merge_status`, such as `can_be_merged`. */
  merge_status: string;
  /** Whether it can be merged, or the reason why not, such as `mergeable` or `discussions_not_resolved`. */
  detailed_merge_status: string;
  /** Number of changed files, as text; null without a diff; missing in lists. */
  changes_count?: string | null;
  /** Time when it was merged; null unless it is merged. Format: ISO 8601. */
  merged_at: string | null;
  /** SHA of the merge commit; null without one. */
  merge_commit_sha: string | null;
  /** SHA of the head of the source branch; null if it is not known. */
  sha: string | null;
  /** SHAs that a position on the newest diff needs; null while there is no diff. */
  diff_refs: DiffRefs | null;
  /** Whether files are left out because there are too many. */
  overflow: boolean;
  /** Changed files in the order of the diff. */
  changes: FileDiff[];
}

/** Approvals of a merge request. */
export interface Approvals {
  /** Global id of the merge request. */
  id: number;
  /** Number of the merge request in its project. */
  iid: number;
  /** Id of the project. */
  project_id: number;
  /** Title of the merge request. */
  title: string;
  /** `opened`, `closed`, `merged` or `locked`. */
  state: string;
  /** Number of approvals that the merge request needs. */
  approvals_required: number;
  /** Number of approvals that are missing. */
  approvals_left: number;
  /** Whether no approval is missing. */
  approved: boolean;
  /** Approvals that were given; empty without any. */
  approved_by: {
    /** User who approved. */
    user: User;
  }[];
  /** Whether the caller approved. */
  user_has_approved: boolean;
  /** Whether the caller can approve now. */
  user_can_approve: boolean;
}

/** Commits and changed files between two SHAs. */
export interface Comparison {
  /** Newest of `commits`; null without any. */
  commit: CommitDetails | null;
  /** Commits that only the second SHA has. */
  commits: CommitDetails[];
  /** Changed files in the order of the diff. */
  diffs: FileDiff[];
  /** Whether the comparison took too long, so that `diffs` is incomplete. */
  compare_timeout: boolean;
  /** Whether both SHAs are the same. */
  compare_same_ref: boolean;
}

/** Note on a merge request that only its author sees until it is published. */
export interface DraftNote {
  /** Id of the draft note, unique on the service. */
  id: number;
  /** Id of the user who wrote the draft note, which is the caller. */
  author_id: number;
  /** Global id of the merge request. */
  merge_request_id: number;
  /** Whether publishing the draft note resolves its thread. */
  resolve_discussion: boolean;
  /** Id of the thread that the draft note replies to; null for a new thread. */
  discussion_id: string | null;
  /** Text in Markdown. */
  note: string;
  /** SHA of the commit that the draft note is on; null without one. */
  commit_id: string | null;
  /** Line code of the position; null if it is not on a line of the diff. */
  line_code: string | null;
  /** Position in the diff; without one, all keys are null except `position_type`. */
  position: TextPosition | ImagePosition | FilePosition | NoPosition;
}

/** Position of a draft note that is not on the diff. */
export interface NoPosition {
  /** Always null. */
  base_sha: null;
  /** Always null. */
  start_sha: null;
  /** Always null. */
  head_sha: null;
  /** Always null. */
  old_path: null;
  /** Always null. */
  new_path: null;
  /** Always `text`, although the draft note is not on a line. */
  position_type: 'text';
  /** Always null. */
  old_line: null;
  /** Always null. */
  new_line: null;
  /** Always null. */
  line_range: null;
}

/** Webhook of a project. */
export interface Hook {
  /** Id of the webhook. */
  id: number;
  /** Address that receives the deliveries. */
  url: string;
  /** Id of the project. */
  project_id: number;
  /** Time when the webhook was created. Format: ISO 8601. */
  created_at: string;
  /** Whether new and edited notes are delivered. */
  note_events: boolean;
  /** Whether notes on confidential issues are delivered. */
  confidential_note_events: boolean;
  /** Whether changes of merge requests are delivered. */
  merge_requests_events: boolean;
  /** Whether the certificate of the address is checked. */
  enable_ssl_verification: boolean;
  /** `executable`, or `temporarily_disabled` after failures. */
  alert_status: string;
  /** Time when deliveries start again after failures; null while they are not paused. Format: ISO 8601. */
  disabled_until: string | null;
}

/** Response to a test. */
export interface HookTest {
  /** `201 Created`. */
  message: string;
}
