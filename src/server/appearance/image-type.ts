import { isSvg } from './svg.js';

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

/** The media types of some extensions. */
export const mediaTypesOf = (extensions: readonly string[]): string[] =>
  extensions.map((extension) => mediaTypes[extension]!);

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
