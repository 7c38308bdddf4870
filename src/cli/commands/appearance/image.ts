import type { Upload } from '../../../contract/endpoint.js';
import type { App } from '../../app.js';
import { largestImage, uploadOf } from '../../appearance/image-type.js';
import { readLimited } from '../../terminal/io/streams.js';

/** Reads an image for upload; its media type comes from its content, or from the suffix for SVG. @throws Problem */
export const imageFrom = async (app: App, path: string): Promise<Upload> =>
  uploadOf(path.split(/[\\/]/).at(-1)!, await readLimited(app, path, largestImage));
