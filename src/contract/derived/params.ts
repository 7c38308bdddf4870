// Derived from the contract. To change it, change that and run: npm run reference
import type { Upload } from '../endpoint.js';
import type { CommitPositionInput, PositionInput } from './shapes.js';

/** Parameters of `client.discussions.issue.list`: list the discussions of one issue. */
export interface ListIssueDiscussionsParams {
  /** Id or path of the project. */
  id: number | string;
  /** Internal id of the issue. */
  noteable_id: number | string;
  /** Page number, from 1. */
  page?: number | undefined;
  /** Results per page, at most 100; default 20. */
  per_page?: number | undefined;
}

/** Parameters of `client.discussions.issue.get`: get one discussion of one issue. */
export interface GetIssueDiscussionParams {
  /** Id or path of the project. */
  id: number | string;
  /** Internal id of the issue. */
  noteable_id: number | string;
  /** Id of the thread. */
  discussion_id: string;
}

/** Parameters of `client.discussions.issue.create`: start a thread on one issue. */
export interface CreateIssueDiscussionParams {
  /** Id or path of the project. */
  id: number | string;
  /** Internal id of the issue. */
  noteable_id: number | string;
  /** Text of the note, Markdown. */
  body: string;
  /** Creation time, ISO 8601; ignored unless sent by an administrator or owner. */
  created_at?: string | undefined;
}

/** Parameters of `client.discussions.issue.addNote`: add a note to a thread of one issue. */
export interface AddIssueDiscussionNoteParams {
  /** Id or path of the project. */
  id: number | string;
  /** Internal id of the issue. */
  noteable_id: number | string;
  /** Id of the thread. */
  discussion_id: string;
  /** Id of a note of the thread; ignored by live services. */
  note_id?: number | null | undefined;
  /** Text of the note, Markdown. */
  body: string;
  /** Creation time, ISO 8601; ignored unless sent by an administrator or owner. */
  created_at?: string | undefined;
}

/** Parameters of `client.discussions.issue.modifyNote`: modify a note of one issue. */
export interface ModifyIssueDiscussionNoteParams {
  /** Id or path of the project. */
  id: number | string;
  /** Internal id of the issue. */
  noteable_id: number | string;
  /** Id of the thread. */
  discussion_id: string;
  /** Id of the note. */
  note_id: number;
  /** Text of the note, Markdown. */
  body: string;
  /** Not supported for this kind: the service responds with "Note is not resolvable". */
  resolved?: boolean | undefined;
}

/** Parameters of `client.discussions.issue.deleteNote`: delete a note of one issue. */
export interface DeleteIssueDiscussionNoteParams {
  /** Id or path of the project. */
  id: number | string;
  /** Internal id of the issue. */
  noteable_id: number | string;
  /** Id of the thread. */
  discussion_id: string;
  /** Id of the note. */
  note_id: number;
}

/** Parameters of `client.discussions.snippet.list`: list the discussions of one snippet. */
export interface ListSnippetDiscussionsParams {
  /** Id or path of the project. */
  id: number | string;
  /** Id of the snippet. */
  noteable_id: number | string;
  /** Page number, from 1. */
  page?: number | undefined;
  /** Results per page, at most 100; default 20. */
  per_page?: number | undefined;
}

/** Parameters of `client.discussions.snippet.get`: get one discussion of one snippet. */
export interface GetSnippetDiscussionParams {
  /** Id or path of the project. */
  id: number | string;
  /** Id of the snippet. */
  noteable_id: number | string;
  /** Id of the thread. */
  discussion_id: string;
}

/** Parameters of `client.discussions.snippet.create`: start a thread on one snippet. */
export interface CreateSnippetDiscussionParams {
  /** Id or path of the project. */
  id: number | string;
  /** Id of the snippet. */
  noteable_id: number | string;
  /** Text of the note, Markdown. */
  body: string;
  /** Creation time, ISO 8601; ignored unless sent by an administrator or owner. */
  created_at?: string | undefined;
}

/** Parameters of `client.discussions.snippet.addNote`: add a note to a thread of one snippet. */
export interface AddSnippetDiscussionNoteParams {
  /** Id or path of the project. */
  id: number | string;
  /** Id of the snippet. */
  noteable_id: number | string;
  /** Id of the thread. */
  discussion_id: string;
  /** Id of a note of the thread; ignored by live services. */
  note_id?: number | null | undefined;
  /** Text of the note, Markdown. */
  body: string;
  /** Creation time, ISO 8601; ignored unless sent by an administrator or owner. */
  created_at?: string | undefined;
}

/** Parameters of `client.discussions.snippet.modifyNote`: modify a note of one snippet. */
export interface ModifySnippetDiscussionNoteParams {
  /** Id or path of the project. */
  id: number | string;
  /** Id of the snippet. */
  noteable_id: number | string;
  /** Id of the thread. */
  discussion_id: string;
  /** Id of the note. */
  note_id: number;
  /** Text of the note, Markdown. */
  body: string;
  /** Not supported for this kind: the service responds with "Note is not resolvable". */
  resolved?: boolean | undefined;
}

/** Parameters of `client.discussions.snippet.deleteNote`: delete a note of one snippet. */
export interface DeleteSnippetDiscussionNoteParams {
  /** Id or path of the project. */
  id: number | string;
  /** Id of the snippet. */
  noteable_id: number | string;
  /** Id of the thread. */
  discussion_id: string;
  /** Id of the note. */
  note_id: number;
}

/** Parameters of `client.discussions.epic.list`: list the discussions of one epic. */
export interface ListEpicDiscussionsParams {
  /** Id or path of the group. */
  id: number | string;
  /** Global id of the epic. */
  noteable_id: number | string;
  /** Page number, from 1. */
  page?: number | undefined;
  /** Results per page, at most 100; default 20. */
  per_page?: number | undefined;
}

/** Parameters of `client.discussions.epic.get`: get one discussion of one epic. */
export interface GetEpicDiscussionParams {
  /** Id or path of the group. */
  id: number | string;
  /** Global id of the epic. */
  noteable_id: number | string;
  /** Id of the thread. */
  discussion_id: string;
}

/** Parameters of `client.discussions.epic.create`: start a thread on one epic. */
export interface CreateEpicDiscussionParams {
  /** Id or path of the group. */
  id: number | string;
  /** Global id of the epic. */
  noteable_id: number | string;
  /** Text of the note, Markdown. */
  body: string;
  /** Creation time, ISO 8601; ignored unless sent by an administrator or owner. */
  created_at?: string | undefined;
}

/** Parameters of `client.discussions.epic.addNote`: add a note to a thread of one epic. */
export interface AddEpicDiscussionNoteParams {
  /** Id or path of the group. */
  id: number | string;
  /** Global id of the epic. */
  noteable_id: number | string;
  /** Id of the thread. */
  discussion_id: string;
  /** Id of a note of the thread; ignored by live services. */
  note_id?: number | null | undefined;
  /** Text of the note, Markdown. */
  body: string;
  /** Creation time, ISO 8601; ignored unless sent by an administrator or owner. */
  created_at?: string | undefined;
}

/** Parameters of `client.discussions.epic.modifyNote`: modify a note of one epic. */
export interface ModifyEpicDiscussionNoteParams {
  /** Id or path of the group. */
  id: number | string;
  /** Global id of the epic. */
  noteable_id: number | string;
  /** Id of the thread. */
  discussion_id: string;
  /** Id of the note. */
  note_id: number;
  /** Text of the note, Markdown. */
  body: string;
  /** Not supported for this kind: the service responds with "Note is not resolvable". */
  resolved?: boolean | undefined;
}

/** Parameters of `client.discussions.epic.deleteNote`: delete a note of one epic. */
export interface DeleteEpicDiscussionNoteParams {
  /** Id or path of the group. */
  id: number | string;
  /** Global id of the epic. */
  noteable_id: number | string;
  /** Id of the thread. */
  discussion_id: string;
  /** Id of the note. */
  note_id: number;
}

/** Parameters of `client.discussions.merge_request.list`: list the discussions of one merge request. */
export interface ListMergeRequestDiscussionsParams {
  /** Id or path of the project. */
  id: number | string;
  /** Internal id of the merge request. */
  noteable_id: number | string;
  /** Page number, from 1. */
  page?: number | undefined;
  /** Results per page, at most 100; default 20. */
  per_page?: number | undefined;
}

/** Parameters of `client.discussions.merge_request.get`: get one discussion of one merge request. */
export interface GetMergeRequestDiscussionParams {
  /** Id or path of the project. */
  id: number | string;
  /** Internal id of the merge request. */
  noteable_id: number | string;
  /** Id of the thread. */
  discussion_id: string;
}

/** Parameters of `client.discussions.merge_request.create`: start a thread on one merge request. */
export interface CreateMergeRequestDiscussionParams {
  /** Id or path of the project. */
  id: number | string;
  /** Internal id of the merge request. */
  noteable_id: number | string;
  /** Text of the note, Markdown. */
  body: string;
  /** Creation time, ISO 8601; ignored unless sent by an administrator or owner. */
  created_at?: string | undefined;
  /** Position of the note on the diff. */
  position?: PositionInput | undefined;
  /** SHA of the commit the thread starts on; since 13.7. */
  commit_id?: string | undefined;
}

/** Parameters of `client.discussions.merge_request.addNote`: add a note to a thread of one merge request. */
export interface AddMergeRequestDiscussionNoteParams {
  /** Id or path of the project. */
  id: number | string;
  /** Internal id of the merge request. */
  noteable_id: number | string;
  /** Id of the thread. */
  discussion_id: string;
  /** Id of a note of the thread; ignored by live services. */
  note_id?: number | null | undefined;
  /** Text of the note, Markdown. */
  body: string;
  /** Creation time, ISO 8601; ignored unless sent by an administrator or owner. */
  created_at?: string | undefined;
}

/** Parameters of `client.discussions.merge_request.modifyNote`: modify a note of one merge request. */
export interface ModifyMergeRequestDiscussionNoteParams {
  /** Id or path of the project. */
  id: number | string;
  /** Internal id of the merge request. */
  noteable_id: number | string;
  /** Id of the thread. */
  discussion_id: string;
  /** Id of the note. */
  note_id: number;
  /** New text of the note, Markdown. */
  body?: string | undefined;
  /** True to resolve the note, false to unresolve it. */
  resolved?: boolean | undefined;
}

/** Parameters of `client.discussions.merge_request.deleteNote`: delete a note of one merge request. */
export interface DeleteMergeRequestDiscussionNoteParams {
  /** Id or path of the project. */
  id: number | string;
  /** Internal id of the merge request. */
  noteable_id: number | string;
  /** Id of the thread. */
  discussion_id: string;
  /** Id of the note. */
  note_id: number;
}

/** Parameters of `client.discussions.merge_request.resolve`: resolve or unresolve a thread of one merge request. */
export interface ResolveMergeRequestDiscussionParams {
  /** Id or path of the project. */
  id: number | string;
  /** Internal id of the merge request. */
  noteable_id: number | string;
  /** Id of the thread. */
  discussion_id: string;
  /** True to resolve the thread, false to unresolve it. */
  resolved: boolean;
}

/** Parameters of `client.discussions.commit.list`: list the discussions of one commit. */
export interface ListCommitDiscussionsParams {
  /** Id or path of the project. */
  id: number | string;
  /** SHA of the commit. */
  noteable_id: string;
  /** Page number, from 1. */
  page?: number | undefined;
  /** Results per page, at most 100; default 20. */
  per_page?: number | undefined;
}

/** Parameters of `client.discussions.commit.get`: get one discussion of one commit. */
export interface GetCommitDiscussionParams {
  /** Id or path of the project. */
  id: number | string;
  /** SHA of the commit. */
  noteable_id: string;
  /** Id of the thread. */
  discussion_id: string;
}

/** Parameters of `client.discussions.commit.create`: start a thread on one commit. */
export interface CreateCommitDiscussionParams {
  /** Id or path of the project. */
  id: number | string;
  /** SHA of the commit. */
  noteable_id: string;
  /** Text of the note, Markdown. */
  body: string;
  /** Creation time, ISO 8601; ignored unless sent by an administrator or owner. */
  created_at?: string | undefined;
  /** Position of the note on the diff. */
  position?: CommitPositionInput | undefined;
}

/** Parameters of `client.discussions.commit.addNote`: add a note to a thread of one commit. */
export interface AddCommitDiscussionNoteParams {
  /** Id or path of the project. */
  id: number | string;
  /** SHA of the commit. */
  noteable_id: string;
  /** Id of the thread. */
  discussion_id: string;
  /** Id of a note of the thread; ignored by live services. */
  note_id?: number | null | undefined;
  /** Text of the note, Markdown. */
  body: string;
  /** Creation time, ISO 8601; ignored unless sent by an administrator or owner. */
  created_at?: string | undefined;
}

/** Parameters of `client.discussions.commit.modifyNote`: modify a note of one commit. */
export interface ModifyCommitDiscussionNoteParams {
  /** Id or path of the project. */
  id: number | string;
  /** SHA of the commit. */
  noteable_id: string;
  /** Id of the thread. */
  discussion_id: string;
  /** Id of the note. */
  note_id: number;
  /** New text of the note, Markdown. */
  body?: string | undefined;
  /** Documented in an example only; the service does not treat commit notes as resolvable. */
  resolved?: boolean | undefined;
}

/** Parameters of `client.discussions.commit.deleteNote`: delete a note of one commit. */
export interface DeleteCommitDiscussionNoteParams {
  /** Id or path of the project. */
  id: number | string;
  /** SHA of the commit. */
  noteable_id: string;
  /** Id of the thread. */
  discussion_id: string;
  /** Id of the note. */
  note_id: number;
}

/** Parameters of `client.appearance.get`: get the appearance of the instance. */
export interface GetAppearanceParams {}

/** Parameters of `client.appearance.set`: change the appearance of the instance; omitted fields stay unchanged. */
export interface SetAppearanceParams {
  /** Title on the sign in and sign up page. */
  title?: string | undefined;
  /** Markdown text on the sign in and sign up page. */
  description?: string | undefined;
  /** Image on the sign in and sign up page. */
  logo?: Upload | undefined;
  /** Image in the main navigation bar. */
  header_logo?: Upload | undefined;
  /** Favicon, as .ico or .png. */
  favicon?: Upload | undefined;
  /** Markdown text on the new project page. */
  new_project_guidelines?: string | undefined;
  /** Markdown text on the profile page below the public avatar. */
  profile_image_guidelines?: string | undefined;
  /** Text in the system header bar. */
  header_message?: string | undefined;
  /** Text in the system footer bar. */
  footer_message?: string | undefined;
  /** Background color of the header and footer bar, as #RGB or #RRGGBB. */
  message_background_color?: string | undefined;
  /** Font color of the header and footer bar, as #RGB or #RRGGBB. */
  message_font_color?: string | undefined;
  /** Add header and footer to all outgoing emails. */
  email_header_and_footer_enabled?: boolean | undefined;
}

/** Parameters of `client.epics.list`: list the child epics of an epic. */
export interface ListEpicsParams {
  /** Id or path of the group. */
  id: number | string;
  /** Internal id of the parent epic. */
  epic_iid: number;
  /** Page number, from 1; ignored by live services. */
  page?: number | undefined;
  /** Results per page, at most 100; default 20; ignored by live services. */
  per_page?: number | undefined;
}

/** Parameters of `client.epics.create`: create a child epic. */
export interface CreateEpicParams {
  /** Id or path of the group. */
  id: number | string;
  /** Internal id of the parent epic. */
  epic_iid: number;
  /** Title of the new epic. */
  title: string;
  /** Make the epic confidential; default: same as the parent. */
  confidential?: boolean | undefined;
}

/** Parameters of `client.epics.assign`: assign a child epic to a parent epic. */
export interface AssignEpicParams {
  /** Id or path of the group. */
  id: number | string;
  /** Internal id of the parent epic. */
  epic_iid: number;
  /** Global id of the child epic. */
  child_epic_id: number;
}

/** Parameters of `client.epics.reorder`: move a child epic among its siblings. */
export interface ReorderEpicParams {
  /** Id or path of the group. */
  id: number | string;
  /** Internal id of the parent epic. */
  epic_iid: number;
  /** Global id of the child epic. */
  child_epic_id: number;
  /** Global id of the sibling to come before the child. */
  move_before_id?: number | undefined;
  /** Global id of the sibling to come after the child. */
  move_after_id?: number | undefined;
}

/** Parameters of `client.epics.unassign`: remove a child epic from its parent. */
export interface UnassignEpicParams {
  /** Id or path of the group. */
  id: number | string;
  /** Internal id of the parent epic. */
  epic_iid: number;
  /** Global id of the child epic. */
  child_epic_id: number;
}

/** Parameters of `client.lookups.version`: get the version of the service. */
export interface LookupVersionParams {}

/** Parameters of `client.lookups.metadata`: get the version and edition of the service. */
export interface LookupMetadataParams {}

/** Parameters of `client.lookups.user`: get the user the token belongs to. */
export interface LookupUserParams {}

/** Parameters of `client.lookups.project`: get a project. */
export interface LookupProjectParams {
  /** Id or path of the project. */
  id: number | string;
}

/** Parameters of `client.lookups.group`: get a group. */
export interface LookupGroupParams {
  /** Id or path of the group. */
  id: number | string;
}

/** Parameters of `client.lookups.epics`: list the epics of a group and its subgroups, newest first. */
export interface LookupEpicsParams {
  /** Id or path of the group. */
  id: number | string;
  /** State to filter by; default all. */
  state?: 'opened' | 'closed' | 'locked' | 'merged' | 'all' | undefined;
  /** Include the epics of subgroups; default true. */
  include_descendant_groups?: boolean | undefined;
  /** Page number, from 1. */
  page?: number | undefined;
  /** Results per page, at most 100; default 20. */
  per_page?: number | undefined;
}

/** Parameters of `client.lookups.epic`: get an epic. */
export interface LookupEpicParams {
  /** Id or path of the group. */
  id: number | string;
  /** Internal id of the epic. */
  iid: number;
}

/** Parameters of `client.lookups.issues`: list the issues of a project, newest first. */
export interface LookupIssuesParams {
  /** Id or path of the project. */
  id: number | string;
  /** State to filter by; default all. */
  state?: 'opened' | 'closed' | 'locked' | 'merged' | 'all' | undefined;
  /** Page number, from 1. */
  page?: number | undefined;
  /** Results per page, at most 100; default 20. */
  per_page?: number | undefined;
}

/** Parameters of `client.lookups.issue`: get an issue. */
export interface LookupIssueParams {
  /** Id or path of the project. */
  id: number | string;
  /** Internal id of the issue. */
  iid: number;
}

/** Parameters of `client.lookups.snippets`: list the snippets of a project, newest first. */
export interface LookupSnippetsParams {
  /** Id or path of the project. */
  id: number | string;
  /** Page number, from 1. */
  page?: number | undefined;
  /** Results per page, at most 100; default 20. */
  per_page?: number | undefined;
}

/** Parameters of `client.lookups.snippet`: get a snippet. */
export interface LookupSnippetParams {
  /** Id or path of the project. */
  id: number | string;
  /** Id of the snippet. */
  snippet_id: number;
}

/** Parameters of `client.lookups.mergeRequests`: list the merge requests of a project, newest first. */
export interface LookupMergeRequestsParams {
  /** Id or path of the project. */
  id: number | string;
  /** State to filter by; default all. */
  state?: 'opened' | 'closed' | 'locked' | 'merged' | 'all' | undefined;
  /** Source branch to filter by. */
  source_branch?: string | undefined;
  /** Target branch to filter by. */
  target_branch?: string | undefined;
  /** Page number, from 1. */
  page?: number | undefined;
  /** Results per page, at most 100; default 20. */
  per_page?: number | undefined;
}

/** Parameters of `client.lookups.mergeRequest`: get a merge request with its diff refs. */
export interface LookupMergeRequestParams {
  /** Id or path of the project. */
  id: number | string;
  /** Internal id of the merge request. */
  iid: number;
}

/** Parameters of `client.lookups.versions`: list the diff versions of a merge request, newest first. */
export interface LookupVersionsParams {
  /** Id or path of the project. */
  id: number | string;
  /** Internal id of the merge request. */
  iid: number;
  /** Page number, from 1. */
  page?: number | undefined;
  /** Results per page, at most 100; default 20. */
  per_page?: number | undefined;
}

/**
 * Parameters of `client.lookups.diffVersion`: get one diff version of a merge request with its commits and changed
 * files.
 */
export interface LookupDiffVersionParams {
  /** Id or path of the project. */
  id: number | string;
  /** Internal id of the merge request. */
  iid: number;
  /** Id of the diff version. */
  version_id: number;
}

/** Parameters of `client.lookups.diffs`: list the changed files of a merge request. */
export interface LookupDiffsParams {
  /** Id or path of the project. */
  id: number | string;
  /** Internal id of the merge request. */
  iid: number;
  /** Page number, from 1. */
  page?: number | undefined;
  /** Results per page, at most 100; default 20. */
  per_page?: number | undefined;
}

/** Parameters of `client.lookups.changes`: get a merge request with its changed files. */
export interface LookupChangesParams {
  /** Id or path of the project. */
  id: number | string;
  /** Internal id of the merge request. */
  iid: number;
}

/** Parameters of `client.lookups.mergeRequestCommits`: list the known commits of a merge request. */
export interface LookupMergeRequestCommitsParams {
  /** Id or path of the project. */
  id: number | string;
  /** Internal id of the merge request. */
  iid: number;
  /** Page number, from 1. */
  page?: number | undefined;
  /** Results per page, at most 100; default 20. */
  per_page?: number | undefined;
}

/** Parameters of `client.lookups.approvals`: get the approvals of a merge request, always empty. */
export interface LookupApprovalsParams {
  /** Id or path of the project. */
  id: number | string;
  /** Internal id of the merge request. */
  iid: number;
}

/** Parameters of `client.lookups.commits`: list the known commits of a project, newest first. */
export interface LookupCommitsParams {
  /** Id or path of the project. */
  id: number | string;
  /** Page number, from 1. */
  page?: number | undefined;
  /** Results per page, at most 100; default 20. */
  per_page?: number | undefined;
}

/** Parameters of `client.lookups.commit`: get a commit. */
export interface LookupCommitParams {
  /** Id or path of the project. */
  id: number | string;
  /** SHA of the commit. */
  sha: string;
}

/** Parameters of `client.lookups.commitDiff`: list the changed files of a commit. */
export interface LookupCommitDiffParams {
  /** Id or path of the project. */
  id: number | string;
  /** SHA of the commit. */
  sha: string;
  /** Page number, from 1. */
  page?: number | undefined;
  /** Results per page, at most 100; default 20. */
  per_page?: number | undefined;
}

/**
 * Parameters of `client.lookups.comparison`: compare the base and head of a merge request, or a commit and the one
 * after it.
 */
export interface LookupComparisonParams {
  /** Id or path of the project. */
  id: number | string;
  /** SHA of the base. */
  from: string;
  /** SHA of the head. */
  to: string;
}

/** Parameters of `client.notes.issue.list`: list the notes of one issue, newest first by default. */
export interface ListIssueNotesParams {
  /** Id or path of the project. */
  id: number | string;
  /** Internal id of the issue. */
  noteable_id: number | string;
  /** Sort field; default created_at. */
  order_by?: 'created_at' | 'updated_at' | undefined;
  /** Sort direction; default desc. */
  sort?: 'asc' | 'desc' | undefined;
  /** Page number, from 1. */
  page?: number | undefined;
  /** Results per page, at most 100; default 20. */
  per_page?: number | undefined;
}

/** Parameters of `client.notes.issue.create`: add a single comment to one issue. */
export interface CreateIssueNoteParams {
  /** Id or path of the project. */
  id: number | string;
  /** Internal id of the issue. */
  noteable_id: number | string;
  /** Text of the note, Markdown. */
  body: string;
  /** Creation time, ISO 8601; ignored unless sent by an administrator or owner. */
  created_at?: string | undefined;
}

/** Parameters of `client.notes.issue.get`: get a note of one issue. */
export interface GetIssueNoteParams {
  /** Id or path of the project. */
  id: number | string;
  /** Internal id of the issue. */
  noteable_id: number | string;
  /** Id of the note. */
  note_id: number;
}

/** Parameters of `client.notes.issue.modify`: modify a note of one issue. */
export interface ModifyIssueNoteParams {
  /** Id or path of the project. */
  id: number | string;
  /** Internal id of the issue. */
  noteable_id: number | string;
  /** Id of the note. */
  note_id: number;
  /** Text of the note, Markdown. */
  body: string;
}

/** Parameters of `client.notes.issue.delete`: delete a note of one issue. */
export interface DeleteIssueNoteParams {
  /** Id or path of the project. */
  id: number | string;
  /** Internal id of the issue. */
  noteable_id: number | string;
  /** Id of the note. */
  note_id: number;
}

/** Parameters of `client.notes.snippet.list`: list the notes of one snippet, newest first by default. */
export interface ListSnippetNotesParams {
  /** Id or path of the project. */
  id: number | string;
  /** Id of the snippet. */
  noteable_id: number | string;
  /** Sort field; default created_at. */
  order_by?: 'created_at' | 'updated_at' | undefined;
  /** Sort direction; default desc. */
  sort?: 'asc' | 'desc' | undefined;
  /** Page number, from 1. */
  page?: number | undefined;
  /** Results per page, at most 100; default 20. */
  per_page?: number | undefined;
}

/** Parameters of `client.notes.snippet.create`: add a single comment to one snippet. */
export interface CreateSnippetNoteParams {
  /** Id or path of the project. */
  id: number | string;
  /** Id of the snippet. */
  noteable_id: number | string;
  /** Text of the note, Markdown. */
  body: string;
  /** Creation time, ISO 8601; ignored unless sent by an administrator or owner. */
  created_at?: string | undefined;
}

/** Parameters of `client.notes.snippet.get`: get a note of one snippet. */
export interface GetSnippetNoteParams {
  /** Id or path of the project. */
  id: number | string;
  /** Id of the snippet. */
  noteable_id: number | string;
  /** Id of the note. */
  note_id: number;
}

/** Parameters of `client.notes.snippet.modify`: modify a note of one snippet. */
export interface ModifySnippetNoteParams {
  /** Id or path of the project. */
  id: number | string;
  /** Id of the snippet. */
  noteable_id: number | string;
  /** Id of the note. */
  note_id: number;
  /** Text of the note, Markdown. */
  body: string;
}

/** Parameters of `client.notes.snippet.delete`: delete a note of one snippet. */
export interface DeleteSnippetNoteParams {
  /** Id or path of the project. */
  id: number | string;
  /** Id of the snippet. */
  noteable_id: number | string;
  /** Id of the note. */
  note_id: number;
}

/** Parameters of `client.notes.epic.list`: list the notes of one epic, newest first by default. */
export interface ListEpicNotesParams {
  /** Id or path of the group. */
  id: number | string;
  /** Global id of the epic. */
  noteable_id: number | string;
  /** Sort field; default created_at. */
  order_by?: 'created_at' | 'updated_at' | undefined;
  /** Sort direction; default desc. */
  sort?: 'asc' | 'desc' | undefined;
  /** Page number, from 1. */
  page?: number | undefined;
  /** Results per page, at most 100; default 20. */
  per_page?: number | undefined;
}

/** Parameters of `client.notes.epic.create`: add a single comment to one epic. */
export interface CreateEpicNoteParams {
  /** Id or path of the group. */
  id: number | string;
  /** Global id of the epic. */
  noteable_id: number | string;
  /** Text of the note, Markdown. */
  body: string;
  /** Creation time, ISO 8601; ignored unless sent by an administrator or owner. */
  created_at?: string | undefined;
}

/** Parameters of `client.notes.epic.get`: get a note of one epic. */
export interface GetEpicNoteParams {
  /** Id or path of the group. */
  id: number | string;
  /** Global id of the epic. */
  noteable_id: number | string;
  /** Id of the note. */
  note_id: number;
}

/** Parameters of `client.notes.epic.modify`: modify a note of one epic. */
export interface ModifyEpicNoteParams {
  /** Id or path of the group. */
  id: number | string;
  /** Global id of the epic. */
  noteable_id: number | string;
  /** Id of the note. */
  note_id: number;
  /** Text of the note, Markdown. */
  body: string;
}

/** Parameters of `client.notes.epic.delete`: delete a note of one epic. */
export interface DeleteEpicNoteParams {
  /** Id or path of the group. */
  id: number | string;
  /** Global id of the epic. */
  noteable_id: number | string;
  /** Id of the note. */
  note_id: number;
}

/** Parameters of `client.notes.merge_request.list`: list the notes of one merge request, newest first by default. */
export interface ListMergeRequestNotesParams {
  /** Id or path of the project. */
  id: number | string;
  /** Internal id of the merge request. */
  noteable_id: number | string;
  /** Sort field; default created_at. */
  order_by?: 'created_at' | 'updated_at' | undefined;
  /** Sort direction; default desc. */
  sort?: 'asc' | 'desc' | undefined;
  /** Page number, from 1. */
  page?: number | undefined;
  /** Results per page, at most 100; default 20. */
  per_page?: number | undefined;
}

/** Parameters of `client.notes.merge_request.create`: add a single comment to one merge request. */
export interface CreateMergeRequestNoteParams {
  /** Id or path of the project. */
  id: number | string;
  /** Internal id of the merge request. */
  noteable_id: number | string;
  /** Text of the note, Markdown. */
  body: string;
  /** Creation time, ISO 8601; ignored unless sent by an administrator or owner. */
  created_at?: string | undefined;
}

/** Parameters of `client.notes.merge_request.get`: get a note of one merge request. */
export interface GetMergeRequestNoteParams {
  /** Id or path of the project. */
  id: number | string;
  /** Internal id of the merge request. */
  noteable_id: number | string;
  /** Id of the note. */
  note_id: number;
}

/** Parameters of `client.notes.merge_request.modify`: modify a note of one merge request. */
export interface ModifyMergeRequestNoteParams {
  /** Id or path of the project. */
  id: number | string;
  /** Internal id of the merge request. */
  noteable_id: number | string;
  /** Id of the note. */
  note_id: number;
  /** Text of the note, Markdown. */
  body: string;
}

/** Parameters of `client.notes.merge_request.delete`: delete a note of one merge request. */
export interface DeleteMergeRequestNoteParams {
  /** Id or path of the project. */
  id: number | string;
  /** Internal id of the merge request. */
  noteable_id: number | string;
  /** Id of the note. */
  note_id: number;
}

/** Parameters of `client.discussionNotes.issue.list`: list the notes of a thread of one issue. */
export interface ListIssueDiscussionNotesParams {
  /** Id or path of the project. */
  id: number | string;
  /** Internal id of the issue. */
  noteable_id: number | string;
  /** Id of the thread. */
  discussion_id: string;
}

/** Parameters of `client.discussionNotes.issue.get`: get a note of a thread of one issue. */
export interface GetIssueDiscussionNoteParams {
  /** Id or path of the project. */
  id: number | string;
  /** Internal id of the issue. */
  noteable_id: number | string;
  /** Id of the thread. */
  discussion_id: string;
  /** Id of the note. */
  note_id: number;
}

/** Parameters of `client.discussionNotes.snippet.list`: list the notes of a thread of one snippet. */
export interface ListSnippetDiscussionNotesParams {
  /** Id or path of the project. */
  id: number | string;
  /** Id of the snippet. */
  noteable_id: number | string;
  /** Id of the thread. */
  discussion_id: string;
}

/** Parameters of `client.discussionNotes.snippet.get`: get a note of a thread of one snippet. */
export interface GetSnippetDiscussionNoteParams {
  /** Id or path of the project. */
  id: number | string;
  /** Id of the snippet. */
  noteable_id: number | string;
  /** Id of the thread. */
  discussion_id: string;
  /** Id of the note. */
  note_id: number;
}

/** Parameters of `client.discussionNotes.epic.list`: list the notes of a thread of one epic. */
export interface ListEpicDiscussionNotesParams {
  /** Id or path of the group. */
  id: number | string;
  /** Global id of the epic. */
  noteable_id: number | string;
  /** Id of the thread. */
  discussion_id: string;
}

/** Parameters of `client.discussionNotes.epic.get`: get a note of a thread of one epic. */
export interface GetEpicDiscussionNoteParams {
  /** Id or path of the group. */
  id: number | string;
  /** Global id of the epic. */
  noteable_id: number | string;
  /** Id of the thread. */
  discussion_id: string;
  /** Id of the note. */
  note_id: number;
}

/** Parameters of `client.discussionNotes.merge_request.list`: list the notes of a thread of one merge request. */
export interface ListMergeRequestDiscussionNotesParams {
  /** Id or path of the project. */
  id: number | string;
  /** Internal id of the merge request. */
  noteable_id: number | string;
  /** Id of the thread. */
  discussion_id: string;
}

/** Parameters of `client.discussionNotes.merge_request.get`: get a note of a thread of one merge request. */
export interface GetMergeRequestDiscussionNoteParams {
  /** Id or path of the project. */
  id: number | string;
  /** Internal id of the merge request. */
  noteable_id: number | string;
  /** Id of the thread. */
  discussion_id: string;
  /** Id of the note. */
  note_id: number;
}

/** Parameters of `client.discussionNotes.commit.list`: list the notes of a thread of one commit. */
export interface ListCommitDiscussionNotesParams {
  /** Id or path of the project. */
  id: number | string;
  /** SHA of the commit. */
  noteable_id: string;
  /** Id of the thread. */
  discussion_id: string;
}

/** Parameters of `client.discussionNotes.commit.get`: get a note of a thread of one commit. */
export interface GetCommitDiscussionNoteParams {
  /** Id or path of the project. */
  id: number | string;
  /** SHA of the commit. */
  noteable_id: string;
  /** Id of the thread. */
  discussion_id: string;
  /** Id of the note. */
  note_id: number;
}
