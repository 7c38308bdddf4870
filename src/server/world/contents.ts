import type {
  World, WorldCommit, WorldDiscussion, WorldEpic, WorldIssue, WorldMergeRequest, WorldNote, WorldSnippet,
} from './schema.js';

/** Everything of a world that is numbered across it, in the order of the file; groups come before projects. */
export interface Contents {
  readonly issue: readonly WorldIssue[];
  readonly snippet: readonly WorldSnippet[];
  readonly epic: readonly WorldEpic[];
  readonly merge_request: readonly WorldMergeRequest[];
  readonly commit: readonly WorldCommit[];
  readonly notes: readonly WorldNote[];
}

export const contentsOf = ({ groups = [], projects = [] }: World): Contents => {
  const kinds = {
    epic: groups.flatMap(({ epics = [] }) => epics),
    issue: projects.flatMap(({ issues = [] }) => issues),
    snippet: projects.flatMap(({ snippets = [] }) => snippets),
    merge_request: projects.flatMap(({ merge_requests = [] }) => merge_requests),
    commit: projects.flatMap(({ commits = [] }) => commits),
  };
  const discussions = Object.values<readonly { discussions?: WorldDiscussion[] }[]>(kinds)
    .flatMap((things) => things.flatMap((thing) => thing.discussions ?? []));
  return { ...kinds, notes: discussions.flatMap(notesOf) };
};

/** A thread that names no notes has one. */
export const notesOf = ({ notes = [{}] }: WorldDiscussion): readonly WorldNote[] => notes;
