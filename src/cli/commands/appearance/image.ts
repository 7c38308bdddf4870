import type { BaseUrl } from '../../../client/base-url.js';
import { AnswerError, ConnectionError } from '../../../client/errors.js';
import type { Upload } from '../../../contract/upload.js';
import type { Transport } from '../../../wire/http.js';
import type { App } from '../../app.js';
import { openRaw } from '../../connection/session.js';
import type { GlobalFlags } from '../../flags/global.js';
import { readBytes } from '../../io/files.js';

/** An image file as it is uploaded, typed by its content; SVG is text and is told by its suffix. @throws Problem */
export const imageFrom = async (app: App, path: string): Promise<Upload> => {
  const bytes = await readBytes(app, path);
  const filename = path.split(/[\\/]/).at(-1)!;
  const { fileTypeFromBuffer } = await import('file-type');
  const type = (await fileTypeFromBuffer(bytes))?.mime ?? (/\.svg$/i.test(filename) ? 'image/svg+xml' : undefined);
  return { filename, bytes, ...(type && { content_type: type }) };
};

/**
 * Whether a service kept another image than the one it was sent, as one does that takes the file for text. It calls a
 * stored image as it likes (wire-facts 5.2.4), so only an address that is still the one before, and not named after the
 * file, is looked at. An image that can't be fetched, as from another host, is not held against the service.
 * @param before the field's value before the upload; undefined where it is not known
 * @param after the value in the response
 */
export const isDropped = async (
  app: App, flags: GlobalFlags, { filename, bytes }: Upload, before: unknown, after: unknown,
): Promise<boolean> => {
  if (typeof after !== 'string' || after === '') return true;
  if (after !== before || isNamedAfter(filename, after) || flags.sandbox) return false;
  const { transport, base } = await openRaw(app, flags, false);
  const stored = await imageAt(after, base, (request) => transport(request, app.signal));
  return stored !== null && !stored.equals(bytes);
};

/** Whether two names are the same but for characters that services replace or encode. */
const isNamedAfter = (filename: string, address: string): boolean => {
  const name = address.split(/[?#]/, 1)[0]!.split('/').at(-1)!.replace(/%[0-9a-f]{2}/gi, ' ');
  return alike(name) === alike(filename);
};

/** Letters of other scripts take several bytes in an address, and one or two characters in a name. */
const alike = (name: string): string => name.normalize('NFC').replace(/[^A-Za-z0-9.]+/g, '_').toLowerCase();

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
