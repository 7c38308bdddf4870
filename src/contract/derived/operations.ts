// Derived from the contract. To change it, change that and run: npm run reference
import type { AcceptingOperation, ListOperation, Operation } from '../endpoint.js';
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
} from './params.js';
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
  QuickActions,
  Snippet,
  Version,
} from './shapes.js';

/** Every operation of the service, with the types of its parameters and result. */
export type Contract = {
  readonly discussions: {
    readonly issue: {
      readonly list: ListOperation<ListIssueDiscussionsParams, Discussion>;
      readonly get: Operation<GetIssueDiscussionParams, Discussion>;
      readonly create: AcceptingOperation<CreateIssueDiscussionParams, Discussion, QuickActions>;
      readonly addNote: AcceptingOperation<AddIssueDiscussionNoteParams, Note, QuickActions>;
      readonly modifyNote: AcceptingOperation<ModifyIssueDiscussionNoteParams, Note, QuickActions>;
      readonly deleteNote: Operation<DeleteIssueDiscussionNoteParams, undefined>;
    };
    readonly snippet: {
      readonly list: ListOperation<ListSnippetDiscussionsParams, Discussion>;
      readonly get: Operation<GetSnippetDiscussionParams, Discussion>;
      readonly create: AcceptingOperation<CreateSnippetDiscussionParams, Discussion, QuickActions>;
      readonly addNote: AcceptingOperation<AddSnippetDiscussionNoteParams, Note, QuickActions>;
      readonly modifyNote: AcceptingOperation<ModifySnippetDiscussionNoteParams, Note, QuickActions>;
      readonly deleteNote: Operation<DeleteSnippetDiscussionNoteParams, undefined>;
    };
    readonly epic: {
      readonly list: ListOperation<ListEpicDiscussionsParams, Discussion>;
      readonly get: Operation<GetEpicDiscussionParams, Discussion>;
      readonly create: AcceptingOperation<CreateEpicDiscussionParams, Discussion, QuickActions>;
      readonly addNote: AcceptingOperation<AddEpicDiscussionNoteParams, Note, QuickActions>;
      readonly modifyNote: AcceptingOperation<ModifyEpicDiscussionNoteParams, Note, QuickActions>;
      readonly deleteNote: Operation<DeleteEpicDiscussionNoteParams, undefined>;
    };
    readonly merge_request: {
      readonly list: ListOperation<ListMergeRequestDiscussionsParams, Discussion>;
      readonly get: Operation<GetMergeRequestDiscussionParams, Discussion>;
      readonly create: AcceptingOperation<CreateMergeRequestDiscussionParams, Discussion, QuickActions>;
      readonly addNote: AcceptingOperation<AddMergeRequestDiscussionNoteParams, Note, QuickActions>;
      readonly modifyNote: AcceptingOperation<ModifyMergeRequestDiscussionNoteParams, Note, QuickActions>;
      readonly deleteNote: Operation<DeleteMergeRequestDiscussionNoteParams, undefined>;
      readonly resolve: Operation<ResolveMergeRequestDiscussionParams, Discussion>;
    };
    readonly commit: {
      readonly list: ListOperation<ListCommitDiscussionsParams, Discussion>;
      readonly get: Operation<GetCommitDiscussionParams, Discussion>;
      readonly create: AcceptingOperation<CreateCommitDiscussionParams, Discussion, QuickActions>;
      readonly addNote: AcceptingOperation<AddCommitDiscussionNoteParams, Note, QuickActions>;
      readonly modifyNote: AcceptingOperation<ModifyCommitDiscussionNoteParams, Note, QuickActions>;
      readonly deleteNote: Operation<DeleteCommitDiscussionNoteParams, undefined>;
    };
  };
  readonly appearance: {
    readonly get: Operation<GetAppearanceParams, Appearance>;
    readonly set: Operation<SetAppearanceParams, Appearance>;
  };
  readonly epics: {
    readonly list: ListOperation<ListEpicsParams, Epic>;
    readonly create: Operation<CreateEpicParams, LinkedEpic>;
    readonly assign: Operation<AssignEpicParams, Epic>;
    readonly reorder: Operation<ReorderEpicParams, Epic[]>;
    readonly unassign: Operation<UnassignEpicParams, Epic>;
  };
  readonly lookups: {
    readonly version: Operation<LookupVersionParams, Version>;
    readonly metadata: Operation<LookupMetadataParams, Metadata>;
    readonly user: Operation<LookupUserParams, CurrentUser>;
    readonly project: Operation<LookupProjectParams, Project>;
    readonly group: Operation<LookupGroupParams, Group>;
    readonly epics: ListOperation<LookupEpicsParams, EpicDetails>;
    readonly epic: Operation<LookupEpicParams, EpicDetails>;
    readonly issues: ListOperation<LookupIssuesParams, Issue>;
    readonly issue: Operation<LookupIssueParams, Issue>;
    readonly snippets: ListOperation<LookupSnippetsParams, Snippet>;
    readonly snippet: Operation<LookupSnippetParams, Snippet>;
    readonly mergeRequests: ListOperation<LookupMergeRequestsParams, MergeRequest>;
    readonly mergeRequest: Operation<LookupMergeRequestParams, MergeRequest>;
    readonly versions: ListOperation<LookupVersionsParams, DiffVersion>;
    readonly diffVersion: Operation<LookupDiffVersionParams, DiffVersionDetails>;
    readonly diffs: ListOperation<LookupDiffsParams, FileDiff>;
    readonly changes: Operation<LookupChangesParams, MergeRequestChanges>;
    readonly mergeRequestCommits: ListOperation<LookupMergeRequestCommitsParams, CommitDetails>;
    readonly approvals: Operation<LookupApprovalsParams, Approvals>;
    readonly commits: ListOperation<LookupCommitsParams, CommitDetails>;
    readonly commit: Operation<LookupCommitParams, CommitDetails>;
    readonly commitDiff: ListOperation<LookupCommitDiffParams, FileDiff>;
    readonly comparison: Operation<LookupComparisonParams, Comparison>;
  };
  readonly notes: {
    readonly issue: {
      readonly list: ListOperation<ListIssueNotesParams, Note>;
      readonly create: AcceptingOperation<CreateIssueNoteParams, Note, QuickActions>;
      readonly get: Operation<GetIssueNoteParams, Note>;
      readonly modify: AcceptingOperation<ModifyIssueNoteParams, Note, QuickActions>;
      readonly delete: Operation<DeleteIssueNoteParams, undefined>;
    };
    readonly snippet: {
      readonly list: ListOperation<ListSnippetNotesParams, Note>;
      readonly create: AcceptingOperation<CreateSnippetNoteParams, Note, QuickActions>;
      readonly get: Operation<GetSnippetNoteParams, Note>;
      readonly modify: AcceptingOperation<ModifySnippetNoteParams, Note, QuickActions>;
      readonly delete: Operation<DeleteSnippetNoteParams, undefined>;
    };
    readonly epic: {
      readonly list: ListOperation<ListEpicNotesParams, Note>;
      readonly create: AcceptingOperation<CreateEpicNoteParams, Note, QuickActions>;
      readonly get: Operation<GetEpicNoteParams, Note>;
      readonly modify: AcceptingOperation<ModifyEpicNoteParams, Note, QuickActions>;
      readonly delete: Operation<DeleteEpicNoteParams, undefined>;
    };
    readonly merge_request: {
      readonly list: ListOperation<ListMergeRequestNotesParams, Note>;
      readonly create: AcceptingOperation<CreateMergeRequestNoteParams, Note, QuickActions>;
      readonly get: Operation<GetMergeRequestNoteParams, Note>;
      readonly modify: AcceptingOperation<ModifyMergeRequestNoteParams, Note, QuickActions>;
      readonly delete: Operation<DeleteMergeRequestNoteParams, undefined>;
    };
  };
  readonly discussionNotes: {
    readonly issue: {
      readonly list: Operation<ListIssueDiscussionNotesParams, Note[]>;
      readonly get: Operation<GetIssueDiscussionNoteParams, Note>;
    };
    readonly snippet: {
      readonly list: Operation<ListSnippetDiscussionNotesParams, Note[]>;
      readonly get: Operation<GetSnippetDiscussionNoteParams, Note>;
    };
    readonly epic: {
      readonly list: Operation<ListEpicDiscussionNotesParams, Note[]>;
      readonly get: Operation<GetEpicDiscussionNoteParams, Note>;
    };
    readonly merge_request: {
      readonly list: Operation<ListMergeRequestDiscussionNotesParams, Note[]>;
      readonly get: Operation<GetMergeRequestDiscussionNoteParams, Note>;
    };
    readonly commit: {
      readonly list: Operation<ListCommitDiscussionNotesParams, Note[]>;
      readonly get: Operation<GetCommitDiscussionNoteParams, Note>;
    };
  };
};
