import { keptFileName } from '../appearance/file-name.js';
import { uploadPath } from '../records/uploads.js';
import type { Queries } from '../store/database.js';
import { insert } from './insert.js';
import { mounts, type WorldAppearance, type WorldImage } from './shape.js';

/** Writes the texts and images that the appearance has; what it lacks is the service's default. */
export const fillAppearance = async (queries: Queries, appearance: WorldAppearance = {}): Promise<void> => {
  const { logo, header_logo, favicon, ...rest } = appearance;
  const images = { logo, header_logo, favicon };
  for (const mount of mounts) {
    const image = images[mount];
    if (image) await fillImage(queries, mount, image);
  }
  for (const [name, value] of Object.entries(rest)) {
    await insert(queries, 'appearance', { name, value: typeof value === 'boolean' ? String(Number(value)) : value });
  }
};

const fillImage = async (queries: Queries, mount: string, { file_name, media_type, content }: WorldImage) => {
  const name = keptFileName(file_name);
  await insert(queries, 'uploads', {
    mount, file_name: name, media_type: media_type ?? mediaTypeOf(name), content: Buffer.from(content, 'base64'),
  });
  await insert(queries, 'appearance', { name: mount, value: uploadPath(mount, name) });
};

const mediaTypes: Readonly<Record<string, string>> = {
  png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp', svg: 'image/svg+xml',
  ico: 'image/vnd.microsoft.icon',
};

const mediaTypeOf = (name: string): string =>
  mediaTypes[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream';
