import type { Dialect } from '../../contract/endpoint.js';
import type { User } from '../../contract/shapes/scalars.js';
import { json, jsonObject, ownUrl, type Json } from '../http/json.js';

/** What is shown of a person. */
export interface Person {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly state: string;
}

/** interface.md, User; the live service adds `locked` and another order (wire-facts 4.4.4). */
export const userJson = (person: Person, dialect: Dialect): Json<User> =>
  jsonObject<User>(userFields(person, dialect));

/** The same, for answers that show more. */
export const userFields = (person: Person, dialect: Dialect): { readonly [K in keyof User]: Json<User[K]> } => {
  const [name, username] = [json(person.name), json(person.username)];
  return {
    id: json(person.id),
    ...(dialect === 'live' ? { username, name } : { name, username }),
    state: json(person.state),
    ...(dialect === 'live' && { locked: json(false) }),
    avatar_url: ownUrl(`/uploads/-/system/user/avatar/${person.id}/avatar.png`),
    web_url: ownUrl(`/${person.username}`),
  };
};
