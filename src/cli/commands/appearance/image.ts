import type { Upload } from '../../../contract/endpoint.js';
import type { App } from '../../app.js';
import { readBytes } from '../../io/streams.js';

/** Reads an image for upload; its media type comes from its content, or from the suffix for SVG. @throws Problem */
export const imageFrom = async (app: App, path: string): Promise<Upload> => {
  const bytes = await readBytes(app, path);
  const filename = path.split(/[\\/]/).at(-1)!;
  const { fileTypeFromBuffer } = await import('file-type');
  const type = (await fileTypeFromBuffer(bytes))?.mime ?? (/\.svg$/i.test(filename) ? 'image/svg+xml' : undefined);
  return { filename, bytes, ...(type && { content_type: type }) };
};
