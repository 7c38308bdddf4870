import { noteableKinds, noteables } from '../../contract/noteables.js';
import { noteablePlaces, placesIn, threadPlaces, type NoteablePlace, type Place } from './places.js';
import { didYouMean, placeOf, type Path, type Problem } from './problem.js';
import type { World } from './schema.js';
import { digestIn, usersOf } from './seed-people.js';

/** Names that nobody has: of authors, of those who resolved, of members. */
export const unknownNames = (world: World): Problem[] => {
  const known = new Set(usersOf(world).map(({ username }) => username));
  const unknown = [...namesIn(world), ...memberNames(world)].filter(({ thing }) => !known.has(thing));
  return unknown.map(({ path, thing, atKey }) => ({
    path, ...(atKey && { atKey }), reason: `${placeOf(path)}: there is no user ${JSON.stringify(thing)}`,
    hint: () => didYouMean(thing, known),
  }));
};

interface Name extends Place<string> { readonly atKey?: true }

const namesIn = (world: World): Name[] => noteablePlaces(world).flatMap((noteable) => [
  ...named(noteable.path, 'author', noteable.thing.author),
  ...threadPlaces(noteable).flatMap(({ path, thing }) => placesIn([...path, 'notes'], thing.notes)).flatMap(
    ({ path, thing }) => [...named(path, 'author', thing.author), ...named(path, 'resolved_by', thing.resolved_by)]),
]);

const memberNames = ({ groups, projects }: World): Name[] =>
  [...placesIn(['groups'], groups), ...placesIn(['projects'], projects)].flatMap(({ path, thing }) =>
    Object.keys(thing.members ?? {}).map((name) =>
      ({ path: [...path, 'members', name], thing: name, atKey: true as const })));

const named = (path: Path, key: string, name: string | undefined): Name[] =>
  name === undefined ? [] : [{ path: [...path, key], thing: name }];

/** Tokens that are neither text nor digest, or both. */
export const brokenTokens = ({ users }: World): Problem[] =>
  placesIn(['users'], users).flatMap(({ path, thing }) => placesIn([...path, 'tokens'], thing.tokens)).flatMap(
    ({ path, thing: { token, digest } }) => (token === undefined) === (digest === undefined)
      ? [{ path, reason: `${placeOf(path)} must have either token or digest` }] : []);

/** Every token of a world as what is stored of it, with its place. */
export const tokenPlaces = ({ users }: World): Place<string | undefined>[] =>
  placesIn(['users'], users).flatMap(({ path, thing }) => [
    { path: [...path, 'token'], thing: thing.token === undefined ? undefined : digestIn({ token: thing.token }) },
    ...placesIn([...path, 'tokens'], thing.tokens).map((place) => ({ path: place.path, thing: digestIn(place.thing) })),
  ]);

type Named = string | number | undefined;

/** Ids, names, paths and tokens that two things have. */
export const repeats = (world: World): Problem[] => {
  const users = placesIn(['users'], world.users);
  const groups = placesIn(['groups'], world.groups);
  const projects = placesIn(['projects'], world.projects);
  return [
    ...repeated('user id', values(users, 'id')),
    ...repeated('username', placesIn(['users'], usersOf(world)).map(({ path, thing }) =>
      ({ path: [...path, 'username'], thing: thing.username }))),
    ...repeated('token', tokenPlaces(world)),
    ...repeated('group id', values(groups, 'id')),
    ...repeated('project id', values(projects, 'id')),
    ...repeated('path', [...values(groups, 'path'), ...values(projects, 'path')]),
    ...repeatedNoteables(noteablePlaces(world)),
  ];
};

const repeatedNoteables = (places: readonly NoteablePlace[]): Problem[] => {
  const threads = places.map(threadPlaces);
  const notes = threads.flat().flatMap(({ path, thing }) => placesIn([...path, 'notes'], thing.notes));
  return [
    ...noteableKinds.flatMap((kind) => repeatedOf(places.filter((place) => place.kind === kind), noteables[kind].noun)),
    ...threads.flatMap((ofOne) => repeated('thread id', values(ofOne, 'id'))),
    ...repeated('note id', values(notes, 'id')),
  ];
};

/** Ids are one of a kind across the world, iids and SHAs within a project or group. */
const repeatedOf = (places: readonly NoteablePlace[], noun: string): Problem[] => [
  ...repeated(`${noun} id`, values(places, 'id')),
  ...repeated(`${noun} iid`, values(places, 'iid'), inContainer),
  ...repeated(`${noun} SHA`, values(places, 'sha'), inContainer),
];

const everywhere = (_path: Path): string => '';

/** `projects[0]` of `projects[0].issues[1].iid`. */
const inContainer = (path: Path): string => placeOf(path.slice(0, 2));

const values = <K extends string>(places: readonly Place<{ readonly [N in K]?: Named }>[], key: K): Place<Named>[] =>
  places.map(({ path, thing }) => ({ path: [...path, key], thing: thing[key] }));

/** What a second thing has that a first one in the same scope has too. The value of a token is not repeated. */
const repeated = (what: string, places: readonly Place<Named>[], scope = everywhere): Problem[] => {
  const first = new Map<string, Path>();
  return places.flatMap(({ path, thing }) => {
    if (thing === undefined) return [];
    const key = `${scope(path)} ${thing}`;
    const other = first.get(key);
    if (other === undefined) {
      first.set(key, path);
      return [];
    }
    const shown = what === 'token' ? 'this token' : `${what} ${JSON.stringify(thing)}`;
    return [{ path, reason: `${placeOf(path)}: ${shown} is taken by ${placeOf(other.slice(0, -1))}` }];
  });
};
