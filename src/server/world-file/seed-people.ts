import { imageFields } from '../../contract/appearance.js';
import { accessLevels } from '../../contract/conventions.js';
import { readInstant } from '../../wire/instants.js';
import { mediaTypeOfName, storedFileName } from '../handlers/appearance/image.js';
import { uploadPath } from '../repositories/appearance.js';
import type { Queries } from '../store/database.js';
import type { NamedUser, Role, WorldAppearance, WorldImage, WorldToken } from './schema.js';
import { insert, tokenDigest, tokensOf } from './seed-context.js';

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

const tokenCells = (token: WorldToken) => ({
  digest: tokenDigest(token), scopes: (token.scopes ?? ['api']).join(' '),
  expires_at: token.expires_at && readInstant(token.expires_at)!.iso, revoked: token.revoked ?? false,
});

/** The rest has the service's defaults. */
export const seedAppearance = async (queries: Queries, appearance: WorldAppearance = {}): Promise<void> => {
  const { logo, header_logo, favicon, pwa_icon, ...rest } = appearance;
  const images = { logo, header_logo, favicon, pwa_icon };
  for (const mount of imageFields) {
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
