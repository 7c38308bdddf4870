import type { HttpResponse } from '../wire/http.js';
import { uploadAt } from './records/uploads.js';
import { routeNotFound } from './refusal.js';
import type { Database } from './store/database.js';

/** Stored images are served below this path (wire-facts 5.2.4). */
export const uploadsPrefix = '/uploads/-/system/appearance/';

/**
 * A stored image byte for byte, inert: its type is not guessed anew, a picture with scripts runs none, and anything but
 * a plain image is offered as a download.
 * @throws Refusal 404
 */
export const serveUpload = async (database: Database, method: string, path: string): Promise<HttpResponse> => {
  if (method !== 'GET' && method !== 'HEAD') throw routeNotFound();
  const upload = await database.read((queries) => uploadAt(queries, path));
  if (!upload) throw routeNotFound();
  const inline = upload.media_type.startsWith('image/') && upload.media_type !== 'image/svg+xml';
  return {
    status: 200,
    headers: {
      'content-type': upload.media_type,
      'content-security-policy': "sandbox; default-src 'none'",
      'content-disposition':
        `${inline ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(upload.file_name)}`,
    },
    body: upload.content,
  };
};
