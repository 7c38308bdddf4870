import type { Upload } from '../../../contract/endpoint.js';
import type { App } from '../../app.js';
import { uploadOf } from '../../appearance/image-type.js';
import { readBytes } from '../../io/streams.js';

/** Reads an image for upload; its media type comes from its content, or from the suffix for SVG. @throws Problem */
export const imageFrom = async (app: App, path: string): Promise<Upload> =>
  uploadOf(path.split(/[\\/]/).at(-1)!, await readBytes(app, path));
