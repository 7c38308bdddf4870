import { digestIn, usersOf } from './fill-people.js';
import { didYouMean } from './nearest.js';
import { noteablePlaces, placesIn, threadPlaces, type Place } from './places.js';
import { placeOf, type Path, type Problem } from './problem.js';
import type { World } from './shape.js';

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
