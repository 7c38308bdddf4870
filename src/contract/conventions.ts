/** The values that the facts of `behavior/` name. */

/** behavior: requests.prefix */
export const apiPrefix = '/api/v4';

/** `error` of a 403 to a token without the permission of the operation (behavior: tokens.granular). */
export const granularScopeError = 'insufficient_granular_scope';

/** How a token is sent: in `PRIVATE-TOKEN`, or as `Authorization: Bearer` (behavior: tokens.header, tokens.bearer). */
export const tokenTypes = ['private', 'bearer'] as const;
/** A way to send a token. */
export type TokenType = (typeof tokenTypes)[number];

/** Names are compared without case (behavior: tokens.header). */
export const tokenHeader = 'private-token';

/** Takes precedence over the header (behavior: tokens.parameter). */
export const tokenParameter = 'private_token';

/** An OAuth token in the query string (behavior: tokens.oauth-parameter). */
export const oauthParameter = 'access_token';

/** Header and parameter of the token of a CI job (behavior: tokens.job-notes). */
export const jobTokenNames = { header: 'job-token', parameter: 'job_token' } as const;

/** Header and parameter to act as another user (behavior: sudo.how). */
export const sudoName = 'sudo';

/** All headers that decide who the caller of a request is. */
export const callerHeaders = [tokenHeader, 'authorization', jobTokenNames.header, sudoName] as const;

/** behavior: pages.default, pages.maximum */
export const perPage = { default: 20, max: 100 };

/** Longer lists have no totals and no last link (behavior: pages.totals). */
export const maxCountedRows = 10_000;

/** Paging headers in lower case (behavior: pages.headers). */
export const pageHeaders = {
  page: 'x-page',
  perPage: 'x-per-page',
  next: 'x-next-page',
  prev: 'x-prev-page',
  total: 'x-total',
  totalPages: 'x-total-pages',
} as const;

/** Headers of the rate limit (behavior: limits.rate-headers). */
export const rateHeaders = {
  name: 'ratelimit-name',
  limit: 'ratelimit-limit',
  observed: 'ratelimit-observed',
  remaining: 'ratelimit-remaining',
  reset: 'ratelimit-reset',
  resetTime: 'ratelimit-resettime',
} as const;

/** Its key differs from that of all other errors (behavior: errors.unknown-route). */
export const unknownRoute = { status: 404, body: { error: '404 Not Found' } } as const;

/** Part of the message of errors after which the request can be repeated (behavior: errors.nothing-stored). */
export const nothingStored = 'nothing was stored';

/**
 * In characters (behavior: requests.target-limit). nginx accepts request lines of 8 KiB by default; RFC 9110, 4.1
 * requires 8,000.
 */
export const targetLimit = 8_192;

/** The response to every path of the removed previous API (behavior: requests.removed-api). */
export const removedApi = {
  prefix: '/api/v3', status: 410, body: { error: 'API V3 is no longer supported. Use API V4 instead.' },
} as const;

/** Names of emoji; the service knows those of Unicode and of custom emoji (behavior: awards.names). */
export const emojiPattern = /^[a-z0-9_+-]{1,255}$/;

const emojiAliases: ReadonlyMap<string, string> = new Map([['+1', 'thumbsup'], ['-1', 'thumbsdown']]);

/** behavior: awards.aliases */
export const emojiName = (given = 'thumbsup'): string => emojiAliases.get(given) ?? given;

/** Longest body of a note, in characters (behavior: limits.body). */
export const bodyLimit = 1_000_000;

/** Most lines that a suggestion replaces before its line, and after it (behavior: notes.suggestion-range). */
export const suggestionReach = 100;

/** Maximum number of notes on one object, without system notes (behavior: limits.notes). */
export const notesLimit = 5_000;

/** Longest profile_image_guidelines, in characters (behavior: appearance.guidelines). */
export const guidelinesLimit = 4_096;

/** In characters (behavior: appearance.web-app-length). */
export const webAppLimits = { name: 255, description: 2_048 } as const;

/** Largest logo and header logo, in bytes (behavior: appearance.logo-size). */
export const logoLimit = 1_048_576;

/** The colors of a new instance (behavior: appearance.defaults). */
export const defaultColors = { background: '#E75E40', font: '#FFFFFF' } as const;

/** The default colors of an epic on the live service (behavior: epics.colors). */
export const epicColors = { background: '#1068bf', text: '#FFFFFF' } as const;

/** Added to the id of an epic for the id of its work item (behavior: epics.work-item-offset). */
export const workItemOffset = 1_000_000;

/** Longest title, in characters (behavior: epics.create-title). */
export const titleLimit = 255;

/** Of the title of a label, in characters. */
export const labelLimit = 255;

/** Maximum depth of an epic tree before the depth below (behavior: epics.depth-older). */
export const olderEpicDepth = 5;

/** Maximum depth of an epic tree, from the root (behavior: epics.depth). */
export const epicDepth = 7;

/** Maximum number of children of one epic (behavior: epics.children-limit). */
export const childrenLimit = 5_000;

/** The epic paths work with and without this segment after the group (behavior: requests.epic-infix). */
export const groupInfix = '/-';

/** behavior: threads.id */
export const discussionIdPattern = /^[0-9a-f]{40}$/;

/** PostgreSQL cannot store NUL, and UTF-8 has no lone surrogates (behavior: errors.text). */
export const isStorableText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/**
 * The version whose responses the document dialect shows. Clients parse three numbers, and take the suffix for an
 * edition with epics.
 */
export const documentedVersion = '13.12.0-ee';

/** behavior: requests.versions */
export const newestVersion = '19.5.0-ee';

/** The time of what the test server has without one (behavior: lookups.no-times). */
export const earliestTime = '2020-01-01T00:00:00.000Z';

/** The versions that added something; the facts that name them say what. */
export const versions = {
  epicLinks: '11.8', appearance: '12.7', profileGuidelines: '13.0', deepEpics: '13.0', commitThreads: '13.7',
  metaHeader: '14.0', internalNotes: '15.3', webApp: '15.8',
  draftNotes: '15.9', draftNoteChanges: '15.10',
  filePositions: '16.4', issueThreads: '16.7', workItems: '17.0',
  suggestions: '17.0', epicThreads: '18.1', granularTokens: '18.7', reviews: '19.2', noteWorkItems: '19.3',
  hiddenBoundaries: '19.4',
  workItemRoutes: '18.9', workItemList: '19.2', workItemChildren: '19.3', workItemThreads: '19.4',
  workItemReplies: '19.5',
  /** Version 13 and the newest one differ; it is not known which version between them changed it. */
  unknown: '15.0',
  /** Version 18.6 and the newest one differ; it is not known which version between them changed it. */
  recent: '19.3',
} as const;

/** behavior: epics.tiers */
export const tierFeatures = {
  free: { epics: false, nested_epics: false },
  premium: { epics: true, nested_epics: false },
  ultimate: { epics: true, nested_epics: true },
} as const;

/** behavior: access.levels */
export const accessLevels = { guest: 10, reporter: 20, developer: 30, maintainer: 40, owner: 50 } as const;

/** Headers that identify the caller, in lower case. A request has the token of its client alone. */
export const identityHeaders: ReadonlySet<string> = new Set([
  tokenHeader, 'authorization', jobTokenNames.header, 'deploy-token', 'cookie', 'proxy-authorization',
]);

export const versionPattern = /^\d{1,4}\.\d{1,4}(\.\d{1,4})?(-[a-z0-9][a-z0-9.-]{0,30})?$/;

/** behavior: lookups.reviewers */
export const reviewerStates = [
  'unreviewed', 'reviewed', 'requested_changes', 'approved', 'unapproved', 'review_started',
] as const;
export type ReviewerState = (typeof reviewerStates)[number];

/** `12.7` becomes `12.7.0-ee`; undefined for an invalid version. */
export const completeVersion = (text: string): string | undefined => {
  if (!versionPattern.test(text)) return undefined;
  const [numbers = '', ...edition] = text.split('-');
  const three = numbers.split('.').length === 3 ? numbers : `${numbers}.0`;
  return [three, ...(edition.length === 0 ? ['ee'] : edition)].join('-');
};

/** Every version has what has no `since`. */
export const hasSince = (version: string, since: string | undefined): boolean => {
  if (since === undefined) return true;
  const [major, minor] = majorAndMinor(version);
  const [sinceMajor, sinceMinor] = majorAndMinor(since);
  return major === sinceMajor ? minor >= sinceMinor : major > sinceMajor;
};

const majorAndMinor = (version: string): [major: number, minor: number] => {
  const [major = 0, minor = 0] = version.split(/[.-]/).map(Number);
  return [major, minor];
};

/** The lowest tier comes first. */
export const tiers = ['free', 'premium', 'ultimate'] as const;
/** A tier of the service; epics require `premium`. */
export type Tier = (typeof tiers)[number];

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
