// Derived from the contract. To change it, change that and run: npm run reference

/** Commits and paths of a position on a diff. */
export interface DiffPlace {
  /** Base commit SHA in the source branch. */
  base_sha: string;
  /** Commit SHA in the target branch. */
  start_sha: string;
  /** HEAD SHA of the merge request or commit. */
  head_sha: string;
  /** Path before the change. */
  old_path?: string | null;
  /** Path after the change. */
  new_path?: string | null;
}

/** Thread of notes, oldest first. */
export interface Discussion {
  id: string;
  individual_note: boolean;
  notes: Note[];
}

/** Comment on an issue, snippet, epic, merge request or commit. */
export interface Note {
  id: number;
  type: string | null;
  body: string;
  attachment?: unknown;
  author: User;
  /** Time in ISO 8601. */
  created_at: string;
  /** Time in ISO 8601. */
  updated_at: string;
  system: boolean;
  noteable_id: number | null;
  noteable_type: NoteableType;
  noteable_iid?: number | null;
  resolvable?: boolean;
  resolved?: boolean;
  resolved_by?: User | null;
  commit_id?: string | null;
  position?: Position;
  /** On live services only. */
  suggestions?: Suggestion[];
  /** Time in ISO 8601. On live services only. */
  resolved_at?: string | null;
  /** On live services only. */
  confidential?: boolean | null;
  /** On live services only. */
  internal?: boolean;
  /** On live services only. */
  commands_changes?: Record<string, unknown>;
  /** On live services only. */
  project_id?: number | null;
  /** On live services only. */
  imported?: boolean;
  /** On live services only. */
  imported_from?: string;
}

/** User of the service. */
export interface User {
  id: number;
  name: string;
  username: string;
  state: string;
  avatar_url: string | null;
  web_url: string;
  /** On live services only. */
  locked?: boolean;
  /** On live services only. */
  public_email?: string | null;
}

/** Kind of object that a note belongs to. */
export type NoteableType = 'Issue' | 'Snippet' | 'Epic' | 'Commit' | 'Merge request' | 'MergeRequest';

/** Position of a note on a diff. */
export type Position = TextPosition | ImagePosition | FilePosition;

/** Position of a note on a line of a diff. */
export interface TextPosition extends DiffPlace {
  position_type: 'text';
  /** Line before the change (text). */
  old_line?: number | null;
  /** Line after the change (text). */
  new_line?: number | null;
  line_range?: LineRange | null;
}

/** Lines of a multi-line note. */
export interface LineRange {
  start?: LineEnd | null;
  end?: LineEnd | null;
}

/** First or last line of a range. */
export interface LineEnd {
  /** Line code. */
  line_code?: string | null;
  /** 'new' for added lines, else 'old'. */
  type?: string | null;
  /** On live services only. */
  old_line?: number | null;
  /** On live services only. */
  new_line?: number | null;
}

/** Position of a note on an image. */
export interface ImagePosition extends DiffPlace {
  position_type: 'image';
  /** Width of the image. */
  width?: number | null;
  /** Height of the image. */
  height?: number | null;
  /** X coordinate on the image. */
  x?: number | null;
  /** Y coordinate on the image. */
  y?: number | null;
}

/** Position of a note on a whole file. */
export interface FilePosition extends DiffPlace {
  position_type: 'file';
}

/** Change of lines that a diff note suggests. */
export interface Suggestion {
  id: number;
  from_line: number;
  to_line: number;
  appliable: boolean;
  applied: boolean;
  from_content: string;
  to_content: string;
}

/** Response to a text of quick actions alone, which is not stored. */
export interface QuickActions {
  commands_changes: Record<string, unknown>;
  summary: string[];
}

/** Position of a new note on a merge request. */
export type PositionInput = NewLinePositionInput | OldLinePositionInput | ImagePositionInput | FilePositionInput;

/** Position of a new note on an added or unchanged line. */
export interface NewLinePositionInput extends DiffPlace {
  position_type: 'text';
  /** Line after the change. */
  new_line: number;
  /** Line before the change. */
  old_line?: number | null;
  line_range?: LineRange | null;
}

/** Position of a new note on a removed or unchanged line. */
export interface OldLinePositionInput extends DiffPlace {
  position_type: 'text';
  /** Line before the change. */
  old_line: number;
  /** Line after the change. */
  new_line?: number | null;
  line_range?: LineRange | null;
}

/** Position of a new note on an image. */
export interface ImagePositionInput extends DiffPlace {
  position_type: 'image';
  /** Width of the image. */
  width: number;
  /** Height of the image. */
  height: number;
  /** X coordinate on the image. */
  x: number;
  /** Y coordinate on the image. */
  y: number;
}

/** Position of a new note on a whole file; on live services only. */
export interface FilePositionInput extends DiffPlace {
  position_type: 'file';
}

/** Position of a new note on a commit. */
export type CommitPositionInput =
  NewLineCommitPositionInput | OldLineCommitPositionInput | ImagePositionInput | FilePositionInput;

/** Position of a new note on an added or unchanged line. */
export interface NewLineCommitPositionInput extends DiffPlace {
  position_type: 'text';
  /** Line after the change. */
  new_line: number;
  /** Line before the change. */
  old_line?: number | null;
  /** On live services only. */
  line_range?: LineRange | null;
}

/** Position of a new note on a removed or unchanged line. */
export interface OldLineCommitPositionInput extends DiffPlace {
  position_type: 'text';
  /** Line before the change. */
  old_line: number;
  /** Line after the change. */
  new_line?: number | null;
  /** On live services only. */
  line_range?: LineRange | null;
}

/** Text, colors and images of the instance. */
export interface Appearance {
  title: string;
  description: string;
  logo: string | null;
  header_logo: string | null;
  favicon: string | null;
  new_project_guidelines: string;
  profile_image_guidelines?: string;
  header_message: string;
  footer_message: string;
  message_background_color: string;
  message_font_color: string;
  email_header_and_footer_enabled: boolean;
  /** On live services only. */
  pwa_name?: string;
  /** On live services only. */
  pwa_short_name?: string;
  /** On live services only. */
  pwa_description?: string;
  /** On live services only. */
  pwa_icon?: string | null;
  /** On live services only. */
  member_guidelines?: string;
}

/** Epic with its dates and links. */
export interface Epic {
  id: number;
  iid: number;
  group_id: number;
  parent_id: number | null;
  title: string;
  description: string | null;
  author: User;
  /** Date as YYYY-MM-DD. */
  start_date: string | null;
  start_date_is_fixed?: boolean;
  /** Date as YYYY-MM-DD. */
  start_date_fixed?: string | null;
  /**
   * Date as YYYY-MM-DD.
   *
   * @deprecated use start_date_from_inherited_source
   */
  start_date_from_milestones?: string | null;
  /** Date as YYYY-MM-DD. */
  start_date_from_inherited_source?: string | null;
  /**
   * Date as YYYY-MM-DD.
   *
   * @deprecated use due_date
   */
  end_date?: string | null;
  /** Date as YYYY-MM-DD. */
  due_date: string | null;
  due_date_is_fixed?: boolean;
  /** Date as YYYY-MM-DD. */
  due_date_fixed?: string | null;
  /**
   * Date as YYYY-MM-DD.
   *
   * @deprecated use due_date_from_inherited_source
   */
  due_date_from_milestones?: string | null;
  /** Date as YYYY-MM-DD. */
  due_date_from_inherited_source?: string | null;
  /** Time in ISO 8601. */
  created_at: string;
  /** Time in ISO 8601. */
  updated_at: string;
  labels: unknown[];
  /** On live services only. */
  work_item_id?: number;
  /** On live services only. */
  parent_iid?: number | null;
  /** On live services only. */
  color?: string;
  /** On live services only. */
  text_color?: string;
  /** On live services only. */
  imported?: boolean;
  /** On live services only. */
  imported_from?: string;
  /** On live services only. */
  confidential?: boolean;
  /** On live services only. */
  state?: string;
  /** On live services only. */
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
  /** On live services only. */
  references?: {
    short: string;
    relative: string;
    full: string;
  };
  /** Time in ISO 8601. On live services only. */
  closed_at?: string | null;
  /** On live services only. */
  upvotes?: number;
  /** On live services only. */
  downvotes?: number;
  /** On live services only. */
  _links?: {
    self: string;
    epic_issues: string;
    group: string;
    parent: string | null;
  };
}

/** New child epic. */
export interface LinkedEpic {
  id: number;
  iid: number;
  title: string;
  group_id: number;
  parent_id: number;
  has_children: boolean;
  has_issues: boolean;
  reference: string;
  url: string;
  relation_url: string;
}

/** Version of the service. */
export interface Version {
  version: string;
  revision: string;
}

/** Version and edition of the service. */
export interface Metadata {
  version: string;
  revision: string;
  enterprise: boolean;
}

/** User the token belongs to. */
export interface CurrentUser {
  id: number;
  name: string;
  username: string;
  state: string;
  avatar_url: string | null;
  web_url: string;
  /** On live services only. */
  locked?: boolean;
  /** On live services only. */
  public_email?: string | null;
  is_admin?: boolean;
}

/** Project. */
export interface Project {
  id: number;
  name: string;
  path: string;
  name_with_namespace: string;
  path_with_namespace: string;
  description: string | null;
  default_branch: string | null;
  visibility: string;
  web_url: string;
  archived: boolean;
  permissions: {
    project_access: {
      access_level: number;
    } | null;
    group_access: {
      access_level: number;
    } | null;
  };
}

/** Member of a project or group. */
export interface Member {
  id: number;
  name: string;
  username: string;
  state: string;
  avatar_url: string | null;
  web_url: string;
  /** On live services only. */
  locked?: boolean;
  /** On live services only. */
  public_email?: string | null;
  access_level: number;
  expires_at: null;
  membership_state: string;
}

/** Text file of a project. */
export interface RepositoryFile {
  file_name: string;
  file_path: string;
  size: number;
  encoding: string;
  /** The text in Base64. */
  content: string;
  content_sha256: string;
  ref: string;
  blob_id: string;
  commit_id: string | null;
  last_commit_id: string | null;
  execute_filemode: boolean;
}

/** Group. */
export interface Group {
  id: number;
  name: string;
  path: string;
  full_path: string;
  visibility: string;
  web_url: string;
  parent_id: number | null;
}

/** Epic of a group. */
export interface EpicDetails {
  id: number;
  iid: number;
  group_id: number;
  parent_id: number | null;
  title: string;
  description: string | null;
  author: User;
  /** Date as YYYY-MM-DD. */
  start_date: string | null;
  start_date_is_fixed?: boolean;
  /** Date as YYYY-MM-DD. */
  start_date_fixed?: string | null;
  /**
   * Date as YYYY-MM-DD.
   *
   * @deprecated use start_date_from_inherited_source
   */
  start_date_from_milestones?: string | null;
  /** Date as YYYY-MM-DD. */
  start_date_from_inherited_source?: string | null;
  /**
   * Date as YYYY-MM-DD.
   *
   * @deprecated use due_date
   */
  end_date?: string | null;
  /** Date as YYYY-MM-DD. */
  due_date: string | null;
  due_date_is_fixed?: boolean;
  /** Date as YYYY-MM-DD. */
  due_date_fixed?: string | null;
  /**
   * Date as YYYY-MM-DD.
   *
   * @deprecated use due_date_from_inherited_source
   */
  due_date_from_milestones?: string | null;
  /** Date as YYYY-MM-DD. */
  due_date_from_inherited_source?: string | null;
  /** Time in ISO 8601. */
  created_at: string;
  /** Time in ISO 8601. */
  updated_at: string;
  labels: unknown[];
  /** On live services only. */
  work_item_id?: number;
  /** On live services only. */
  parent_iid?: number | null;
  /** On live services only. */
  color?: string;
  /** On live services only. */
  text_color?: string;
  /** On live services only. */
  imported?: boolean;
  /** On live services only. */
  imported_from?: string;
  confidential: boolean;
  state: string;
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
  /** On live services only. */
  references?: {
    short: string;
    relative: string;
    full: string;
  };
  /** Time in ISO 8601. On live services only. */
  closed_at?: string | null;
  /** On live services only. */
  upvotes?: number;
  /** On live services only. */
  downvotes?: number;
  /** On live services only. */
  _links?: {
    self: string;
    epic_issues: string;
    group: string;
    parent: string | null;
  };
}

/** Issue. */
export interface Issue {
  id: number;
  project_id: number;
  title: string;
  description: string | null;
  author: User;
  web_url: string;
  /** Time in ISO 8601. */
  created_at: string;
  /** Time in ISO 8601. */
  updated_at: string;
  iid: number;
  state: string;
  /** Time in ISO 8601. */
  closed_at: string | null;
  labels: string[];
  assignees: User[];
  milestone: null;
  references: {
    short: string;
    relative: string;
    full: string;
  };
  discussion_locked: boolean | null;
  confidential: boolean;
}

/** Snippet. */
export interface Snippet {
  id: number;
  project_id: number;
  title: string;
  description: string | null;
  author: User;
  web_url: string;
  /** Time in ISO 8601. */
  created_at: string;
  /** Time in ISO 8601. */
  updated_at: string;
  file_name: string;
  visibility: string;
}

/** Merge request with its diff refs. */
export interface MergeRequest {
  id: number;
  project_id: number;
  title: string;
  description: string | null;
  author: User;
  web_url: string;
  /** Time in ISO 8601. */
  created_at: string;
  /** Time in ISO 8601. */
  updated_at: string;
  iid: number;
  state: string;
  /** Time in ISO 8601. */
  closed_at: string | null;
  labels: string[];
  assignees: User[];
  milestone: null;
  references: {
    short: string;
    relative: string;
    full: string;
  };
  discussion_locked: boolean | null;
  source_branch: string;
  target_branch: string;
  source_project_id: number;
  target_project_id: number;
  draft: boolean;
  work_in_progress: boolean;
  assignee: User | null;
  reviewers: User[];
  user_notes_count: number;
  blocking_discussions_resolved: boolean;
  merge_status: string;
  detailed_merge_status: string;
  /** Number of changed files; not in lists. */
  changes_count?: string | null;
  /** Time in ISO 8601. */
  merged_at: string | null;
  merge_commit_sha: string | null;
  sha: string | null;
  diff_refs: DiffRefs | null;
}

/** SHAs that a position on a diff needs. */
export interface DiffRefs {
  base_sha: string;
  head_sha: string;
  start_sha: string;
}

/** Diff version of a merge request. */
export interface DiffVersion {
  id: number;
  head_commit_sha: string;
  base_commit_sha: string;
  start_commit_sha: string;
  /** Time in ISO 8601. */
  created_at: string;
  merge_request_id: number;
  state: string;
  real_size: string;
}

/** Diff version with its commits and changed files. */
export interface DiffVersionDetails {
  id: number;
  head_commit_sha: string;
  base_commit_sha: string;
  start_commit_sha: string;
  /** Time in ISO 8601. */
  created_at: string;
  merge_request_id: number;
  state: string;
  real_size: string;
  commits: CommitDetails[];
  diffs: FileDiff[];
}

/** Commit. */
export interface CommitDetails {
  id: string;
  short_id: string;
  title: string;
  message: string;
  parent_ids: string[];
  author_name: string;
  author_email: string;
  /** Time in ISO 8601. */
  authored_date: string;
  committer_name: string;
  committer_email: string;
  /** Time in ISO 8601. */
  committed_date: string;
  /** Time in ISO 8601. */
  created_at: string;
  web_url: string;
}

/** Changed file with its diff. */
export interface FileDiff {
  old_path: string;
  new_path: string;
  a_mode: string;
  b_mode: string;
  diff: string;
  new_file: boolean;
  renamed_file: boolean;
  deleted_file: boolean;
  /** Whether the diff is left out because the list is long. */
  collapsed?: boolean;
  /** Whether the diff is left out because it is large. */
  too_large?: boolean;
}

/** Merge request with its changed files. */
export interface MergeRequestChanges {
  id: number;
  project_id: number;
  title: string;
  description: string | null;
  author: User;
  web_url: string;
  /** Time in ISO 8601. */
  created_at: string;
  /** Time in ISO 8601. */
  updated_at: string;
  iid: number;
  state: string;
  /** Time in ISO 8601. */
  closed_at: string | null;
  labels: string[];
  assignees: User[];
  milestone: null;
  references: {
    short: string;
    relative: string;
    full: string;
  };
  discussion_locked: boolean | null;
  source_branch: string;
  target_branch: string;
  source_project_id: number;
  target_project_id: number;
  draft: boolean;
  work_in_progress: boolean;
  assignee: User | null;
  reviewers: User[];
  user_notes_count: number;
  blocking_discussions_resolved: boolean;
  merge_status: string;
  detailed_merge_status: string;
  /** Number of changed files; not in lists. */
  changes_count?: string | null;
  /** Time in ISO 8601. */
  merged_at: string | null;
  merge_commit_sha: string | null;
  sha: string | null;
  diff_refs: DiffRefs | null;
  overflow: boolean;
  changes: FileDiff[];
}

/** Approvals of a merge request. */
export interface Approvals {
  id: number;
  iid: number;
  project_id: number;
  title: string;
  state: string;
  approvals_required: number;
  approvals_left: number;
  approved: boolean;
  approved_by: {
    user: User;
  }[];
  user_has_approved: boolean;
  user_can_approve: boolean;
}

/** Commits and changed files between two SHAs. */
export interface Comparison {
  commit: CommitDetails | null;
  commits: CommitDetails[];
  diffs: FileDiff[];
  compare_timeout: boolean;
  compare_same_ref: boolean;
}

/** Note on a merge request that only its author sees until it is published. */
export interface DraftNote {
  id: number;
  author_id: number;
  /** Global id of the merge request. */
  merge_request_id: number;
  resolve_discussion: boolean;
  /** Thread that the draft note replies to. */
  discussion_id: string | null;
  note: string;
  commit_id: string | null;
  line_code: string | null;
  position: TextPosition | ImagePosition | FilePosition | NoPosition;
}

/** Position of a draft note that is not on the diff. */
export interface NoPosition {
  base_sha: null;
  start_sha: null;
  head_sha: null;
  old_path: null;
  new_path: null;
  position_type: 'text';
  old_line: null;
  new_line: null;
  line_range: null;
}

/** Webhook of a project. */
export interface Hook {
  id: number;
  url: string;
  project_id: number;
  /** Time in ISO 8601. */
  created_at: string;
  note_events: boolean;
  confidential_note_events: boolean;
  merge_requests_events: boolean;
  enable_ssl_verification: boolean;
  /** `executable`, or `temporarily_disabled` after failures. */
  alert_status: string;
  /** Time in ISO 8601. */
  disabled_until: string | null;
}

/** Response to a test. */
export interface HookTest {
  message: string;
}
