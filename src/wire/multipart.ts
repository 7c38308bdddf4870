import busboy from '@fastify/busboy';
import type { Upload } from '../contract/shapes/file.js';

/** A multipart body that breaks off, has no boundary, a part without a name, or more than the limits below. */
export class BrokenForm extends Error {}

/** A field holds the longest note, 1,000,000 characters of four bytes; what goes over a limit is refused, never cut. */
const limits = { fields: 200, files: 10, parts: 210, fieldSize: 4_194_304, headerPairs: 50 };
const longest = { name: 200, filename: 4_096 };

/**
 * The parts of a multipart form in order: text, or an `Upload` where a part has a file name.
 * @throws BrokenForm
 */
export const readForm = (contentType: string, body: string | Uint8Array): Promise<[string, string | Upload][]> =>
  new Promise((resolve, reject) => {
    const broken = (error: unknown) => reject(new BrokenForm('multipart body cannot be read', { cause: error }));
    const parts: [string, string | Upload][] = [];
    const keep = (name: string | undefined, value: string | Upload): void => {
      if (name === undefined || name.length > longest.name) broken(new Error('a part has no name, or too long a one'));
      else parts.push([name, value]);
    };
    try {
      const parser = new busboy.Busboy({ headers: { 'content-type': contentType }, limits });
      parser.on('field', (name, value, _nameCut, valueCut) => {
        if (valueCut) broken(new Error(`${name} is longer than allowed`));
        keep(name, value);
      });
      for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
        parser.on(limit, () => broken(new Error('more parts than allowed')));
      }
      parser.on('file', (name, stream, named: string | undefined, _encoding, type) => {
        const filename = named ?? '';
        const chunks: Buffer[] = [];
        if (filename.length > longest.filename) broken(new Error('a file name is longer than allowed'));
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => { keep(name, { filename, content_type: type, bytes: Buffer.concat(chunks) }); });
        stream.on('error', broken);
      });
      parser.on('error', broken);
      parser.on('finish', () => resolve(parts));
      parser.end(typeof body === 'string' ? Buffer.from(body) : body);
    } catch (error) {
      broken(error);
    }
  });
