import type { NoteableKind } from '../../../src/contract/conventions.js';
import type { World } from '../../../src/server/world-file/schema.js';

/** A note as plainly as it can be held. */
export interface ModelNote {
  readonly id: number;
  body: string;
  type: string | null;
  readonly author: string;
  readonly createdAt: string;
  readonly system: boolean;
  resolvedBy: string | null;
}

/** A thread: its notes, unordered. */
export interface ModelThread { readonly id: string; readonly notes: ModelNote[] }

/** One noteable of each kind, its threads in no order. */
export type Model = Readonly<Record<NoteableKind, ModelThread[]>>;

/** Where each noteable stands. */
export const bases: Readonly<Record<NoteableKind, string>> = {
  issue: '/projects/20/issues/1', snippet: '/projects/20/snippets/40', epic: '/groups/10/epics/500', merge_request: '/projects/20/merge_requests/1',
  commit: `/projects/20/commits/${'e'.repeat(40)}`,
};

/** Everyone who takes part, with what they may: change others' notes, resolve, set times. `author` opened the merge request. */
export const people = {
  root: { level: 50 }, owner: { level: 50 }, maintainer: { level: 40 }, developer: { level: 30 }, reporter: { level: 20 }, author: { level: 10 },
} as const;
export type Person = keyof typeof people;

const names = Object.keys(people) as Person[];
const members = Object.fromEntries(names.filter((name) => name !== 'root').map((name) => [name,
  name === 'author' ? 'guest' as const : name]));
const hex = (digit: string) => digit.repeat(40);
const at = (minute: number) => `2024-04-01T00:0${minute}:00.000Z`;

/** A comment and a system note on each, from which threads can grow. */
const begun = (first: number) => [
  { id: hex(String(first)), individual_note: true, notes: [{ id: first, author: 'reporter', body: 'comment', created_at: at(1) }] },
  { id: hex(String(first + 1)), individual_note: true, notes: [{ id: first + 1, author: 'root', body: 'changed', system: true, created_at: at(2) }] },
];

/** One noteable of each kind in a private place that all but `root` belong to. */
export const threadWorld: World = {
  users: names.map((username, i) => ({ id: i + 1, username, admin: username === 'root', token: `${username}-token` })),
  groups: [{ id: 10, path: 'acme', members, epics: [{ id: 500, iid: 1, title: 'Epic', discussions: begun(7) }] }],
  projects: [{
    id: 20, path: 'acme/app', issues: [{ id: 30, iid: 1, author: 'author', discussions: begun(1) }],
    snippets: [{ id: 40, title: 'S', discussions: begun(3) }],
    merge_requests: [{ id: 50, iid: 1, author: 'author', discussions: begun(5) }],
    commits: [{ sha: hex('e'), parent_sha: hex('d'), discussions: [] }],
  }],
};

/** The model of the world as it begins. */
export const freshModel = (): Model => {
  const threads = (first: number): ModelThread[] => begun(first).map(({ id, notes }) => ({
    id, notes: notes.map((note) => ({
      id: note.id, body: note.body, type: null, author: note.author, createdAt: note.created_at, system: 'system' in note, resolvedBy: null })),
  }));
  return { issue: threads(1), snippet: threads(3), merge_request: threads(5), epic: threads(7), commit: [] };
};

const byTime = (a: ModelNote, b: ModelNote): number => a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : a.id - b.id;

/** The notes of a thread, oldest first. */
export const notesIn = ({ notes }: ModelThread): ModelNote[] => [...notes].sort(byTime);

/** The threads of a noteable, by their earliest note; one without notes is gone. */
export const threadsIn = (threads: readonly ModelThread[]): ModelThread[] =>
  threads.filter(({ notes }) => notes.length > 0).sort((a, b) => byTime(notesIn(a)[0]!, notesIn(b)[0]!));

export const canResolve = (kind: NoteableKind, note: ModelNote): boolean => kind === 'merge_request' && note.type !== null && !note.system;
