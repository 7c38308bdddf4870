import type { Upload } from '../../contract/endpoint.js';
import { isSvg, startsAsPng } from '../../text/images.js';

interface ImageType { readonly extension: string; readonly media_type: string }

/**
 * The largest image: ten times the limit of a logo (behavior: appearance.logo-size), as favicons have none. In bytes.
 */
export const largestImage = 10_485_760;

const pngType: ImageType = { extension: 'png', media_type: 'image/png' };
const usualNames: Readonly<Record<string, ImageType>> = {
  apng: pngType,
  ico: { extension: 'ico', media_type: 'image/vnd.microsoft.icon' },
};

/** Null if the type is unknown. */
export const typeOfFile = async (bytes: Uint8Array): Promise<ImageType | null> => {
  if (isSvg(bytes)) return { extension: 'svg', media_type: 'image/svg+xml' };
  const { fileTypeFromBuffer } = await import('file-type/core');
  const found = await fileTypeFromBuffer(bytes);
  // The library rejects truncated PNG files.
  if (!found && startsAsPng(bytes)) return pngType;
  return found ? usualNames[found.ext] ?? { extension: found.ext, media_type: found.mime } : null;
};

/** By the content, or by the suffix for SVG; null if it is not an image. */
export const imageTypeOf = async (bytes: Uint8Array, filename: string): Promise<string | null> => {
  const type = (await typeOfFile(bytes))?.media_type ?? 'text/plain';
  if (type.startsWith('image/')) return type;
  return /^(?:text\/plain|application\/xml)$/.test(type) && extensionOf(filename) === 'svg' ? 'image/svg+xml' : null;
};

export const uploadOf = async (filename: string, bytes: Uint8Array): Promise<Upload> => {
  const type = await imageTypeOf(bytes, filename) ?? (await typeOfFile(bytes))?.media_type;
  return { filename, bytes, ...(type !== undefined && { content_type: type }) };
};

/** Lower case, without its dot; empty if there is none. */
export const extensionOf = (name: string): string => /[^.\\/]\.([^.\\/]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
