import { logoLimit } from '../../contract/conventions.js';
import type { Upload } from '../../contract/upload.js';
import type { UploadRow } from '../records/uploads.js';
import { extensionOf, keptFileName } from './file-name.js';
import { imageExtensions, mediaTypesOf, typeOf } from './image-type.js';

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
  return { image: { file_name: keptFileName(filename), media_type: type.media_type, content: bytes } };
};

/** A name that promises what its content is not has no extension to complain of: the media type is named instead. */
const foreign = (extension: string, allowed: readonly string[]) =>
  extension === '' || allowed.includes(extension.toLowerCase())
    ? notAllowed('application/octet-stream', mediaTypesOf(allowed))
    : notAllowed(JSON.stringify(extension), allowed);

const notAllowed = (what: string, allowed: readonly string[]) =>
  ({ problem: `You are not allowed to upload ${what} files, allowed types: ${allowed.join(', ')}` });
