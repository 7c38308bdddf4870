import { logoLimit } from '../../contract/conventions.js';
import type { Upload } from '../../contract/endpoint.js';
import type { UploadRow } from '../repositories/appearance.js';

/** What kind of image a file is by its content. */
export interface ImageType { readonly extension: string; readonly media_type: string }

/** The kinds of image that a browser shows, by extension. */
const mediaTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  ico: 'image/vnd.microsoft.icon',
  svg: 'image/svg+xml',
};

/** The media type of bytes of unknown meaning. */
export const octetStream = 'application/octet-stream';

/** The media types of some extensions. */
export const mediaTypesOf = (extensions: readonly string[]): string[] =>
  extensions.map((extension) => mediaTypes[extension]!);

/** The media type of a file by the extension of its name. */
export const mediaTypeOfName = (name: string): string => {
  const extension = extensionOf(name).toLowerCase();
  return mediaTypes[extension === 'jpeg' ? 'jpg' : extension] ?? octetStream;
};

/** Every kind of image that is known here. */
export const imageExtensions: readonly string[] = Object.keys(mediaTypes);

/**
 * What a file is, by its bytes and not by what its sender says; null where they tell nothing. The library is loaded
 * with the first upload, so that a server starts without it.
 */
export const typeOf = async (bytes: Uint8Array): Promise<ImageType | null> => {
  if (isSvg(bytes)) return known('svg');
  const { fileTypeFromBuffer } = await import('file-type/core');
  const found = await fileTypeFromBuffer(bytes);
  if (!found) return startsAsPng(bytes) ? known('png') : null;
  const extension = found.ext === 'apng' ? 'png' : found.ext;
  return mediaTypes[extension] ? known(extension) : { extension, media_type: found.mime };
};

/** The library demands a picture in a PNG; one that is cut short is a PNG all the same. */
const startsAsPng = (bytes: Uint8Array): boolean =>
  [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a].every((byte, i) => bytes[i] === byte);

const known = (extension: string): ImageType => ({ extension, media_type: mediaTypes[extension]! });

/** So far into a file its first element is looked for. */
const window = 65_536;

/** What may stand before the first element: white space, declarations, comments, a document type with its entities. */
const prologue = /\s+|<\?[^]*?\?>|<!--[^]*?-->|<!doctype[^[>]*(?:\[[^\]]*\]\s*)?>/iy;

/** Whether a file is an SVG picture: UTF-8 text whose first element is `svg`. */
export const isSvg = (bytes: Uint8Array): boolean => {
  const text = new TextDecoder().decode(bytes.subarray(0, window));
  let at = 0;
  for (prologue.lastIndex = 0; prologue.test(text); prologue.lastIndex = at) at = prologue.lastIndex;
  return /^<(?:svg:)?svg[\s/>]/.test(text.slice(at, at + 10));
};

const longest = 255;

/**
 * The name an upload is kept under: without folders, and with `_` for every character but letters and digits of any
 * script, with the marks that letters are written with, and `.-_+` (wire-facts 5.2.5). It is never empty, never only
 * dots, and of at most 255 characters, its extension kept.
 */
export const storedFileName = (name: string): string => {
  const last = name.split(/[/\\]/).filter((part) => part !== '').pop() ?? '';
  const clean = last.replace(/[^\p{L}\p{M}\p{Nd}.\-_+]/gu, '_');
  if (clean === '') return 'unnamed';
  return shortened(/^\.+$/.test(clean) ? `_${clean}` : clean);
};

/** The extension of a name as it is written, without its dot; empty where it has none. */
export const extensionOf = (name: string): string => /[^.]\.([^.]+)$/.exec(name)?.[1] ?? '';

/** Characters are counted, not UTF-16 units: none is cut in half. */
const shortened = (name: string): string => {
  const characters = [...name];
  if (characters.length <= longest) return name;
  const extension = [...extensionOf(name)].slice(0, 32);
  if (extension.length === 0) return characters.slice(0, longest).join('');
  return `${characters.slice(0, longest - extension.length - 1).join('')}.${extension.join('')}`;
};

/** Where an image can be shown. */
export type Mount = 'logo' | 'header_logo' | 'favicon';

/** An image ready to be kept, or why it is not taken. */
export type CheckedImage = { readonly image: UploadRow } | { readonly problem: string };

interface Rule {
  readonly extensions: readonly string[];
  /** Whether the name's extension counts beside the content. */
  readonly byName: boolean;
  readonly most: number;
}

/**
 * The service takes any file as a logo (wire-facts 5.3). This one hands files back to whoever asks, so it keeps
 * images only.
 */
const logo: Rule = { extensions: imageExtensions, byName: false, most: logoLimit };
const rules: Readonly<Record<Mount, Rule>> = {
  logo, header_logo: logo, favicon: { extensions: ['png', 'ico'], byName: true, most: Infinity },
};

/** Checks a file for a mount: its name's extension, its content, its size, in this order (wire-facts 5.3). */
export const checkImage = async (mount: Mount, { filename, bytes }: Upload): Promise<CheckedImage> => {
  const { extensions, byName, most } = rules[mount];
  const named = extensionOf(filename);
  if (byName && !extensions.includes(named.toLowerCase())) return notAllowed(JSON.stringify(named), extensions);
  const type = await typeOf(bytes);
  if (type === null || !extensions.includes(type.extension)) return foreign(type?.extension ?? named, extensions);
  if (bytes.length > most) return { problem: `is too big (should be at most ${most / 1_048_576} MB)` };
  return { image: { file_name: storedFileName(filename), media_type: type.media_type, content: bytes } };
};

/** A name that promises what its content is not has no extension to complain of: the media type is named instead. */
const foreign = (extension: string, allowed: readonly string[]) =>
  extension === '' || allowed.includes(extension.toLowerCase())
    ? notAllowed(octetStream, mediaTypesOf(allowed))
    : notAllowed(JSON.stringify(extension), allowed);

const notAllowed = (what: string, allowed: readonly string[]) =>
  ({ problem: `You are not allowed to upload ${what} files, allowed types: ${allowed.join(', ')}` });
