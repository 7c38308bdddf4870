import { noteables } from './conventions.js';
import type { Endpoint } from './endpoint.js';

/** What a fine-grained token needs for an operation (behavior: tokens.granular). */
export interface Permission {
  /** Where the token has it. */
  readonly boundary: 'project' | 'group' | 'user' | 'instance';
  /** `Resource: Action`. */
  readonly name: string;
}

/** Null for an operation that fine-grained tokens cannot call (behavior: tokens.granular-none). */
export const permissionOf = ({ method, paths: [path] }: Pick<Endpoint, 'method' | 'paths'>): Permission | null => {
  const resource = (resources ??= createResources()).find(([pattern]) => pattern.test(path))?.[1] ?? null;
  if (resource === null) return null;
  const action = actions.find(([pattern]) => pattern.test(path))?.[1] ?? actionOf[method];
  return { boundary: boundaryOf(path), name: `${resource}: ${action}` };
};

const belowNoteables = (path: string, resource: string) => Object.values(noteables).flatMap(({ collections, noun }) => {
  const name = `${noun.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())} ${resource}`;
  return collections.map((collection) => [new RegExp(`^${collection}/.*/${path}\\b`), name] as const);
});

type Resource = readonly [path: RegExp, resource: string | null];

let resources: readonly Resource[] | undefined;

/** The first that fits counts (behavior: tokens.granular-notes, tokens.granular-lookups, tokens.granular-names). */
const createResources = (): readonly Resource[] => [
  [/\/draft_notes\b/, 'Merge Request Draft Note'],
  ...belowNoteables('award_emoji', 'Note Award Emoji'),
  ...belowNoteables('(discussions|notes)', 'Note'),
  [/^\/suggestions\//, 'Suggestion'],
  [/^\/(version|metadata)$/, 'Metadata'],
  [/^\/application\//, null],
  [/\/hooks\b/, 'Webhook'],
  [/\/members\b/, 'Member'],
  [/\/epics\b/, 'Epic'],
  [/\/issues\b/, 'Issue'],
  [/\/snippets\b/, 'Snippet'],
  [/\/merge_requests\b/, 'Merge Request'],
  [/\/repository\/commits\b/, 'Commit'],
  [/\/repository\//, 'Repository'],
  [/^\/projects\b/, 'Project'],
  [/^\/groups\b/, 'Group'],
  [/^\/users?\b/, 'User'],
];

const actions: readonly (readonly [path: RegExp, action: string])[] = [
  [/\/(publish|bulk_publish)$/, 'Publish'],
  [/^\/suggestions\//, 'Apply'],
  [/\/(approve|unapprove)$/, 'Update'],
];

const actionOf = { GET: 'Read', POST: 'Create', PUT: 'Update', DELETE: 'Delete' } as const;

const boundaryOf = (path: string): Permission['boundary'] => {
  if (/^\/(projects\/:id|suggestions)\b/.test(path)) return 'project';
  if (path.startsWith('/groups/:id')) return 'group';
  return /^\/(version|metadata)$/.test(path) ? 'instance' : 'user';
};
