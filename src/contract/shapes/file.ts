import { Type } from '@sinclair/typebox';
import type { Upload } from '../upload.js';

/** A file part of a multipart form; anything but a file is refused. */
export const File = Type.Unsafe<Upload>({ type: 'string', format: 'binary' });
