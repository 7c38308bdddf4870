import { accessLevels } from '../../contract/conventions.js';
import { readInstant } from '../../wire/instants.js';
import { digestOf } from '../api/authenticate.js';
import { mediaTypeOfName, storedFileName } from '../handlers/appearance/image.js';
import { uploadPath } from '../repositories/appearance.js';
import type { Queries } from '../store/database.js';
import {
  mounts, type NamedUser, type Role, type World, type WorldAppearance, type WorldImage, type WorldToken, type WorldUser,
} from './schema.js';
import { idNumbering, insert } from './seed-context.js';

/** The user of a world without users. */
export const administrator: WorldUser = { username: 'root', name: 'Administrator', admin: true, token: 'root-token' };

/** With ids and names, at least one. */
export const usersOf = ({ users = [administrator] }: World): readonly NamedUser[] => {
  const people = users.length === 0 ? [administrator] : users;
  const ids = idNumbering(people);
  return people.map((user) => {
    const id = ids(user.id);
    const { username = `user${id}`, name = username, state = 'active' } = user;
    return { ...user, id, username, name, state };
  });
};

export const seedUsers = async (queries: Queries, users: readonly NamedUser[]): Promise<void> => {
  for (const { id, username, name, state, admin = false, ...user } of users) {
    await insert(queries, 'users', { id, username, name, state, admin });
    for (const token of tokensOf(user)) await insert(queries, 'tokens', { user_id: id, ...tokenCells(token) });
  }
};

export const seedMembers = async (
  queries: Queries, path: string, members: Readonly<Record<string, Role>>, user: (username: string) => NamedUser,
): Promise<void> => {
  for (const [username, role] of Object.entries(members)) {
    await insert(queries, 'members', { path, user_id: user(username).id, level: accessLevels[role] });
  }
};

/** From both keys, without empty ones. */
export const tokensOf = ({ token, tokens = [] }: WorldUser): readonly WorldToken[] =>
  [...(token === undefined ? [] : [{ token }]), ...tokens].filter((one) => tokenDigest(one) !== undefined);

/** The stored digest of a token. */
export const tokenDigest = ({ token, digest }: WorldToken): string | undefined =>
  token === undefined ? digest : digestOf(token);

const tokenCells = (token: WorldToken) => ({
  digest: tokenDigest(token), scopes: (token.scopes ?? ['api']).join(' '),
  expires_at: token.expires_at && readInstant(token.expires_at)!.iso, revoked: token.revoked ?? false,
});

/** The rest has the service's defaults. */
export const seedAppearance = async (queries: Queries, appearance: WorldAppearance = {}): Promise<void> => {
  const { logo, header_logo, favicon, pwa_icon, ...rest } = appearance;
  const images = { logo, header_logo, favicon, pwa_icon };
  for (const mount of mounts) {
    const image = images[mount];
    if (image) await seedImage(queries, mount, image);
  }
  for (const [name, value] of Object.entries(rest)) {
    await insert(queries, 'appearance', { name, value: typeof value === 'boolean' ? String(Number(value)) : value });
  }
};

const seedImage = async (queries: Queries, mount: string, { file_name, media_type, content }: WorldImage) => {
  const name = storedFileName(file_name);
  await insert(queries, 'uploads', {
    mount, file_name: name, media_type: media_type ?? mediaTypeOfName(name), content: Buffer.from(content, 'base64'),
  });
  await insert(queries, 'appearance', { name: mount, value: uploadPath(mount, name) });
};

