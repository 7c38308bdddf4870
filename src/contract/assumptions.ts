import { everyEndpoint, type NamedEndpoint } from './contract.js';
import * as conventions from './conventions.js';
import type { Dialect } from './endpoint.js';
import { noteableKinds, noteables } from './noteables.js';

/** interface.md leaves the question open. */
interface Assumption {
  readonly name: string;
  readonly topic: Topic;
  readonly question: string;
  /** JSON, or text for a rule. */
  readonly choice: unknown;
  readonly reason: string;
  readonly dialects: readonly Dialect[];
}

type Topic = 'requests' | 'authentication' | 'pagination' | 'errors' | 'limits' | 'appearance' | 'epics' | 'discussions'
  | 'versions' | 'access';

type Explained = readonly [topic: Topic, question: string, reason: string, choice?: string];

const asService = 'the service does so';

/** Functions and patterns are described in words. */
const explained: Readonly<Record<keyof typeof conventions, Explained>> = {
  apiPrefix: ['requests', 'Which prefix do all paths have?', 'interface.md, Versioning'],
  tokenHeader: ['authentication', 'How is the name of the token header compared?', asService,
    'private-token, in any case'],
  tokenParameter: ['authentication', 'Which parameter can contain the token, and overrides the header?', asService],
  oauthParameter: ['authentication', 'Which parameter can contain an OAuth token?', asService],
  sudoName: ['authentication', 'Which header or parameter lets an administrator act as another user?', asService],
  perPage: ['pagination', 'What are the default and the maximum page size?',
    'interface.md gives the default, the service the maximum'],
  maxCountedRows: ['pagination', 'From how many results on are there no totals?', asService],
  pageHeaders: ['pagination', 'Which headers describe a page?', asService],
  rateHeaders: ['limits', 'Which headers describe the rate limit?', asService],
  unknownRoute: ['errors', 'What is the response to an unknown path or method?', asService],
  nothingStored: ['errors', 'How does an error say that the request can be repeated?',
    'clients must know whether a failed write had an effect'],
  targetLimit: ['limits', 'How long can a request target be, in characters?',
    'the limit of nginx, the usual proxy in front of the service'],
  removedApi: ['errors', 'What is the response to paths of the removed previous API?', asService],
  bodyLimit: ['limits', 'How long can a note be, in characters?', asService],
  notesLimit: ['limits', 'How many notes can an object have, without system notes?', asService],
  guidelinesLimit: ['appearance', 'How long can profile_image_guidelines be, in characters?', asService],
  logoLimit: ['appearance', 'How large can a logo be, in bytes?', asService],
  defaultColors: ['appearance', 'Which colors does a new instance have?', asService],
  epicColors: ['epics', 'Which colors does an epic have by default?', asService],
  titleLimit: ['epics', 'How long can the title of an epic be, in characters?', asService],
  epicDepth: ['epics', 'How deep can a tree of epics be?', asService],
  childrenLimit: ['epics', 'How many children can an epic have?', asService],
  groupInfix: ['requests', 'Which segment can follow the group in the paths of epics?', asService],
  discussionIdPattern: ['discussions', 'What does the id of a thread look like?', asService,
    '40 lowercase hexadecimal characters'],
  isStorableText: ['errors', 'Which texts are invalid in a parameter?',
    'PostgreSQL cannot store NUL, and UTF-8 has no lone surrogates', 'texts with NUL or a lone surrogate'],
  serviceVersion: ['versions', 'Which version does the service report?',
    'it includes everything that interface.md mentions'],
  tierFeatures: ['epics', 'Which tier has epics, and links between them?', 'the subscriptions of the service'],
  accessLevels: ['access', 'Which access levels do members have?', 'the numbers of the service'],
};

const both: readonly Dialect[] = ['document', 'live'];

const byConvention = (): Assumption[] => Object.entries(explained).map(([name, [topic, question, reason, choice]]) =>
  ({ name, topic, question, choice: choice ?? conventions[name as keyof typeof conventions], reason, dialects: both }));

const grouped = <T extends string | number>(property: (named: NamedEndpoint) => T | undefined): Record<T, string[]> => {
  const groups: Partial<Record<T, string[]>> = {};
  for (const named of everyEndpoint()) {
    const key = property(named);
    if (key !== undefined) (groups[key] ??= []).push(named.name);
  }
  return groups as Record<T, string[]>;
};

/** Answers that follow from the table of operations. */
const byContract = (): Assumption[] => [
  {
    name: 'successStatus', topic: 'requests', question: 'Which status does each operation have if it succeeds?',
    choice: grouped(({ endpoint }) => endpoint.status), reason: asService, dialects: both,
  },
  {
    name: 'companions', topic: 'requests', question: 'Which operations are there besides those of interface.md?',
    choice: everyEndpoint().filter(({ endpoint }) => endpoint.companion).map(({ name }) => name),
    reason: 'clients need them to find ids and SHAs, or to create single comments', dialects: both,
  },
  {
    name: 'exactlyOneOf', topic: 'requests', question: 'Which operations require exactly one of several parameters?',
    choice: grouped(({ endpoint }) => endpoint.exactlyOneOf?.join(' or ')), reason: asService, dialects: both,
  },
  ...both.map((dialect): Assumption => ({
    name: `noteableType.${dialect}`, topic: 'discussions', question: 'How is noteable_type spelled?',
    choice: Object.values(noteables).map(({ type }) => type[dialect]),
    reason: dialect === 'live' ? asService : 'interface.md', dialects: [dialect],
  })),
  {
    name: 'resolvableKinds', topic: 'discussions', question: 'The threads of which kinds can be resolved?',
    choice: kindsWith('resolvable'), reason: 'interface.md, States and transitions', dialects: both,
  },
  {
    name: 'threadsFromComments', topic: 'discussions',
    question: 'On which kinds does a reply turn a comment into a thread?',
    choice: kindsWith('threadsFromComments'), reason: asService, dialects: both,
  },
];

const kindsWith = (property: 'resolvable' | 'threadsFromComments'): string[] =>
  noteableKinds.filter((kind) => noteables[kind][property]);

type Rule = readonly [
  name: string, topic: Topic, question: string, choice: string, dialects?: readonly Dialect[], reason?: string,
];

/** Handlers give these answers. */
const rules: readonly Rule[] = [
  ['errorBody', 'errors', 'What does the body of an error look like?',
    '{"error": text} for parameters and routes; {"message": text or object of fields} for all others'],
  ['missingParameter', 'errors', 'What is the response to missing and invalid parameters?',
    '400 {"error": "body is missing"}, all problems joined by commas'],
  ['bodyAndResolved', 'errors', 'What is the response to both or neither of body and resolved?',
    '400 {"error": "body, resolved are mutually exclusive"}, or "body, resolved are missing, exactly one ..."'],
  ['unauthenticated', 'authentication', 'What is the response without a valid token?',
    '401 {"message": "401 Unauthorized"}; every operation needs a token, also on public projects'],
  ['missingObject', 'errors', 'What is the response about a missing or hidden object?',
    '404, the same for both: {"message": "404 Project Not Found"}, "404 Not found" for records'],
  ['orderOfChecks', 'errors', 'Which error wins if several apply?',
    '401, then 400 for parameters, 404, 403, 400 for values'],
  ['commentRight', 'access', 'Who may comment?',
    'everybody who can read the object; members only if it is locked; nobody in archived projects'],
  ['editRight', 'access', 'Who may edit and delete a note?', 'its author, and maintainers; nobody for system notes'],
  ['resolveRight', 'access', 'Who may resolve a thread?', 'the author of the merge request, and developers'],
  ['createdAt', 'discussions', 'What does created_at do without the right to set it?', 'it is ignored'],
  ['invalidCreatedAt', 'discussions', 'What does a created_at do that is not a time?', 'it is ignored', both,
    'not known of the service'],
  ['threadInPath', 'discussions', 'What if a note is not in the thread of the path?',
    'the note is found by its own id'],
  ['resolvedBy', 'discussions', 'What is the shape of resolved_by?', 'a user like the author'],
  ['attachment', 'discussions', 'What is the shape of attachment?', 'the file name as text, or null'],
  ['replyToResolved', 'discussions', 'What does a reply to a resolved thread do?',
    'the reply is resolved by its author, and the thread stays resolved'],
  ['noteId', 'discussions', 'Is note_id required to add a note to a thread?', 'no; given, it must be an integer',
    ['document']],
  ['noteId', 'discussions', 'Is note_id required to add a note to a thread?', 'no, it is ignored', ['live']],
  ['commitId', 'discussions', 'Which id of a commit is in a path?', 'its SHA, or a number', ['document'],
    'interface.md calls it an integer'],
  ['commitId', 'discussions', 'Which id of a commit is in a path?', 'its SHA', ['live']],
  ['quickActions', 'discussions', 'Are quick actions in a note run?', 'no, they are text, unless switched on',
    ['document'], 'interface.md does not mention them'],
  ['quickActions', 'discussions', 'Are quick actions in a note run?',
    'they are removed from the text; alone they get 202 and no note; the object does not change', ['live']],
  ['unsetImage', 'appearance', 'What is the value of an image that is not set?', 'null'],
  ['logoResponse', 'appearance', 'What is the response to a change of the logo?', 'the whole appearance'],
  ['labels', 'epics', 'What are the elements of labels?', 'titles as text'],
  ['childPages', 'epics', 'Is the list of child epics paginated?', 'yes', ['document'], 'interface.md, Limits'],
  ['childPages', 'epics', 'Is the list of child epics paginated?', 'no', ['live']],
  ['assignPath', 'epics', 'Where is the id of a child to assign?', 'at the end of the path, or a parameter', both,
    'interface.md has both'],
  ['newChild', 'epics', 'Where is a new or assigned child among its siblings?', 'first'],
  ['unknownParent', 'epics', 'What is the response to an unknown parent epic?', '403'],
  ['foreignChild', 'epics', 'What is the response to a child of another parent?', '404', both,
    'safer than the service, which does not check it'],
];

const byRule = (): Assumption[] => rules.map(
  ([name, topic, question, choice, dialects = both, reason = asService]) => ({
    name: dialects.length === 1 ? `${name}.${dialects[0]}` : name, topic, question, choice, reason, dialects,
  }));

/** What interface.md leaves open and how it is settled here. */
export const assumptions = (): Assumption[] => [...byConvention(), ...byContract(), ...byRule()];
