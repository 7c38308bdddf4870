import { appearanceFacts } from '../../../contract/behavior/appearance.js';
import { type Edition, holdsIn } from '../../../contract/behavior/fact.js';
import { isStorableText, logoLimit } from '../../../contract/conventions.js';
import type { Upload } from '../../../contract/endpoint.js';
import { isSvg, startsAsPng } from '../../../text/images.js';
import type { HttpResponse } from '../../../wire/http.js';
import { routeNotFound } from '../../http/response.js';
import { uploadAt, type UploadRow } from '../../repositories/appearance.js';
import type { Database } from '../../store/database.js';

interface ImageType { readonly extension: string; readonly media_type: string }

const mediaTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  ico: 'image/vnd.microsoft.icon',
  svg: 'image/svg+xml',
};

export const octetStream = 'application/octet-stream';

export const mediaTypeOfName = (name: string): string => {
  const extension = extensionOf(name).toLowerCase();
  return mediaTypes[extension === 'jpeg' ? 'jpg' : extension] ?? octetStream;
};

/** Reads the bytes; null if unknown. The library is loaded with the first upload, to keep it out of the start-up. */
const imageType = async (bytes: Uint8Array): Promise<ImageType | null> => {
  if (isSvg(bytes)) return known('svg');
  const { fileTypeFromBuffer } = await import('file-type/core');
  const found = await fileTypeFromBuffer(bytes);
  // The library rejects truncated PNG files.
  if (!found) return startsAsPng(bytes) ? known('png') : null;
  const extension = found.ext === 'apng' ? 'png' : found.ext;
  return mediaTypes[extension] ? known(extension) : { extension, media_type: found.mime };
};

const known = (extension: string): ImageType => ({ extension, media_type: mediaTypes[extension]! });

/**
 * Without folders, and with `_` for every character except letters and digits of any script with their marks, and
 * `.-_+` (behavior: appearance.file-names). Never empty, never only dots, and at most 255 characters.
 */
export const storedFileName = (name: string): string => {
  const last = name.split(/[/\\]/).filter((part) => part !== '').pop() ?? '';
  // Compiling the classes of all scripts takes half a millisecond.
  const clean = /^[\w.\-+]*$/.test(last) ? last : last.replace(/[^\p{L}\p{M}\p{Nd}.\-_+]/gu, '_');
  if (clean === '') return 'unnamed';
  return shortened(/^\.+$/.test(clean) ? `_${clean}` : clean);
};

export const extensionOf = (name: string): string => /[^.]\.([^.]+)$/.exec(name)?.[1] ?? '';

const longest = 255;

/** Counts code points, so that no character is split. */
const shortened = (name: string): string => {
  const characters = [...name];
  if (characters.length <= longest) return name;
  const extension = [...extensionOf(name)].slice(0, 32);
  if (extension.length === 0) return characters.slice(0, longest).join('');
  return `${characters.slice(0, longest - extension.length - 1).join('')}.${extension.join('')}`;
};

export type Mount = 'logo' | 'header_logo' | 'favicon' | 'pwa_icon';

interface Rule {
  readonly extensions: readonly string[];
  readonly byName: boolean;
  readonly most: number;
}

/**
 * The service accepts any file as a logo (behavior: appearance.logo-types). This server, which serves uploads to
 * everyone, does not.
 */
const logo: Rule = { extensions: Object.keys(mediaTypes), byName: false, most: logoLimit };
const favicon: Rule = { extensions: ['png', 'ico'], byName: true, most: Infinity };

/** Extension, content and size, in this order (behavior: appearance.favicon, appearance.logo-size). */
export const checkImage = async (
  mount: Mount, { filename, bytes }: Upload, edition: Edition,
): Promise<{ readonly image: UploadRow } | { readonly problem: string }> => {
  const { extensions, byName, most } = mount === 'favicon' ? favicon : logo;
  const named = extensionOf(filename);
  if (byName && !extensions.includes(named.toLowerCase())) return notAllowed(JSON.stringify(named), extensions);
  const type = await imageType(bytes);
  if (type === null || !extensions.includes(type.extension)) return foreign(type?.extension ?? named, extensions);
  if (bytes.length > most) {
    const unit = holdsIn(appearanceFacts['appearance.logo-size-unit'], edition) ? 'MiB' : 'MB';
    return { problem: `is too big (should be at most ${most / 1_048_576} ${unit})` };
  }
  return { image: { file_name: storedFileName(filename), media_type: type.media_type, content: bytes } };
};

const foreign = (extension: string, allowed: readonly string[]) =>
  extension === '' || allowed.includes(extension.toLowerCase())
    ? notAllowed(octetStream, allowed.map((each) => mediaTypes[each]!))
    : notAllowed(JSON.stringify(extension), allowed);

const notAllowed = (what: string, allowed: readonly string[]) =>
  ({ problem: `You are not allowed to upload ${what} files, allowed types: ${allowed.join(', ')}` });

/** SVG images can contain scripts. */
const plainImages = new Set(Object.values(mediaTypes).filter((type) => type !== mediaTypes['svg']));

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
