import type { Queries, Row } from '../store/database.js';

export const readAppearance = async (queries: Queries): Promise<ReadonlyMap<string, string>> => {
  const rows = await queries.all<{ name: string; value: string }>('SELECT name, value FROM appearance');
  return new Map(rows.map(({ name, value }) => [name, value]));
};

export const writeAppearance = (queries: Queries, name: string, value: string) => queries.run(
  `INSERT INTO appearance (name, value) VALUES (?, ?)
   ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, value);

export interface UploadRow extends Row {
  readonly file_name: string;
  readonly media_type: string;
  readonly content: Uint8Array;
}

export const systemUploads = '/uploads/-/system';

export const uploadsPrefix = `${systemUploads}/appearance/`;

/**
 * The appearance is row 1 (behavior: appearance.image-path). Non-ASCII letters are percent-encoded: the path can be
 * requested.
 */
export const uploadPath = (mount: string, fileName: string): string =>
  `${uploadsPrefix}${mount}/1/${encodeURI(fileName)}`;

/** Returns undefined for replaced images too. */
export const uploadAt = async (queries: Queries, path: string): Promise<UploadRow | undefined> => {
  const [mount] = path.startsWith(uploadsPrefix) ? path.slice(uploadsPrefix.length).split('/') : [];
  const upload = mount ? await queries.get<UploadRow>(
    'SELECT file_name, media_type, content FROM uploads WHERE mount = ?', mount) : undefined;
  const spelled = path.replace(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase());
  return upload && uploadPath(mount!, upload.file_name) === spelled ? upload : undefined;
};

export const writeUpload = (queries: Queries, mount: string, upload: UploadRow) => queries.run(
  `INSERT INTO uploads (mount, file_name, media_type, content) VALUES (?, ?, ?, ?)
   ON CONFLICT (mount) DO UPDATE
   SET file_name = excluded.file_name, media_type = excluded.media_type, content = excluded.content`,
  mount, upload.file_name, upload.media_type, upload.content);
