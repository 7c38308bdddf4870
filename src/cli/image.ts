import type { BaseUrl } from '../client/base-url.js';
import { AnswerError, ConnectionError } from '../client/errors.js';
import type { Upload } from '../contract/shapes/file.js';
import type { Transport } from '../wire/http.js';
import type { App } from './app.js';
import { readBytes } from './files.js';
import type { GlobalFlags } from './flags/global.js';
import { openRaw } from './raw.js';

/** An image file as it is uploaded, typed by its content; SVG is text and is told by its suffix. @throws Problem */
export const imageFrom = async (app: App, path: string): Promise<Upload> => {
  const bytes = await readBytes(app, path);
  const filename = path.split(/[\\/]/).at(-1)!;
  const { fileTypeFromBuffer } = await import('file-type');
  const type = (await fileTypeFromBuffer(bytes))?.mime ?? (/\.svg$/i.test(filename) ? 'image/svg+xml' : undefined);
  return { filename, bytes, ...(type && { content_type: type }) };
};

/**
 * Whether a service kept another image than the one it was sent, as one does that takes the file for text. The name of
 * a stored image is the service's own (wire-facts 5.2.4), so only an image whose address is the one before is looked
 * at. One that can't be fetched, as from another host, is not held against the service.
 * @param before the field's value before the upload
 * @param after the value in the response
 */
export const isDropped = async (
  app: App, flags: GlobalFlags, { bytes }: Upload, before: string | null, after: string | null,
): Promise<boolean> => {
  if (!after) return true;
  if (after !== before || flags.sandbox) return false;
  const { transport, base } = await openRaw(app, flags, false);
  const stored = await imageAt(after, base, (request) => transport(request, app.signal));
  return stored !== null && !stored.equals(bytes);
};

/** The bytes at an address; null where it is not the service's, or gives none. */
const imageAt = async (address: string, { origin, path }: BaseUrl, send: Transport): Promise<Buffer | null> => {
  const url = URL.canParse(address, origin) ? new URL(address, origin) : null;
  if (url?.origin !== origin) return null;
  const target = url.pathname.startsWith(`${path}/`) ? url.pathname.slice(path.length) : url.pathname;
  try {
    const { status, body } = await send({ method: 'GET', target, headers: { 'cache-control': 'no-cache' } });
    return status === 200 ? Buffer.from(body) : null;
  } catch (error) {
    if (error instanceof ConnectionError || error instanceof AnswerError) return null;
    throw error;
  }
};
