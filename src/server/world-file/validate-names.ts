import { emojiName, noteableKinds, noteables, workItemOffset } from '../../contract/conventions.js';
import {
  located, type Located, locatedAwards, locatedDrafts, type LocatedNoteable, locatedNoteables, locatedThreads,
  locatedVersions,
} from './places.js';
import { didYouMean, formatPath, problemAt, type WorldPath, type WorldProblem } from './problem.js';
import type { NamedUser, World, WorldGroup, WorldHook, WorldToken } from './schema.js';
import { formerPathsOf, projectsOf, tokenDigest, usersOf } from './seed-context.js';

export const unknownUsers = (world: World): WorldProblem[] => {
  const unlimited = world.settings?.notes_create_limit_allowlist;
  const names = [
    ...located(['settings', 'notes_create_limit_allowlist'], unlimited), ...namesIn(world), ...memberNames(world),
  ];
  return unknownNames('user', names, new Set(usersOf(world).map(({ username }) => username)));
};

export const unknownProjects = (world: World): WorldProblem[] => unknownNames('project',
  locatedNoteables(world).flatMap(({ path, thing }) => named(path, 'source_project', thing.source_project)),
  new Set(projectsOf(world).map(({ path }) => path)));

const unknownNames = (what: string, names: readonly Name[], known: ReadonlySet<string>): WorldProblem[] =>
  names.filter(({ thing }) => !known.has(thing)).map(({ path, thing, atKey }) =>
    problemAt(path, `: unknown ${what} ${JSON.stringify(thing)}`, {
      ...atKey && { atKey }, hint: () => didYouMean(thing, known),
    }));

interface Name extends Located<string> { readonly atKey?: true }

const namesIn = (world: World): Name[] => locatedNoteables(world).flatMap((noteable) => [
  ...named(noteable.path, 'author', noteable.thing.author),
  ...(['assignees', 'approved_by'] as const).flatMap((key) =>
    (noteable.thing[key] ?? []).map((name, i) => ({ path: [...noteable.path, key, i], thing: name }))),
  ...(noteable.thing.reviewers ?? []).flatMap((reviewer, i) => typeof reviewer === 'string'
    ? [{ path: [...noteable.path, 'reviewers', i], thing: reviewer }]
    : named([...noteable.path, 'reviewers', i], 'user', reviewer.user)),
  ...locatedDrafts(noteable).flatMap(({ path, thing }) => named(path, 'author', thing.author)),
  ...locatedThreads(noteable).flatMap(({ path, thing }) => located([...path, 'notes'], thing.notes)).flatMap(
    ({ path, thing }) => [...named(path, 'author', thing.author), ...named(path, 'resolved_by', thing.resolved_by)]),
  ...locatedAwards(noteable).flatMap(({ path, thing }) => named(path, 'user', thing.user)),
]);

const memberNames = ({ groups, projects }: World): Name[] =>
  [...located(['groups'], groups), ...located(['projects'], projects)].flatMap(({ path, thing }) =>
    Object.keys(thing.members ?? {}).map((name) =>
      ({ path: [...path, 'members', name], thing: name, atKey: true as const })));

const named = (path: WorldPath, key: string, name: string | undefined): Name[] =>
  name === undefined ? [] : [{ path: [...path, key], thing: name }];

export const invalidTokens = ({ users, groups }: World): WorldProblem[] => [
  ...located(['users'], users).flatMap(({ path, thing }) => located([...path, 'tokens'], thing.tokens)).flatMap(
    ({ path, thing }) => problemsOfToken(thing).map((problem) => problemAt(path, ` ${problem}`))),
  ...located(['groups'], groups).flatMap(({ path, thing }) => enforcementProblem(path, thing)),
];

const problemsOfToken = ({ token, digest, kind, permissions, scopes }: WorldToken): string[] => [
  ...(token === undefined) === (digest === undefined) ? ['must have either token or digest'] : [],
  ...kind === 'granular' && scopes !== undefined
    ? ['must have permissions instead of scopes, as its kind is granular'] : [],
  ...kind === 'job' && scopes !== undefined ? ['must have no scopes, as its kind is job'] : [],
  ...kind !== 'granular' && permissions !== undefined ? ['must have the kind granular, as it has permissions'] : [],
];

/** behavior: tokens.granular-enforced */
const enforcementProblem = (group: WorldPath, { path = '', enforce_granular_tokens }: WorldGroup): WorldProblem[] => {
  const text = ': only a top-level group can enforce fine-grained tokens';
  return enforce_granular_tokens === true && path.includes('/')
    ? [problemAt([...group, 'enforce_granular_tokens'], text)] : [];
};

const locatedHooks = ({ projects }: World): Located<WorldHook>[] =>
  located(['projects'], projects).flatMap(({ path, thing }) => located([...path, 'hooks'], thing.hooks));

export const invalidHooks = (world: World): WorldProblem[] =>
  locatedHooks(world).flatMap(({ path, thing: { url } }) =>
    url === undefined ? [problemAt(path, ' is missing url')] : []);

const locatedTokens = ({ users }: World): Located<string | undefined>[] =>
  located(['users'], users).flatMap(({ path, thing }) => [
    { path: [...path, 'token'], thing: thing.token === undefined ? undefined : tokenDigest({ token: thing.token }) },
    ...located([...path, 'tokens'], thing.tokens).map((token) =>
      ({ path: token.path, thing: tokenDigest(token.thing) })),
  ]);

type NameOrId = string | number | undefined;

export const duplicates = (world: World): WorldProblem[] => {
  const users = located(['users'], world.users);
  const groups = located(['groups'], world.groups);
  const projects = located(['projects'], world.projects);
  return [
    ...duplicatesOf('user id', values(users, 'id')),
    ...duplicatesOf('username', located(['users'], usersOf(world)).map(({ path, thing }) =>
      ({ path: [...path, 'username'], thing: thing.username }))),
    ...duplicatesOf('token', locatedTokens(world)),
    ...duplicatesOf('group id', values(groups, 'id')),
    ...duplicatesOf('project id', values(projects, 'id')),
    ...duplicatesOf('path', [
      ...values(groups, 'path'), ...values(projects, 'path'), ...projects.flatMap(({ path, thing }) =>
        formerPathsOf(thing).map((former) => ({ path: [...path, 'moved_from'], thing: former }))),
    ]),
    ...duplicatesOf('version id', values(locatedVersions(world), 'id')),
    ...duplicatesOf('webhook id', values(locatedHooks(world), 'id')),
    ...duplicateNoteables(locatedNoteables(world)),
    ...duplicateAwards(world),
  ];
};

const duplicateNoteables = (places: readonly LocatedNoteable[]): WorldProblem[] => {
  const threads = places.map(locatedThreads);
  const notes = threads.flat().flatMap(({ path, thing }) => located([...path, 'notes'], thing.notes));
  return [
    ...noteableKinds.flatMap((kind) =>
      duplicatesOfKind(places.filter((place) => place.kind === kind), noteables[kind].noun)),
    ...duplicatesOf('work item id', locatedWorkItems(places.filter(({ kind }) => kind === 'epic'))),
    ...threads.flatMap((ofOne) => duplicatesOf('thread id', values(ofOne, 'id'))),
    ...duplicatesOf('note id', values(notes, 'id')),
    ...duplicatesOf('draft note id', values(places.flatMap(locatedDrafts), 'id')),
  ];
};

/** A user who is not named is the first one (behavior: awards.again). */
const duplicateAwards = (world: World): WorldProblem[] => {
  const awards = locatedNoteables(world).flatMap(locatedAwards);
  const [{ username }] = usersOf(world) as [NamedUser];
  const names = awards.map(({ path, thing: { user = username, name } }) =>
    ({ path: [...path, 'name'], thing: `${emojiName(name)} of ${user}` }));
  const ofOneNote = (path: WorldPath) => formatPath(path.slice(0, -2));
  return [...duplicatesOf('award emoji id', values(awards, 'id')), ...duplicatesOf('award emoji', names, ofOneNote)];
};

/** Epics with the same id are reported for it alone. */
const locatedWorkItems = (epics: readonly LocatedNoteable[]): Located<NameOrId>[] => {
  const usual = epics.filter(({ thing: { id, work_item_id } }) => id !== undefined && work_item_id === undefined);
  const others = [...new Map(usual.map((place) => [place.thing.id!, place]))].map(([id, { path }]) =>
    ({ path: [...path, 'work_item_id'], thing: id + workItemOffset }));
  return [...others, ...values(epics, 'work_item_id')];
};

/** Ids are unique in the world, iids and SHAs in a project or group. */
const duplicatesOfKind = (places: readonly LocatedNoteable[], noun: string): WorldProblem[] => [
  ...duplicatesOf(`${noun} id`, values(places, 'id')),
  ...duplicatesOf(`${noun} iid`, values(places, 'iid'), inContainer),
  ...duplicatesOf(`${noun} SHA`, values(places, 'sha'), inContainer),
];

const inContainer = (path: WorldPath): string => formatPath(path.slice(0, 2));

const values = <K extends string>(
  places: readonly Located<{ readonly [N in K]?: NameOrId }>[], key: K,
): Located<NameOrId>[] =>
  places.map(({ path, thing }) => ({ path: [...path, key], thing: thing[key] }));

/** Names are compared in one scope, by default the world. The message does not show the value of a token. */
const duplicatesOf = (
  what: string, places: readonly Located<NameOrId>[], scope: (path: WorldPath) => string = () => '',
): WorldProblem[] => {
  const first = new Map<string, Located<NameOrId>>();
  return places.flatMap(({ path, thing }) => {
    if (thing === undefined) return [];
    const key = `${scope(path)} ${what === 'path' ? String(thing).toLowerCase() : thing}`;
    const other = first.get(key);
    if (other === undefined) {
      first.set(key, { path, thing });
      return [];
    }
    const shown = what === 'token' ? 'this token' : `${what} ${JSON.stringify(thing)}`;
    const as = other.thing === thing ? '' : `, as ${JSON.stringify(other.thing)}`;
    return [problemAt(path, `: ${shown} is already used by ${formatPath(other.path.slice(0, -1))}${as}`)];
  });
};
