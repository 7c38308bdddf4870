// Derived from schema.ts. To change it, change that and run: npm run reference

/** All data that a server starts with. */
export interface World {
  /** Version, tier, and features that are on or off. */
  settings?: WorldSettings;
  /** Users with their access tokens (default: one administrator `root` with the token `root-token`). */
  users?: WorldUser[];
  /** Groups with their epics. */
  groups?: WorldGroup[];
  /** Projects with their issues, snippets, merge requests and commits. */
  projects?: WorldProject[];
  /** Text, colors and images of the instance. */
  appearance?: WorldAppearance;
}

/** The version of the service, and features that a license can lack. */
export interface WorldSettings {
  /** Whether there are epics (default: true). */
  epics?: boolean;
  /** Whether links between epics can be changed (default: true). */
  nested_epics?: boolean;
  /** Whether a new child epic can be confidential; if not, it is like its parent (default: true). */
  confidential_epics?: boolean;
  /**
   * Subscription: `free` has no epics, `premium` has epics, `ultimate` has also links between them (default:
   * `ultimate`).
   */
  tier?: 'free' | 'premium' | 'ultimate';
  /**
   * Version of the service, in quotes, whose [behavior](behavior.md) the server has (default: that of the
   * [dialect](server-reference.md#version-and-tier)).
   */
  version?: string;
}

/** A user. */
export interface WorldUser {
  /** Id, unique among all users (default: the next free number). */
  id?: number;
  /** Name in mentions and URLs (default: `user` and the id). */
  username?: string;
  /** Display name (default: the value of `username`). */
  name?: string;
  /** Whether the user is an administrator (default: false). */
  admin?: boolean;
  /** Access token with the scope `api`. */
  token?: string;
  /** Further access tokens. */
  tokens?: WorldToken[];
  /** Account state; only active users can use their tokens (default: `active`). */
  state?: 'active' | 'blocked' | 'ldap_blocked' | 'blocked_pending_approval' | 'deactivated' | 'banned';
}

/** An access token: either `token` or `digest` is required. */
export interface WorldToken {
  /** The token itself. */
  token?: string;
  /** SHA-256 digest of the token; `GET /-/world` returns this in place of the token. */
  digest?: string;
  /** Scopes (default: `[api]`). */
  scopes?: ('api' | 'read_api' | 'read_user' | 'read_repository' | 'sudo' | 'admin_mode')[];
  /** Time of expiry (default: never). */
  expires_at?: string;
  /** Whether the token is revoked (default: false). */
  revoked?: boolean;
}

/** A group, or a subgroup if its path has a slash. */
export interface WorldGroup {
  /** Id, unique among all groups (default: the next free number). */
  id?: number;
  /** Name (default: the last part of `path`). */
  name?: string;
  /** Who can read it: everyone, all users, or members only (default: `private`). */
  visibility?: 'public' | 'internal' | 'private';
  /** Role of each member, by username; members of a group have that role in all below it. */
  members?: Record<string, 'guest' | 'reporter' | 'developer' | 'maintainer' | 'owner'>;
  /** Full path (default: `group` and the id). */
  path?: string;
  /** Epics. */
  epics?: WorldEpic[];
}

/** An epic of a group. */
export interface WorldEpic {
  /** Global id, unique among all objects of the same kind (default: the next free number). */
  id?: number;
  /** Title (default: `Epic` and its number). */
  title?: string;
  /** Description, Markdown. */
  description?: string;
  /** Username of the author (default: the first user). */
  author?: string;
  /** Whether only members can comment (default: false). */
  locked?: boolean;
  /** Time of creation (default: one minute after the object before it in the file). */
  created_at?: string;
  /** Time of the last change (default: the value of `created_at`). */
  updated_at?: string;
  /** Threads. */
  discussions?: WorldDiscussion[];
  /** Number that people see, unique in the group (default: the next free number). */
  iid?: number;
  /** State (default: `opened`). */
  state?: 'opened' | 'closed';
  /** Whether only members can see it (default: false). */
  confidential?: boolean;
  /** Labels. */
  labels?: string[];
  /** Global `id` of the parent epic; a tree has at most 7 levels. */
  parent?: number;
  /** Order among epics with the same parent (default: the order in the file). */
  position?: number;
  /** Start date (default: `start_date_fixed` if `start_date_is_fixed` is true). */
  start_date?: string;
  /** Start date that somebody set. */
  start_date_fixed?: string;
  /** Whether the fixed start date applies (default: true if `start_date_fixed` is set). */
  start_date_is_fixed?: boolean;
  /** Due date (default: `due_date_fixed` if `due_date_is_fixed` is true). */
  due_date?: string;
  /** Due date that somebody set. */
  due_date_fixed?: string;
  /** Whether the fixed due date applies (default: true if `due_date_fixed` is set). */
  due_date_is_fixed?: boolean;
}

/** A thread. */
export interface WorldDiscussion {
  /** Id, unique within its issue, merge request or other object (default: random). */
  id?: string;
  /** Whether it is a single comment without replies (default: false; true for a single system note). */
  individual_note?: boolean;
  /** Notes, at least one (default: one note). */
  notes?: WorldNote[];
}

/** A note. */
export interface WorldNote {
  /** Id, unique among all notes (default: the next free number). */
  id?: number;
  /** Username of the author (default: the first user). */
  author?: string;
  /** Text, Markdown (default: `Note` and the id). */
  body?: string;
  /** Whether the service wrote the note (default: false). */
  system?: boolean;
  /** Whether only reporters and above see the thread of the note (default: false). */
  internal?: boolean;
  /** Time of creation (default: after the note before it). */
  created_at?: string;
  /** Time of the last change (default: the value of `created_at`). */
  updated_at?: string;
  /** File name of an attachment. */
  attachment?: string;
  /** SHA of the commit that the note is about. */
  commit_id?: string;
  /** Position in the diff of a merge request or commit. */
  position?: WorldPosition;
  /** Username of the user who resolved the thread. */
  resolved_by?: string;
  /** Time when the thread was resolved (default: the value of `updated_at` if `resolved_by` is set). */
  resolved_at?: string;
  /** What is known of the suggestions in the text, in their order (default: the lines of the diff). */
  suggestions?: WorldSuggestion[];
}

/** A position in a diff: a path and a line, or a path and a point on an image. */
export interface WorldPosition {
  /** Base commit (default: the value of the merge request or commit). */
  base_sha?: string;
  /** Start commit (default: the value of the merge request or commit). */
  start_sha?: string;
  /** Head commit (default: the value of the merge request or commit). */
  head_sha?: string;
  /** A line, a point on an image, or a whole file (default: `text`). */
  position_type?: 'text' | 'image' | 'file';
  /** Path before the change (default: the value of `new_path`). */
  old_path?: string;
  /** Path after the change (default: the value of `old_path`). */
  new_path?: string;
  /** Line before the change. */
  old_line?: number;
  /** Line after the change. */
  new_line?: number;
  /** Range of lines, for a note on several lines. */
  line_range?: WorldLineRange;
  /** Width of the image. */
  width?: number;
  /** Height of the image. */
  height?: number;
  /** Distance from the left edge of the image. */
  x?: number;
  /** Distance from the top edge of the image. */
  y?: number;
}

/** A range of lines. Further keys are stored as they are. */
export interface WorldLineRange {
  /** First line of the range. */
  start?: WorldLine | null;
  /** Last line of the range. */
  end?: WorldLine | null;
}

/** First or last line of a range. Further keys are stored as they are. */
export interface WorldLine {
  /** Line code: SHA-1 of the path, old line and new line, joined by `_`. */
  line_code?: string | null;
  /** `new` or `old`. */
  type?: string | null;
  /** Line before the change. */
  old_line?: number | null;
  /** Line after the change. */
  new_line?: number | null;
}

/** A suggestion in the text of a note. */
export interface WorldSuggestion {
  /** The lines that it replaces, as they were when the note was written (default: the lines of the diff). */
  from_content?: string;
  /** Whether it was applied (default: false). */
  applied?: boolean;
}

/** A project. */
export interface WorldProject {
  /** Id, unique among all projects (default: the next free number). */
  id?: number;
  /** Name (default: the last part of `path`). */
  name?: string;
  /** Who can read it: everyone, all users, or members only (default: `private`). */
  visibility?: 'public' | 'internal' | 'private';
  /** Role of each member, by username; members of a group have that role in all below it. */
  members?: Record<string, 'guest' | 'reporter' | 'developer' | 'maintainer' | 'owner'>;
  /** Full path, with the group (default: `group/project` and the id). */
  path?: string;
  /**
   * Path, or a list of paths, that the project had before it moved; a GET with one of them is redirected, other methods
   * get 405.
   */
  moved_from?: string | string[];
  /** Whether the project is archived, which makes it read-only (default: false). */
  archived?: boolean;
  /** Issues. */
  issues?: WorldIssue[];
  /** Snippets. */
  snippets?: WorldSnippet[];
  /** Merge requests. */
  merge_requests?: WorldMergeRequest[];
  /** Commits. */
  commits?: WorldCommit[];
  /** Text files by path, as in the base of its merge requests. */
  files?: Record<string, string>;
  /** Webhooks, see [Webhooks](server-reference.md#webhooks). */
  hooks?: WorldHook[];
}

/** An issue of a project. */
export interface WorldIssue {
  /** Global id, unique among all objects of the same kind (default: the next free number). */
  id?: number;
  /** Title (default: `Issue` and its number). */
  title?: string;
  /** Description, Markdown. */
  description?: string;
  /** Username of the author (default: the first user). */
  author?: string;
  /** Whether only members can comment (default: false). */
  locked?: boolean;
  /** Time of creation (default: one minute after the object before it in the file). */
  created_at?: string;
  /** Time of the last change (default: the value of `created_at`). */
  updated_at?: string;
  /** Threads. */
  discussions?: WorldDiscussion[];
  /** Number that people see, unique in the project (default: the next free number). */
  iid?: number;
  /** State (default: `opened`). */
  state?: 'opened' | 'closed';
  /** Whether only members can see it (default: false). */
  confidential?: boolean;
}

/** A snippet of a project. */
export interface WorldSnippet {
  /** Global id, unique among all objects of the same kind (default: the next free number). */
  id?: number;
  /** Title (default: `Snippet` and its number). */
  title?: string;
  /** Description, Markdown. */
  description?: string;
  /** Username of the author (default: the first user). */
  author?: string;
  /** Whether only members can comment (default: false). */
  locked?: boolean;
  /** Time of creation (default: one minute after the object before it in the file). */
  created_at?: string;
  /** Time of the last change (default: the value of `created_at`). */
  updated_at?: string;
  /** Threads. */
  discussions?: WorldDiscussion[];
}

/** A merge request of a project. */
export interface WorldMergeRequest {
  /** Global id, unique among all objects of the same kind (default: the next free number). */
  id?: number;
  /** Title (default: `Merge request` and its number). */
  title?: string;
  /** Description, Markdown. */
  description?: string;
  /** Username of the author (default: the first user). */
  author?: string;
  /** Whether only members can comment (default: false). */
  locked?: boolean;
  /** Time of creation (default: one minute after the object before it in the file). */
  created_at?: string;
  /** Time of the last change (default: the value of `created_at`). */
  updated_at?: string;
  /** Threads. */
  discussions?: WorldDiscussion[];
  /** Number that people see, unique in the project (default: the next free number). */
  iid?: number;
  /** State (default: `opened`). */
  state?: 'opened' | 'closed' | 'locked' | 'merged';
  /** Branch with the changes. */
  source_branch?: string;
  /** Branch to merge into. */
  target_branch?: string;
  /** Path of the project with the source branch, for a fork (default: the project itself). */
  source_project?: string;
  /** Base commit of the diff. */
  base_sha?: string;
  /** Start commit of the diff. */
  start_sha?: string;
  /** Head commit of the diff. */
  head_sha?: string;
  /** The changes, as `git diff` prints them. */
  diff?: string;
  /** Versions of the diff, oldest first; the SHAs and the diff of the merge request are those of the last. */
  versions?: WorldDiffVersion[];
  /** Draft notes, which only their authors see. */
  draft_notes?: WorldDraftNote[];
  /** Usernames of the assignees. */
  assignees?: string[];
  /** Usernames of the reviewers. */
  reviewers?: string[];
  /** Usernames of the users who approved it. */
  approved_by?: string[];
}

/** What a merge request was after a push. */
export interface WorldDiffVersion {
  /**
   * Id, unique among all versions (default: that of the merge request for its first version, else the next free
   * number).
   */
  id?: number;
  /** Base commit of the diff (required). */
  base_sha?: string;
  /** Start commit of the diff (default: the value of `base_sha`). */
  start_sha?: string;
  /** Head commit of the diff (required). */
  head_sha?: string;
  /** The changes, as `git diff` prints them. */
  diff?: string;
  /** Time of the push (default: that of the merge request). */
  created_at?: string;
  /** All text files of its base, if they differ from `files` of the project. */
  base_files?: Record<string, string>;
}

/** A note that is not published yet. */
export interface WorldDraftNote {
  /** Id, unique among all draft notes (default: the next free number). */
  id?: number;
  /** Username of the author (default: the first user). */
  author?: string;
  /** Text, Markdown (default: `Draft note` and the id). */
  note?: string;
  /** Id of the thread of the merge request that it replies to (default: none: a new thread). */
  discussion_id?: string;
  /** Whether publishing it resolves the thread; if not, it reopens it (default: false). */
  resolve_discussion?: boolean;
  /** SHA of the commit that the position is on. */
  commit_id?: string;
  /** Line code of the position (default: that of the line, if it is in the diff). */
  line_code?: string;
  /** Position in the diff of the merge request. */
  position?: WorldPosition;
}

/** A commit of a project. */
export interface WorldCommit {
  /** Global id, unique among all objects of the same kind (default: the next free number). */
  id?: number;
  /** Title (default: `Commit` and its short SHA). */
  title?: string;
  /** Description, Markdown. */
  description?: string;
  /** Username of the author (default: the first user). */
  author?: string;
  /** Whether only members can comment (default: false). */
  locked?: boolean;
  /** Time of creation (default: one minute after the object before it in the file). */
  created_at?: string;
  /** Time of the last change (default: the value of `created_at`). */
  updated_at?: string;
  /** Threads. */
  discussions?: WorldDiscussion[];
  /** SHA (default: random). */
  sha?: string;
  /** SHA of the parent commit. */
  parent_sha?: string;
  /** The changes, as `git show` prints them without its header. */
  diff?: string;
}

/** A webhook of a project. */
export interface WorldHook {
  /** Id, unique among all webhooks (default: the next free number). */
  id?: number;
  /** Secret that each delivery has in the header `X-Gitlab-Token`. */
  token?: string;
  /**
   * What is delivered: `note` for new and edited notes, `merge_request` for changes of merge requests (default:
   * `[note]`).
   */
  events?: ('note' | 'merge_request')[];
  /** Whether notes on confidential issues are delivered (default: true if `events` has `note`). */
  confidential_notes?: boolean;
  /** Address that receives the deliveries; loopback, or a host of `--allow-hooks-to` (required). */
  url?: string;
  /** Whether the certificate of the address is checked (default: true). */
  enable_ssl_verification?: boolean;
  /** Time of creation (default: the time of the start). */
  created_at?: string;
}

/** Text, colors and images of the instance. */
export interface WorldAppearance {
  /** Title of the sign-in page. */
  title?: string;
  /** Text of the sign-in page, Markdown. */
  description?: string;
  /** Image of the sign-in page. */
  logo?: WorldImage;
  /** Image in the header. */
  header_logo?: WorldImage;
  /** Icon of the browser tab. */
  favicon?: WorldImage;
  /** Text of the page for new projects, Markdown. */
  new_project_guidelines?: string;
  /** Text below the profile picture, Markdown. */
  profile_image_guidelines?: string;
  /** Message above every page. */
  header_message?: string;
  /** Message below every page. */
  footer_message?: string;
  /** Background color of both messages (default: the default of the service). */
  message_background_color?: string;
  /** Text color of both messages (default: the default of the service). */
  message_font_color?: string;
  /** Whether emails have both messages (default: false). */
  email_header_and_footer_enabled?: boolean;
  /** Name of the progressive web app. */
  pwa_name?: string;
  /** Short name of the progressive web app. */
  pwa_short_name?: string;
  /** Description of the progressive web app. */
  pwa_description?: string;
  /** Icon of the progressive web app. */
  pwa_icon?: WorldImage;
  /** Text of the members page, Markdown. */
  member_guidelines?: string;
}

/** An image as a value. In a file, it can also be a path. */
export interface WorldImage {
  /** File name without folder (required). */
  file_name: string;
  /** Media type (default: by the extension of `file_name`). */
  media_type?: string;
  /** The bytes in base64 (required). */
  content: string;
}
