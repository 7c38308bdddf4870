// Derived from the contract. To change it, change that and run: npm run reference
import type {
  AddCommitDiscussionNoteParams,
  AddEpicDiscussionNoteParams,
  AddIssueDiscussionNoteParams,
  AddMergeRequestDiscussionNoteParams,
  AddSnippetDiscussionNoteParams,
  AssignEpicParams,
  CreateCommitDiscussionParams,
  CreateEpicDiscussionParams,
  CreateEpicNoteParams,
  CreateEpicParams,
  CreateIssueDiscussionParams,
  CreateIssueNoteParams,
  CreateMergeRequestDiscussionParams,
  CreateMergeRequestNoteParams,
  CreateSnippetDiscussionParams,
  CreateSnippetNoteParams,
  DeleteCommitDiscussionNoteParams,
  DeleteEpicDiscussionNoteParams,
  DeleteEpicNoteParams,
  DeleteIssueDiscussionNoteParams,
  DeleteIssueNoteParams,
  DeleteMergeRequestDiscussionNoteParams,
  DeleteMergeRequestNoteParams,
  DeleteSnippetDiscussionNoteParams,
  DeleteSnippetNoteParams,
  GetAppearanceParams,
  GetCommitDiscussionNoteParams,
  GetCommitDiscussionParams,
  GetEpicDiscussionNoteParams,
  GetEpicDiscussionParams,
  GetEpicNoteParams,
  GetIssueDiscussionNoteParams,
  GetIssueDiscussionParams,
  GetIssueNoteParams,
  GetMergeRequestDiscussionNoteParams,
  GetMergeRequestDiscussionParams,
  GetMergeRequestNoteParams,
  GetSnippetDiscussionNoteParams,
  GetSnippetDiscussionParams,
  GetSnippetNoteParams,
  ListCommitDiscussionNotesParams,
  ListCommitDiscussionsParams,
  ListEpicDiscussionNotesParams,
  ListEpicDiscussionsParams,
  ListEpicNotesParams,
  ListEpicsParams,
  ListIssueDiscussionNotesParams,
  ListIssueDiscussionsParams,
  ListIssueNotesParams,
  ListMergeRequestDiscussionNotesParams,
  ListMergeRequestDiscussionsParams,
  ListMergeRequestNotesParams,
  ListSnippetDiscussionNotesParams,
  ListSnippetDiscussionsParams,
  ListSnippetNotesParams,
  LookupApprovalsParams,
  LookupChangesParams,
  LookupCommitDiffParams,
  LookupCommitParams,
  LookupCommitsParams,
  LookupComparisonParams,
  LookupDiffVersionParams,
  LookupDiffsParams,
  LookupEpicParams,
  LookupEpicsParams,
  LookupGroupParams,
  LookupIssueParams,
  LookupIssuesParams,
  LookupMergeRequestCommitsParams,
  LookupMergeRequestParams,
  LookupMergeRequestsParams,
  LookupMetadataParams,
  LookupProjectParams,
  LookupSnippetParams,
  LookupSnippetsParams,
  LookupUserParams,
  LookupVersionParams,
  LookupVersionsParams,
  ModifyCommitDiscussionNoteParams,
  ModifyEpicDiscussionNoteParams,
  ModifyEpicNoteParams,
  ModifyIssueDiscussionNoteParams,
  ModifyIssueNoteParams,
  ModifyMergeRequestDiscussionNoteParams,
  ModifyMergeRequestNoteParams,
  ModifySnippetDiscussionNoteParams,
  ModifySnippetNoteParams,
  ReorderEpicParams,
  ResolveMergeRequestDiscussionParams,
  SetAppearanceParams,
  UnassignEpicParams,
} from '../contract/derived/params.js';
import type {
  Appearance,
  Approvals,
  CommitDetails,
  Comparison,
  CurrentUser,
  DiffVersion,
  DiffVersionDetails,
  Discussion,
  Epic,
  EpicDetails,
  FileDiff,
  Group,
  Issue,
  LinkedEpic,
  MergeRequest,
  MergeRequestChanges,
  Metadata,
  Note,
  Project,
  Snippet,
  Version,
} from '../contract/derived/shapes.js';
import type { CallOptions } from './options.js';
import type { Pages } from './pagination/pages.js';

/** The methods of `client.discussions.issue`. */
export interface IssueDiscussions {
  /**
   * List the discussions of one issue.
   *
   * `GET /projects/:id/issues/:noteable_id/discussions`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id internal id of the issue
   * @param params.page page number, from 1
   * @param params.per_page results per page, at most 100; default 20
   */
  list(params: ListIssueDiscussionsParams, options?: CallOptions): Pages<Discussion>;

  /**
   * Get one discussion of one issue.
   *
   * `GET /projects/:id/issues/:noteable_id/discussions/:discussion_id`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id internal id of the issue
   * @param params.discussion_id id of the thread
   */
  get(params: GetIssueDiscussionParams, options?: CallOptions): Promise<Discussion>;

  /**
   * Start a thread on one issue.
   *
   * `POST /projects/:id/issues/:noteable_id/discussions`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id internal id of the issue
   * @param params.body text of the note, Markdown
   * @param params.created_at creation time, ISO 8601; ignored unless sent by an administrator or owner
   */
  create(params: CreateIssueDiscussionParams, options?: CallOptions): Promise<Discussion>;

  /**
   * Add a note to a thread of one issue.
   *
   * `POST /projects/:id/issues/:noteable_id/discussions/:discussion_id/notes`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id internal id of the issue
   * @param params.discussion_id id of the thread
   * @param params.note_id id of a note of the thread; ignored by live services
   * @param params.body text of the note, Markdown
   * @param params.created_at creation time, ISO 8601; ignored unless sent by an administrator or owner
   */
  addNote(params: AddIssueDiscussionNoteParams, options?: CallOptions): Promise<Note>;

  /**
   * Modify a note of one issue.
   *
   * `PUT /projects/:id/issues/:noteable_id/discussions/:discussion_id/notes/:note_id`
   *
   * Exactly one of `body` and `resolved` is required.
   *
   * @param params.id id or path of the project
   * @param params.noteable_id internal id of the issue
   * @param params.discussion_id id of the thread
   * @param params.note_id id of the note
   * @param params.body text of the note, Markdown
   * @param params.resolved not supported for this kind: the service responds with "Note is not resolvable"
   */
  modifyNote(params: ModifyIssueDiscussionNoteParams, options?: CallOptions): Promise<Note>;

  /**
   * Delete a note of one issue.
   *
   * `DELETE /projects/:id/issues/:noteable_id/discussions/:discussion_id/notes/:note_id`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id internal id of the issue
   * @param params.discussion_id id of the thread
   * @param params.note_id id of the note
   */
  deleteNote(params: DeleteIssueDiscussionNoteParams, options?: CallOptions): Promise<undefined>;
}

/** The methods of `client.discussions.snippet`. */
export interface SnippetDiscussions {
  /**
   * List the discussions of one snippet.
   *
   * `GET /projects/:id/snippets/:noteable_id/discussions`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id id of the snippet
   * @param params.page page number, from 1
   * @param params.per_page results per page, at most 100; default 20
   */
  list(params: ListSnippetDiscussionsParams, options?: CallOptions): Pages<Discussion>;

  /**
   * Get one discussion of one snippet.
   *
   * `GET /projects/:id/snippets/:noteable_id/discussions/:discussion_id`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id id of the snippet
   * @param params.discussion_id id of the thread
   */
  get(params: GetSnippetDiscussionParams, options?: CallOptions): Promise<Discussion>;

  /**
   * Start a thread on one snippet.
   *
   * `POST /projects/:id/snippets/:noteable_id/discussions`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id id of the snippet
   * @param params.body text of the note, Markdown
   * @param params.created_at creation time, ISO 8601; ignored unless sent by an administrator or owner
   */
  create(params: CreateSnippetDiscussionParams, options?: CallOptions): Promise<Discussion>;

  /**
   * Add a note to a thread of one snippet.
   *
   * `POST /projects/:id/snippets/:noteable_id/discussions/:discussion_id/notes`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id id of the snippet
   * @param params.discussion_id id of the thread
   * @param params.note_id id of a note of the thread; ignored by live services
   * @param params.body text of the note, Markdown
   * @param params.created_at creation time, ISO 8601; ignored unless sent by an administrator or owner
   */
  addNote(params: AddSnippetDiscussionNoteParams, options?: CallOptions): Promise<Note>;

  /**
   * Modify a note of one snippet.
   *
   * `PUT /projects/:id/snippets/:noteable_id/discussions/:discussion_id/notes/:note_id`
   *
   * Exactly one of `body` and `resolved` is required.
   *
   * @param params.id id or path of the project
   * @param params.noteable_id id of the snippet
   * @param params.discussion_id id of the thread
   * @param params.note_id id of the note
   * @param params.body text of the note, Markdown
   * @param params.resolved not supported for this kind: the service responds with "Note is not resolvable"
   */
  modifyNote(params: ModifySnippetDiscussionNoteParams, options?: CallOptions): Promise<Note>;

  /**
   * Delete a note of one snippet.
   *
   * `DELETE /projects/:id/snippets/:noteable_id/discussions/:discussion_id/notes/:note_id`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id id of the snippet
   * @param params.discussion_id id of the thread
   * @param params.note_id id of the note
   */
  deleteNote(params: DeleteSnippetDiscussionNoteParams, options?: CallOptions): Promise<undefined>;
}

/** The methods of `client.discussions.epic`. */
export interface EpicDiscussions {
  /**
   * List the discussions of one epic.
   *
   * `GET /groups/:id/epics/:noteable_id/discussions`
   *
   * @param params.id id or path of the group
   * @param params.noteable_id global id of the epic
   * @param params.page page number, from 1
   * @param params.per_page results per page, at most 100; default 20
   */
  list(params: ListEpicDiscussionsParams, options?: CallOptions): Pages<Discussion>;

  /**
   * Get one discussion of one epic.
   *
   * `GET /groups/:id/epics/:noteable_id/discussions/:discussion_id`
   *
   * @param params.id id or path of the group
   * @param params.noteable_id global id of the epic
   * @param params.discussion_id id of the thread
   */
  get(params: GetEpicDiscussionParams, options?: CallOptions): Promise<Discussion>;

  /**
   * Start a thread on one epic.
   *
   * `POST /groups/:id/epics/:noteable_id/discussions`
   *
   * @param params.id id or path of the group
   * @param params.noteable_id global id of the epic
   * @param params.body text of the note, Markdown
   * @param params.created_at creation time, ISO 8601; ignored unless sent by an administrator or owner
   */
  create(params: CreateEpicDiscussionParams, options?: CallOptions): Promise<Discussion>;

  /**
   * Add a note to a thread of one epic.
   *
   * `POST /groups/:id/epics/:noteable_id/discussions/:discussion_id/notes`
   *
   * @param params.id id or path of the group
   * @param params.noteable_id global id of the epic
   * @param params.discussion_id id of the thread
   * @param params.note_id id of a note of the thread; ignored by live services
   * @param params.body text of the note, Markdown
   * @param params.created_at creation time, ISO 8601; ignored unless sent by an administrator or owner
   */
  addNote(params: AddEpicDiscussionNoteParams, options?: CallOptions): Promise<Note>;

  /**
   * Modify a note of one epic.
   *
   * `PUT /groups/:id/epics/:noteable_id/discussions/:discussion_id/notes/:note_id`
   *
   * Exactly one of `body` and `resolved` is required.
   *
   * @param params.id id or path of the group
   * @param params.noteable_id global id of the epic
   * @param params.discussion_id id of the thread
   * @param params.note_id id of the note
   * @param params.body text of the note, Markdown
   * @param params.resolved not supported for this kind: the service responds with "Note is not resolvable"
   */
  modifyNote(params: ModifyEpicDiscussionNoteParams, options?: CallOptions): Promise<Note>;

  /**
   * Delete a note of one epic.
   *
   * `DELETE /groups/:id/epics/:noteable_id/discussions/:discussion_id/notes/:note_id`
   *
   * @param params.id id or path of the group
   * @param params.noteable_id global id of the epic
   * @param params.discussion_id id of the thread
   * @param params.note_id id of the note
   */
  deleteNote(params: DeleteEpicDiscussionNoteParams, options?: CallOptions): Promise<undefined>;
}

/** The methods of `client.discussions.merge_request`. */
export interface MergeRequestDiscussions {
  /**
   * List the discussions of one merge request.
   *
   * `GET /projects/:id/merge_requests/:noteable_id/discussions`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id internal id of the merge request
   * @param params.page page number, from 1
   * @param params.per_page results per page, at most 100; default 20
   */
  list(params: ListMergeRequestDiscussionsParams, options?: CallOptions): Pages<Discussion>;

  /**
   * Get one discussion of one merge request.
   *
   * `GET /projects/:id/merge_requests/:noteable_id/discussions/:discussion_id`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id internal id of the merge request
   * @param params.discussion_id id of the thread
   */
  get(params: GetMergeRequestDiscussionParams, options?: CallOptions): Promise<Discussion>;

  /**
   * Start a thread on one merge request.
   *
   * `POST /projects/:id/merge_requests/:noteable_id/discussions`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id internal id of the merge request
   * @param params.body text of the note, Markdown
   * @param params.created_at creation time, ISO 8601; ignored unless sent by an administrator or owner
   * @param params.position position of the note on the diff
   * @param params.commit_id SHA of the commit the thread starts on; since 13.7
   */
  create(params: CreateMergeRequestDiscussionParams, options?: CallOptions): Promise<Discussion>;

  /**
   * Add a note to a thread of one merge request.
   *
   * `POST /projects/:id/merge_requests/:noteable_id/discussions/:discussion_id/notes`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id internal id of the merge request
   * @param params.discussion_id id of the thread
   * @param params.note_id id of a note of the thread; ignored by live services
   * @param params.body text of the note, Markdown
   * @param params.created_at creation time, ISO 8601; ignored unless sent by an administrator or owner
   */
  addNote(params: AddMergeRequestDiscussionNoteParams, options?: CallOptions): Promise<Note>;

  /**
   * Modify a note of one merge request.
   *
   * `PUT /projects/:id/merge_requests/:noteable_id/discussions/:discussion_id/notes/:note_id`
   *
   * Exactly one of `body` and `resolved` is required.
   *
   * @param params.id id or path of the project
   * @param params.noteable_id internal id of the merge request
   * @param params.discussion_id id of the thread
   * @param params.note_id id of the note
   * @param params.body new text of the note, Markdown
   * @param params.resolved true to resolve the note, false to unresolve it
   */
  modifyNote(params: ModifyMergeRequestDiscussionNoteParams, options?: CallOptions): Promise<Note>;

  /**
   * Delete a note of one merge request.
   *
   * `DELETE /projects/:id/merge_requests/:noteable_id/discussions/:discussion_id/notes/:note_id`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id internal id of the merge request
   * @param params.discussion_id id of the thread
   * @param params.note_id id of the note
   */
  deleteNote(params: DeleteMergeRequestDiscussionNoteParams, options?: CallOptions): Promise<undefined>;

  /**
   * Resolve or unresolve a thread of one merge request.
   *
   * `PUT /projects/:id/merge_requests/:noteable_id/discussions/:discussion_id`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id internal id of the merge request
   * @param params.discussion_id id of the thread
   * @param params.resolved true to resolve the thread, false to unresolve it
   */
  resolve(params: ResolveMergeRequestDiscussionParams, options?: CallOptions): Promise<Discussion>;
}

/** The methods of `client.discussions.commit`. */
export interface CommitDiscussions {
  /**
   * List the discussions of one commit.
   *
   * `GET /projects/:id/commits/:noteable_id/discussions`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id SHA of the commit
   * @param params.page page number, from 1
   * @param params.per_page results per page, at most 100; default 20
   */
  list(params: ListCommitDiscussionsParams, options?: CallOptions): Pages<Discussion>;

  /**
   * Get one discussion of one commit.
   *
   * `GET /projects/:id/commits/:noteable_id/discussions/:discussion_id`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id SHA of the commit
   * @param params.discussion_id id of the thread
   */
  get(params: GetCommitDiscussionParams, options?: CallOptions): Promise<Discussion>;

  /**
   * Start a thread on one commit.
   *
   * `POST /projects/:id/commits/:noteable_id/discussions`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id SHA of the commit
   * @param params.body text of the note, Markdown
   * @param params.created_at creation time, ISO 8601; ignored unless sent by an administrator or owner
   * @param params.position position of the note on the diff
   */
  create(params: CreateCommitDiscussionParams, options?: CallOptions): Promise<Discussion>;

  /**
   * Add a note to a thread of one commit.
   *
   * `POST /projects/:id/commits/:noteable_id/discussions/:discussion_id/notes`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id SHA of the commit
   * @param params.discussion_id id of the thread
   * @param params.note_id id of a note of the thread; ignored by live services
   * @param params.body text of the note, Markdown
   * @param params.created_at creation time, ISO 8601; ignored unless sent by an administrator or owner
   */
  addNote(params: AddCommitDiscussionNoteParams, options?: CallOptions): Promise<Note>;

  /**
   * Modify a note of one commit.
   *
   * `PUT /projects/:id/commits/:noteable_id/discussions/:discussion_id/notes/:note_id`
   *
   * Exactly one of `body` and `resolved` is required.
   *
   * @param params.id id or path of the project
   * @param params.noteable_id SHA of the commit
   * @param params.discussion_id id of the thread
   * @param params.note_id id of the note
   * @param params.body new text of the note, Markdown
   * @param params.resolved documented in an example only; the service does not treat commit notes as resolvable
   */
  modifyNote(params: ModifyCommitDiscussionNoteParams, options?: CallOptions): Promise<Note>;

  /**
   * Delete a note of one commit.
   *
   * `DELETE /projects/:id/commits/:noteable_id/discussions/:discussion_id/notes/:note_id`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id SHA of the commit
   * @param params.discussion_id id of the thread
   * @param params.note_id id of the note
   */
  deleteNote(params: DeleteCommitDiscussionNoteParams, options?: CallOptions): Promise<undefined>;
}

/** The methods of `client.discussions`. */
export interface Discussions {
  /** Methods for issues. */
  readonly issue: IssueDiscussions;

  /** Methods for snippets. */
  readonly snippet: SnippetDiscussions;

  /** Methods for epics. */
  readonly epic: EpicDiscussions;

  /** Methods for merge requests. */
  readonly merge_request: MergeRequestDiscussions;

  /** Methods for commits. */
  readonly commit: CommitDiscussions;
}

/** The methods of `client.appearance`. */
export interface AppearanceMethods {
  /**
   * Get the appearance of the instance.
   *
   * `GET /application/appearance`
   *
   * Since version 12.7. Needs an administrator.
   */
  get(params: GetAppearanceParams, options?: CallOptions): Promise<Appearance>;

  /**
   * Change the appearance of the instance; omitted fields stay unchanged.
   *
   * `PUT /application/appearance`
   *
   * Since version 12.7. Needs an administrator.
   *
   * @param params.title title on the sign in and sign up page
   * @param params.description Markdown text on the sign in and sign up page
   * @param params.logo image on the sign in and sign up page
   * @param params.header_logo image in the main navigation bar
   * @param params.favicon favicon, as .ico or .png
   * @param params.new_project_guidelines Markdown text on the new project page
   * @param params.profile_image_guidelines Markdown text on the profile page below the public avatar
   * @param params.header_message text in the system header bar
   * @param params.footer_message text in the system footer bar
   * @param params.message_background_color background color of the header and footer bar, as #RGB or #RRGGBB
   * @param params.message_font_color font color of the header and footer bar, as #RGB or #RRGGBB
   * @param params.email_header_and_footer_enabled add header and footer to all outgoing emails
   */
  set(params: SetAppearanceParams, options?: CallOptions): Promise<Appearance>;
}

/** The methods of `client.epics`. */
export interface Epics {
  /**
   * List the child epics of an epic.
   *
   * `GET /groups/:id/epics/:epic_iid/epics`
   *
   * Since version 11.8.
   *
   * @param params.id id or path of the group
   * @param params.epic_iid internal id of the parent epic
   * @param params.page page number, from 1; ignored by live services
   * @param params.per_page results per page, at most 100; default 20; ignored by live services
   */
  list(params: ListEpicsParams, options?: CallOptions): Pages<Epic>;

  /**
   * Create a child epic.
   *
   * `POST /groups/:id/epics/:epic_iid/epics`
   *
   * Since version 11.8.
   *
   * @param params.id id or path of the group
   * @param params.epic_iid internal id of the parent epic
   * @param params.title title of the new epic
   * @param params.confidential make the epic confidential; default: same as the parent
   */
  create(params: CreateEpicParams, options?: CallOptions): Promise<LinkedEpic>;

  /**
   * Assign a child epic to a parent epic.
   *
   * `POST /groups/:id/epics/:epic_iid/epics/:child_epic_id`
   *
   * Since version 11.8.
   *
   * @param params.id id or path of the group
   * @param params.epic_iid internal id of the parent epic
   * @param params.child_epic_id global id of the child epic
   */
  assign(params: AssignEpicParams, options?: CallOptions): Promise<Epic>;

  /**
   * Move a child epic among its siblings.
   *
   * `PUT /groups/:id/epics/:epic_iid/epics/:child_epic_id`
   *
   * Since version 11.8.
   *
   * @param params.id id or path of the group
   * @param params.epic_iid internal id of the parent epic
   * @param params.child_epic_id global id of the child epic
   * @param params.move_before_id global id of the sibling to come before the child
   * @param params.move_after_id global id of the sibling to come after the child
   */
  reorder(params: ReorderEpicParams, options?: CallOptions): Promise<Epic[]>;

  /**
   * Remove a child epic from its parent.
   *
   * `DELETE /groups/:id/epics/:epic_iid/epics/:child_epic_id`
   *
   * Since version 11.8.
   *
   * @param params.id id or path of the group
   * @param params.epic_iid internal id of the parent epic
   * @param params.child_epic_id global id of the child epic
   */
  unassign(params: UnassignEpicParams, options?: CallOptions): Promise<Epic>;
}

/** The methods of `client.lookups`. */
export interface Lookups {
  /**
   * Get the version of the service.
   *
   * `GET /version`
   */
  version(params: LookupVersionParams, options?: CallOptions): Promise<Version>;

  /**
   * Get the version and edition of the service.
   *
   * `GET /metadata`
   */
  metadata(params: LookupMetadataParams, options?: CallOptions): Promise<Metadata>;

  /**
   * Get the user the token belongs to.
   *
   * `GET /user`
   */
  user(params: LookupUserParams, options?: CallOptions): Promise<CurrentUser>;

  /**
   * Get a project.
   *
   * `GET /projects/:id`
   *
   * @param params.id id or path of the project
   */
  project(params: LookupProjectParams, options?: CallOptions): Promise<Project>;

  /**
   * Get a group.
   *
   * `GET /groups/:id`
   *
   * @param params.id id or path of the group
   */
  group(params: LookupGroupParams, options?: CallOptions): Promise<Group>;

  /**
   * List the epics of a group and its subgroups, newest first.
   *
   * `GET /groups/:id/epics`
   *
   * @param params.id id or path of the group
   * @param params.state state to filter by; default all
   * @param params.include_descendant_groups include the epics of subgroups; default true
   * @param params.page page number, from 1
   * @param params.per_page results per page, at most 100; default 20
   */
  epics(params: LookupEpicsParams, options?: CallOptions): Pages<EpicDetails>;

  /**
   * Get an epic.
   *
   * `GET /groups/:id/epics/:iid`
   *
   * @param params.id id or path of the group
   * @param params.iid internal id of the epic
   */
  epic(params: LookupEpicParams, options?: CallOptions): Promise<EpicDetails>;

  /**
   * List the issues of a project, newest first.
   *
   * `GET /projects/:id/issues`
   *
   * @param params.id id or path of the project
   * @param params.state state to filter by; default all
   * @param params.page page number, from 1
   * @param params.per_page results per page, at most 100; default 20
   */
  issues(params: LookupIssuesParams, options?: CallOptions): Pages<Issue>;

  /**
   * Get an issue.
   *
   * `GET /projects/:id/issues/:iid`
   *
   * @param params.id id or path of the project
   * @param params.iid internal id of the issue
   */
  issue(params: LookupIssueParams, options?: CallOptions): Promise<Issue>;

  /**
   * List the snippets of a project, newest first.
   *
   * `GET /projects/:id/snippets`
   *
   * @param params.id id or path of the project
   * @param params.page page number, from 1
   * @param params.per_page results per page, at most 100; default 20
   */
  snippets(params: LookupSnippetsParams, options?: CallOptions): Pages<Snippet>;

  /**
   * Get a snippet.
   *
   * `GET /projects/:id/snippets/:snippet_id`
   *
   * @param params.id id or path of the project
   * @param params.snippet_id id of the snippet
   */
  snippet(params: LookupSnippetParams, options?: CallOptions): Promise<Snippet>;

  /**
   * List the merge requests of a project, newest first.
   *
   * `GET /projects/:id/merge_requests`
   *
   * @param params.id id or path of the project
   * @param params.state state to filter by; default all
   * @param params.source_branch source branch to filter by
   * @param params.target_branch target branch to filter by
   * @param params.page page number, from 1
   * @param params.per_page results per page, at most 100; default 20
   */
  mergeRequests(params: LookupMergeRequestsParams, options?: CallOptions): Pages<MergeRequest>;

  /**
   * Get a merge request with its diff refs.
   *
   * `GET /projects/:id/merge_requests/:iid`
   *
   * @param params.id id or path of the project
   * @param params.iid internal id of the merge request
   */
  mergeRequest(params: LookupMergeRequestParams, options?: CallOptions): Promise<MergeRequest>;

  /**
   * List the diff versions of a merge request, newest first.
   *
   * `GET /projects/:id/merge_requests/:iid/versions`
   *
   * @param params.id id or path of the project
   * @param params.iid internal id of the merge request
   * @param params.page page number, from 1
   * @param params.per_page results per page, at most 100; default 20
   */
  versions(params: LookupVersionsParams, options?: CallOptions): Pages<DiffVersion>;

  /**
   * Get one diff version of a merge request with its commits and changed files.
   *
   * `GET /projects/:id/merge_requests/:iid/versions/:version_id`
   *
   * @param params.id id or path of the project
   * @param params.iid internal id of the merge request
   * @param params.version_id id of the diff version
   */
  diffVersion(params: LookupDiffVersionParams, options?: CallOptions): Promise<DiffVersionDetails>;

  /**
   * List the changed files of a merge request.
   *
   * `GET /projects/:id/merge_requests/:iid/diffs`
   *
   * @param params.id id or path of the project
   * @param params.iid internal id of the merge request
   * @param params.page page number, from 1
   * @param params.per_page results per page, at most 100; default 20
   */
  diffs(params: LookupDiffsParams, options?: CallOptions): Pages<FileDiff>;

  /**
   * Get a merge request with its changed files.
   *
   * `GET /projects/:id/merge_requests/:iid/changes`
   *
   * @param params.id id or path of the project
   * @param params.iid internal id of the merge request
   */
  changes(params: LookupChangesParams, options?: CallOptions): Promise<MergeRequestChanges>;

  /**
   * List the known commits of a merge request.
   *
   * `GET /projects/:id/merge_requests/:iid/commits`
   *
   * @param params.id id or path of the project
   * @param params.iid internal id of the merge request
   * @param params.page page number, from 1
   * @param params.per_page results per page, at most 100; default 20
   */
  mergeRequestCommits(params: LookupMergeRequestCommitsParams, options?: CallOptions): Pages<CommitDetails>;

  /**
   * Get the approvals of a merge request, always empty.
   *
   * `GET /projects/:id/merge_requests/:iid/approvals`
   *
   * @param params.id id or path of the project
   * @param params.iid internal id of the merge request
   */
  approvals(params: LookupApprovalsParams, options?: CallOptions): Promise<Approvals>;

  /**
   * List the known commits of a project, newest first.
   *
   * `GET /projects/:id/repository/commits`
   *
   * @param params.id id or path of the project
   * @param params.page page number, from 1
   * @param params.per_page results per page, at most 100; default 20
   */
  commits(params: LookupCommitsParams, options?: CallOptions): Pages<CommitDetails>;

  /**
   * Get a commit.
   *
   * `GET /projects/:id/repository/commits/:sha`
   *
   * @param params.id id or path of the project
   * @param params.sha SHA of the commit
   */
  commit(params: LookupCommitParams, options?: CallOptions): Promise<CommitDetails>;

  /**
   * List the changed files of a commit.
   *
   * `GET /projects/:id/repository/commits/:sha/diff`
   *
   * @param params.id id or path of the project
   * @param params.sha SHA of the commit
   * @param params.page page number, from 1
   * @param params.per_page results per page, at most 100; default 20
   */
  commitDiff(params: LookupCommitDiffParams, options?: CallOptions): Pages<FileDiff>;

  /**
   * Compare the base and head of a merge request, or a commit and the one after it.
   *
   * `GET /projects/:id/repository/compare`
   *
   * @param params.id id or path of the project
   * @param params.from SHA of the base
   * @param params.to SHA of the head
   */
  comparison(params: LookupComparisonParams, options?: CallOptions): Promise<Comparison>;
}

/** The methods of `client.notes.issue`. */
export interface IssueNotes {
  /**
   * List the notes of one issue, newest first by default.
   *
   * `GET /projects/:id/issues/:noteable_id/notes`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id internal id of the issue
   * @param params.order_by sort field; default created_at
   * @param params.sort sort direction; default desc
   * @param params.page page number, from 1
   * @param params.per_page results per page, at most 100; default 20
   */
  list(params: ListIssueNotesParams, options?: CallOptions): Pages<Note>;

  /**
   * Add a single comment to one issue.
   *
   * `POST /projects/:id/issues/:noteable_id/notes`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id internal id of the issue
   * @param params.body text of the note, Markdown
   * @param params.created_at creation time, ISO 8601; ignored unless sent by an administrator or owner
   */
  create(params: CreateIssueNoteParams, options?: CallOptions): Promise<Note>;

  /**
   * Get a note of one issue.
   *
   * `GET /projects/:id/issues/:noteable_id/notes/:note_id`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id internal id of the issue
   * @param params.note_id id of the note
   */
  get(params: GetIssueNoteParams, options?: CallOptions): Promise<Note>;

  /**
   * Modify a note of one issue.
   *
   * `PUT /projects/:id/issues/:noteable_id/notes/:note_id`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id internal id of the issue
   * @param params.note_id id of the note
   * @param params.body text of the note, Markdown
   */
  modify(params: ModifyIssueNoteParams, options?: CallOptions): Promise<Note>;

  /**
   * Delete a note of one issue.
   *
   * `DELETE /projects/:id/issues/:noteable_id/notes/:note_id`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id internal id of the issue
   * @param params.note_id id of the note
   */
  delete(params: DeleteIssueNoteParams, options?: CallOptions): Promise<undefined>;
}

/** The methods of `client.notes.snippet`. */
export interface SnippetNotes {
  /**
   * List the notes of one snippet, newest first by default.
   *
   * `GET /projects/:id/snippets/:noteable_id/notes`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id id of the snippet
   * @param params.order_by sort field; default created_at
   * @param params.sort sort direction; default desc
   * @param params.page page number, from 1
   * @param params.per_page results per page, at most 100; default 20
   */
  list(params: ListSnippetNotesParams, options?: CallOptions): Pages<Note>;

  /**
   * Add a single comment to one snippet.
   *
   * `POST /projects/:id/snippets/:noteable_id/notes`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id id of the snippet
   * @param params.body text of the note, Markdown
   * @param params.created_at creation time, ISO 8601; ignored unless sent by an administrator or owner
   */
  create(params: CreateSnippetNoteParams, options?: CallOptions): Promise<Note>;

  /**
   * Get a note of one snippet.
   *
   * `GET /projects/:id/snippets/:noteable_id/notes/:note_id`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id id of the snippet
   * @param params.note_id id of the note
   */
  get(params: GetSnippetNoteParams, options?: CallOptions): Promise<Note>;

  /**
   * Modify a note of one snippet.
   *
   * `PUT /projects/:id/snippets/:noteable_id/notes/:note_id`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id id of the snippet
   * @param params.note_id id of the note
   * @param params.body text of the note, Markdown
   */
  modify(params: ModifySnippetNoteParams, options?: CallOptions): Promise<Note>;

  /**
   * Delete a note of one snippet.
   *
   * `DELETE /projects/:id/snippets/:noteable_id/notes/:note_id`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id id of the snippet
   * @param params.note_id id of the note
   */
  delete(params: DeleteSnippetNoteParams, options?: CallOptions): Promise<undefined>;
}

/** The methods of `client.notes.epic`. */
export interface EpicNotes {
  /**
   * List the notes of one epic, newest first by default.
   *
   * `GET /groups/:id/epics/:noteable_id/notes`
   *
   * @param params.id id or path of the group
   * @param params.noteable_id global id of the epic
   * @param params.order_by sort field; default created_at
   * @param params.sort sort direction; default desc
   * @param params.page page number, from 1
   * @param params.per_page results per page, at most 100; default 20
   */
  list(params: ListEpicNotesParams, options?: CallOptions): Pages<Note>;

  /**
   * Add a single comment to one epic.
   *
   * `POST /groups/:id/epics/:noteable_id/notes`
   *
   * @param params.id id or path of the group
   * @param params.noteable_id global id of the epic
   * @param params.body text of the note, Markdown
   * @param params.created_at creation time, ISO 8601; ignored unless sent by an administrator or owner
   */
  create(params: CreateEpicNoteParams, options?: CallOptions): Promise<Note>;

  /**
   * Get a note of one epic.
   *
   * `GET /groups/:id/epics/:noteable_id/notes/:note_id`
   *
   * @param params.id id or path of the group
   * @param params.noteable_id global id of the epic
   * @param params.note_id id of the note
   */
  get(params: GetEpicNoteParams, options?: CallOptions): Promise<Note>;

  /**
   * Modify a note of one epic.
   *
   * `PUT /groups/:id/epics/:noteable_id/notes/:note_id`
   *
   * @param params.id id or path of the group
   * @param params.noteable_id global id of the epic
   * @param params.note_id id of the note
   * @param params.body text of the note, Markdown
   */
  modify(params: ModifyEpicNoteParams, options?: CallOptions): Promise<Note>;

  /**
   * Delete a note of one epic.
   *
   * `DELETE /groups/:id/epics/:noteable_id/notes/:note_id`
   *
   * @param params.id id or path of the group
   * @param params.noteable_id global id of the epic
   * @param params.note_id id of the note
   */
  delete(params: DeleteEpicNoteParams, options?: CallOptions): Promise<undefined>;
}

/** The methods of `client.notes.merge_request`. */
export interface MergeRequestNotes {
  /**
   * List the notes of one merge request, newest first by default.
   *
   * `GET /projects/:id/merge_requests/:noteable_id/notes`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id internal id of the merge request
   * @param params.order_by sort field; default created_at
   * @param params.sort sort direction; default desc
   * @param params.page page number, from 1
   * @param params.per_page results per page, at most 100; default 20
   */
  list(params: ListMergeRequestNotesParams, options?: CallOptions): Pages<Note>;

  /**
   * Add a single comment to one merge request.
   *
   * `POST /projects/:id/merge_requests/:noteable_id/notes`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id internal id of the merge request
   * @param params.body text of the note, Markdown
   * @param params.created_at creation time, ISO 8601; ignored unless sent by an administrator or owner
   */
  create(params: CreateMergeRequestNoteParams, options?: CallOptions): Promise<Note>;

  /**
   * Get a note of one merge request.
   *
   * `GET /projects/:id/merge_requests/:noteable_id/notes/:note_id`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id internal id of the merge request
   * @param params.note_id id of the note
   */
  get(params: GetMergeRequestNoteParams, options?: CallOptions): Promise<Note>;

  /**
   * Modify a note of one merge request.
   *
   * `PUT /projects/:id/merge_requests/:noteable_id/notes/:note_id`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id internal id of the merge request
   * @param params.note_id id of the note
   * @param params.body text of the note, Markdown
   */
  modify(params: ModifyMergeRequestNoteParams, options?: CallOptions): Promise<Note>;

  /**
   * Delete a note of one merge request.
   *
   * `DELETE /projects/:id/merge_requests/:noteable_id/notes/:note_id`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id internal id of the merge request
   * @param params.note_id id of the note
   */
  delete(params: DeleteMergeRequestNoteParams, options?: CallOptions): Promise<undefined>;
}

/** The methods of `client.notes`. */
export interface Notes {
  /** Methods for issues. */
  readonly issue: IssueNotes;

  /** Methods for snippets. */
  readonly snippet: SnippetNotes;

  /** Methods for epics. */
  readonly epic: EpicNotes;

  /** Methods for merge requests. */
  readonly merge_request: MergeRequestNotes;
}

/** The methods of `client.discussionNotes.issue`. */
export interface IssueDiscussionNotes {
  /**
   * List the notes of a thread of one issue.
   *
   * `GET /projects/:id/issues/:noteable_id/discussions/:discussion_id/notes`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id internal id of the issue
   * @param params.discussion_id id of the thread
   */
  list(params: ListIssueDiscussionNotesParams, options?: CallOptions): Promise<Note[]>;

  /**
   * Get a note of a thread of one issue.
   *
   * `GET /projects/:id/issues/:noteable_id/discussions/:discussion_id/notes/:note_id`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id internal id of the issue
   * @param params.discussion_id id of the thread
   * @param params.note_id id of the note
   */
  get(params: GetIssueDiscussionNoteParams, options?: CallOptions): Promise<Note>;
}

/** The methods of `client.discussionNotes.snippet`. */
export interface SnippetDiscussionNotes {
  /**
   * List the notes of a thread of one snippet.
   *
   * `GET /projects/:id/snippets/:noteable_id/discussions/:discussion_id/notes`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id id of the snippet
   * @param params.discussion_id id of the thread
   */
  list(params: ListSnippetDiscussionNotesParams, options?: CallOptions): Promise<Note[]>;

  /**
   * Get a note of a thread of one snippet.
   *
   * `GET /projects/:id/snippets/:noteable_id/discussions/:discussion_id/notes/:note_id`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id id of the snippet
   * @param params.discussion_id id of the thread
   * @param params.note_id id of the note
   */
  get(params: GetSnippetDiscussionNoteParams, options?: CallOptions): Promise<Note>;
}

/** The methods of `client.discussionNotes.epic`. */
export interface EpicDiscussionNotes {
  /**
   * List the notes of a thread of one epic.
   *
   * `GET /groups/:id/epics/:noteable_id/discussions/:discussion_id/notes`
   *
   * @param params.id id or path of the group
   * @param params.noteable_id global id of the epic
   * @param params.discussion_id id of the thread
   */
  list(params: ListEpicDiscussionNotesParams, options?: CallOptions): Promise<Note[]>;

  /**
   * Get a note of a thread of one epic.
   *
   * `GET /groups/:id/epics/:noteable_id/discussions/:discussion_id/notes/:note_id`
   *
   * @param params.id id or path of the group
   * @param params.noteable_id global id of the epic
   * @param params.discussion_id id of the thread
   * @param params.note_id id of the note
   */
  get(params: GetEpicDiscussionNoteParams, options?: CallOptions): Promise<Note>;
}

/** The methods of `client.discussionNotes.merge_request`. */
export interface MergeRequestDiscussionNotes {
  /**
   * List the notes of a thread of one merge request.
   *
   * `GET /projects/:id/merge_requests/:noteable_id/discussions/:discussion_id/notes`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id internal id of the merge request
   * @param params.discussion_id id of the thread
   */
  list(params: ListMergeRequestDiscussionNotesParams, options?: CallOptions): Promise<Note[]>;

  /**
   * Get a note of a thread of one merge request.
   *
   * `GET /projects/:id/merge_requests/:noteable_id/discussions/:discussion_id/notes/:note_id`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id internal id of the merge request
   * @param params.discussion_id id of the thread
   * @param params.note_id id of the note
   */
  get(params: GetMergeRequestDiscussionNoteParams, options?: CallOptions): Promise<Note>;
}

/** The methods of `client.discussionNotes.commit`. */
export interface CommitDiscussionNotes {
  /**
   * List the notes of a thread of one commit.
   *
   * `GET /projects/:id/commits/:noteable_id/discussions/:discussion_id/notes`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id SHA of the commit
   * @param params.discussion_id id of the thread
   */
  list(params: ListCommitDiscussionNotesParams, options?: CallOptions): Promise<Note[]>;

  /**
   * Get a note of a thread of one commit.
   *
   * `GET /projects/:id/commits/:noteable_id/discussions/:discussion_id/notes/:note_id`
   *
   * @param params.id id or path of the project
   * @param params.noteable_id SHA of the commit
   * @param params.discussion_id id of the thread
   * @param params.note_id id of the note
   */
  get(params: GetCommitDiscussionNoteParams, options?: CallOptions): Promise<Note>;
}

/** The methods of `client.discussionNotes`. */
export interface DiscussionNotes {
  /** Methods for issues. */
  readonly issue: IssueDiscussionNotes;

  /** Methods for snippets. */
  readonly snippet: SnippetDiscussionNotes;

  /** Methods for epics. */
  readonly epic: EpicDiscussionNotes;

  /** Methods for merge requests. */
  readonly merge_request: MergeRequestDiscussionNotes;

  /** Methods for commits. */
  readonly commit: CommitDiscussionNotes;
}

/** One typed method for every operation of the service. */
export interface Client {
  /** Threads of notes on issues, snippets, epics, merge requests and commits. */
  readonly discussions: Discussions;

  /** Title, texts and images of the instance. */
  readonly appearance: AppearanceMethods;

  /** Parent-child links between epics. */
  readonly epics: Epics;

  /** Records that clients look up before other calls. */
  readonly lookups: Lookups;

  /** Notes without their threads, and single comments. */
  readonly notes: Notes;

  /** The notes of one thread. */
  readonly discussionNotes: DiscussionNotes;
}
