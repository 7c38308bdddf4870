export const noteableKinds = ['issue', 'snippet', 'epic', 'merge_request', 'commit'] as const;
/** The kinds of objects that have threads. */
export type NoteableKind = (typeof noteableKinds)[number];

interface Noteable {
  /** Before the id; the first is documented (behavior: threads.commit-path, threads.commit-repository-path). */
  readonly collections: readonly [string, ...string[]];
  readonly container: 'project' | 'group';
  readonly documented: string;
  /** The response to text that is not a number is 404, not 400, for all kinds (behavior: parameters.noteable-text). */
  readonly id: 'number or text' | 'text';
  readonly text: string;
  /** behavior: notes.noteable-type, notes.noteable-type-one-word */
  readonly type: { readonly document: string; readonly live: string };
  readonly noun: string;
  /** Its notes can have a diff position. */
  readonly hasDiff: boolean;
  /** The service resolves its threads, in newer versions if not in all (behavior: resolving.kinds). */
  readonly resolvable: boolean;
  /** A reply turns a single comment into a thread (behavior: replies.to-comment, replies.to-comment-refused). */
  readonly threadsFromComments: boolean;
}

export const noteables: Readonly<Record<NoteableKind, Noteable>> = {
  issue: {
    collections: ['/projects/:id/issues'], container: 'project', documented: 'issue_iid', id: 'number or text',
    text: 'internal id of the issue', type: { document: 'Issue', live: 'Issue' }, noun: 'issue',
    hasDiff: false, resolvable: true, threadsFromComments: true,
  },
  snippet: {
    collections: ['/projects/:id/snippets'], container: 'project', documented: 'snippet_id', id: 'number or text',
    text: 'id of the snippet', type: { document: 'Snippet', live: 'Snippet' }, noun: 'snippet',
    hasDiff: false, resolvable: false, threadsFromComments: false,
  },
  epic: {
    collections: ['/groups/:id/epics'], container: 'group', documented: 'epic_id', id: 'number or text',
    text: 'global id of the epic', type: { document: 'Epic', live: 'Epic' }, noun: 'epic',
    hasDiff: false, resolvable: true, threadsFromComments: true,
  },
  merge_request: {
    collections: ['/projects/:id/merge_requests'], container: 'project', documented: 'merge_request_iid',
    id: 'number or text', text: 'internal id of the merge request',
    type: { document: 'Merge request', live: 'MergeRequest' }, noun: 'merge request',
    hasDiff: true, resolvable: true, threadsFromComments: true,
  },
  commit: {
    collections: ['/projects/:id/commits', '/projects/:id/repository/commits'], container: 'project',
    documented: 'commit_id', id: 'text', text: 'SHA of the commit',
    type: { document: 'Commit', live: 'Commit' }, noun: 'commit',
    hasDiff: true, resolvable: false, threadsFromComments: false,
  },
};

/** Paths and world files use it: `merge_requests`. */
export const collectionName = (kind: NoteableKind): string => noteables[kind].collections[0].split('/').at(-1)!;
