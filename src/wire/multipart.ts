import busboy from '@fastify/busboy';
import type { Upload } from '../contract/shapes/file.js';

/** A multipart body that breaks off, has no boundary or holds more than the limits below. */
export class BrokenForm extends Error {}

const limits = { fields: 200, files: 10, parts: 210, fieldSize: 4_194_304, headerPairs: 50 };

/**
 * The parts of a multipart form in order: text, or an `Upload` where a part has a file name.
 * @throws BrokenForm
 */
export const readForm = (contentType: string, body: string | Uint8Array): Promise<[string, string | Upload][]> =>
  new Promise((resolve, reject) => {
    const broken = (error: unknown) => reject(new BrokenForm('multipart body cannot be read', { cause: error }));
    const parts: [string, string | Upload][] = [];
    try {
      const parser = new busboy.Busboy({ headers: { 'content-type': contentType }, limits });
      parser.on('field', (name, value, _nameCut, valueCut) => {
        if (valueCut) broken(new Error(`${name} is longer than allowed`));
        parts.push([name, value]);
      });
      for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
        parser.on(limit, () => broken(new Error('more parts than allowed')));
      }
      parser.on('file', (name, stream, filename, _encoding, type) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => { parts.push([name, { filename, content_type: type, bytes: Buffer.concat(chunks) }]); });
        stream.on('error', broken);
      });
      parser.on('error', broken);
      parser.on('finish', () => resolve(parts));
      parser.end(typeof body === 'string' ? Buffer.from(body) : body);
    } catch (error) {
      broken(error);
    }
  });
