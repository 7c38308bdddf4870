import busboy from '@fastify/busboy';
import type { Upload } from '../contract/endpoint.js';

/** A multipart body that breaks off, has no boundary, a part without a name, or more than the limits below. */
export class InvalidMultipart extends Error {}

/** A field holds the longest note, 1,000,000 characters of four bytes; what goes over a limit is refused, never cut. */
const limits = { fields: 200, files: 10, parts: 210, fieldSize: 4_194_304, headerPairs: 50 };
const longest = { name: 200, filename: 4_096, head: 8_192 };

/** As RFC 2046, 5.1.1 bounds it, named once, with or without quotes. */
const boundaryShape = /;\s*boundary\s*=\s*(?:"([!#-[\]-~ ]{0,69}[!#-[\]-~])"|([!#-:<-[\]-~]{1,70}))\s*(?:;|$)/i;

/**
 * The delimiter of a form's parts.
 * @throws for one that is missing or odd, or stands in the body more often than a form has parts: the parser
 *   has no bound for parts without a head, and each costs it time and memory. Also for a part with a long head: the
 *   parser would cut it, after reading it character by character
 */
const delimiterOf = (contentType: string, body: Buffer): string => {
  const shape = boundaryShape.exec(contentType);
  const boundary = shape?.[1] ?? shape?.[2];
  if (boundary === undefined) throw new Error('no boundary, or an odd one');
  const start = `--${boundary}`;
  let count = 0;
  for (let at = body.indexOf(start); at >= 0; at = nextLine(body, start, at)) {
    if (++count > limits.parts + 1) throw new Error('more parts than allowed');
    if (hasLongHead(body, at + start.length)) throw new Error('a part has too long a head');
  }
  return boundary;
};

/** Where the next line begins that starts with a text, or -1. */
const nextLine = (body: Buffer, start: string, from: number): number => {
  const found = body.indexOf(`\r\n${start}`, from);
  return found < 0 ? found : found + 2;
};

/** What follows the last delimiter is not a head. */
const hasLongHead = (body: Buffer, at: number): boolean => {
  const head = body.subarray(at, at + longest.head).toString('latin1');
  return head.length === longest.head && !head.startsWith('--') && !head.includes('\r\n\r\n');
};

/**
 * The parts of a multipart form in order: text, or an `Upload` where a part has a file name.
 * @throws BrokenForm
 */
export const readForm = (contentType: string, body: string | Uint8Array): Promise<[string, string | Upload][]> =>
  new Promise((resolve, reject) => {
    const broken = (error: unknown) => reject(new InvalidMultipart('multipart body cannot be read', { cause: error }));
    const parts: [string, string | Upload][] = [];
    const keep = (name: string | undefined, value: string | Upload): void => {
      if (name === undefined || name.length > longest.name) broken(new Error('a part has no name, or too long a one'));
      else parts.push([name, value]);
    };
    try {
      const bytes = typeof body === 'string' ? Buffer.from(body) : asBuffer(body);
      const type = `multipart/form-data; boundary="${delimiterOf(contentType, bytes)}"`;
      const parser = new busboy.Busboy({ headers: { 'content-type': type }, limits });
      parser.on('field', (name, value, _nameCut, valueCut) => {
        if (valueCut) broken(new Error(`${name} is longer than allowed`));
        keep(name, value);
      });
      for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
        parser.on(limit, () => broken(new Error('more parts than allowed')));
      }
      parser.on('file', (name, stream, named: string | undefined, _encoding, type) => {
        const filename = unescaped(named ?? '');
        const chunks: Buffer[] = [];
        if (filename.length > longest.filename) broken(new Error('a file name is longer than allowed'));
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => { keep(name, { filename, content_type: type, bytes: Buffer.concat(chunks) }); });
        stream.on('error', broken);
      });
      parser.on('error', broken);
      parser.on('finish', () => resolve(parts));
      parser.end(bytes);
    } catch (error) {
      broken(error);
    }
  });

/**
 * Browsers, undici and form-data write a quotation mark as `%22`. Where all percent signs of a name are escapes they
 * are decoded, as Rack does on the live service; a name that has such signs of its own cannot be told apart.
 */
const unescaped = (name: string): string => {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
};

const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
