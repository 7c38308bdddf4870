import type { BaseUrl } from '../../../client/base-url.js';
import { ConnectionError, ResponseError } from '../../../client/errors.js';
import type { Upload } from '../../../contract/endpoint.js';
import type { Transport } from '../../../wire/http.js';
import type { App } from '../../app.js';
import { openRaw } from '../../connection/session.js';
import type { GlobalFlags } from '../../flags/global.js';
import { readBytes } from '../../io/streams.js';

/** Reads an image for upload; its media type comes from its content, or from the suffix for SVG. @throws Problem */
export const imageFrom = async (app: App, path: string): Promise<Upload> => {
  const bytes = await readBytes(app, path);
  const filename = path.split(/[\\/]/).at(-1)!;
  const { fileTypeFromBuffer } = await import('file-type');
  const type = (await fileTypeFromBuffer(bytes))?.mime ?? (/\.svg$/i.test(filename) ? 'image/svg+xml' : undefined);
  return { filename, bytes, ...(type && { content_type: type }) };
};

/**
 * Whether the service dropped the uploaded image, as happens when it reads the file as text. The service chooses the
 * name of a stored image (wire-facts 5.2.4), so the bytes are only compared when the URL is unchanged and not named
 * after the file. An image that cannot be fetched, such as one on another host, counts as stored.
 * @param before value of the field before the upload; undefined if unknown
 * @param after value of the field in the response
 */
export const isDropped = async (
  app: App, flags: GlobalFlags, { filename, bytes }: Upload, before: unknown, after: unknown,
): Promise<boolean> => {
  if (typeof after !== 'string' || after === '') return true;
  if (after !== before || isNamedAfter(filename, after)) return false;
  return await isStoredAt(app, flags, after, bytes) === false;
};

/** Whether the service has these bytes at the URL of an image; null if the image cannot be fetched. */
export const isStoredAt = async (
  app: App, flags: GlobalFlags, address: string, bytes: Uint8Array,
): Promise<boolean | null> => {
  if (flags.sandbox) return null;
  const { transport, base } = await openRaw(app, flags, false);
  const stored = await imageAt(address, base, (request) => transport(request, app.signal));
  return stored && stored.equals(bytes);
};

/** Compares names, ignoring characters that services replace or encode. */
const isNamedAfter = (filename: string, address: string): boolean => {
  const name = address.split(/[?#]/, 1)[0]!.split('/').at(-1)!.replace(/%[0-9a-f]{2}/gi, ' ');
  return normalized(name) === normalized(filename);
};

/** A non-ASCII letter takes several bytes in a URL, but one or two characters in a name. */
const normalized = (name: string): string => name.normalize('NFC').replace(/[^A-Za-z0-9.]+/g, '_').toLowerCase();

/** The bytes at a URL of the service; null on another host or for any other status than 200. */
const imageAt = async (address: string, { origin, path }: BaseUrl, send: Transport): Promise<Buffer | null> => {
  const url = URL.canParse(address, origin) ? new URL(address, origin) : null;
  if (url?.origin !== origin) return null;
  const target = url.pathname.startsWith(`${path}/`) ? url.pathname.slice(path.length) : url.pathname;
  try {
    const { status, body } = await send({ method: 'GET', target, headers: { 'cache-control': 'no-cache' } });
    return status === 200 ? Buffer.from(body) : null;
  } catch (error) {
    if (error instanceof ConnectionError || error instanceof ResponseError) return null;
    throw error;
  }
};
