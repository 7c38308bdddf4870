import type { Upload } from '../contract/shapes/file.js';
import type { App } from './app.js';
import { readBytes } from './files.js';

/** An image file as it is uploaded, typed by its content; SVG is text and is told by its suffix. @throws Problem */
export const imageFrom = async (app: App, path: string): Promise<Upload> => {
  const bytes = await readBytes(app, path);
  const filename = path.split(/[\\/]/).at(-1)!;
  const { fileTypeFromBuffer } = await import('file-type');
  const type = (await fileTypeFromBuffer(bytes))?.mime ?? (/\.svg$/i.test(filename) ? 'image/svg+xml' : undefined);
  return { filename, bytes, ...(type && { content_type: type }) };
};

/** The name under which the service keeps a file: unusual characters become `_` (wire-facts 5.2.5). */
export const keptName = (filename: string): string => filename.replace(/[^\p{L}\p{N}_.+-]/gu, '_');
