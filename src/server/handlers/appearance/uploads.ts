import { isStorableText } from '../../../contract/conventions.js';
import type { HttpResponse } from '../../../wire/http.js';
import { routeNotFound } from '../../http/errors.js';
import { uploadAt } from '../../repositories/appearance.js';
import type { Database } from '../../store/database.js';
import { imageExtensions, mediaTypesOf, octetStream } from './image.js';

/** SVG images can contain scripts. */
const plainImages = new Set(mediaTypesOf(imageExtensions.filter((extension) => extension !== 'svg')));

/** Types are not sniffed, scripts are blocked, and anything except plain images is a download. @throws HttpError 404 */
export const serveUpload = async (database: Database, method: string, path: string): Promise<HttpResponse> => {
  if ((method !== 'GET' && method !== 'HEAD') || !isStorableText(path)) throw routeNotFound();
  const upload = await database.read((queries) => uploadAt(queries, path));
  if (!upload) throw routeNotFound();
  const { media_type: type, file_name: name, content } = upload;
  return {
    status: 200,
    headers: {
      'content-type': /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : octetStream,
      'content-security-policy': "sandbox; default-src 'none'",
      'content-disposition':
        `${plainImages.has(type) ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(name)}`,
    },
    body: content,
  };
};
