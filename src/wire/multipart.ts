import type FormData from 'form-data';
import type { Upload } from '../contract/endpoint.js';
import { decodePercent } from './http.js';

export interface FormFile {
  readonly filename: string;
  readonly bytes: Uint8Array;
  readonly contentType?: string | undefined;
}

export type FormPart = readonly [name: string, value: string | FormFile];

/** The boundary follows from the content, so that the content cannot contain it. */
export const multipartBody = async (parts: readonly FormPart[]) => {
  const { default: Form } = await import('form-data');
  const form = new Form();
  const boundary = boundaryFor(parts);
  form.setBoundary(boundary);
  for (const [name, value] of parts) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, asBuffer(value.bytes), optionsOf(value));
  }
  return { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, body: await formContent(form) };
};

const boundaryFor = (parts: readonly FormPart[]): string => {
  // With an import, each start of the program would load it, which takes 4 ms.
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256');
  for (const [name, value] of parts) {
    const { bytes, ...file } = typeof value === 'string' ? { bytes: value } : value;
    hash.update(JSON.stringify([name, file, bytes.length])).update(bytes);
  }
  return `----colloquy${hash.digest('hex').slice(0, 40)}`;
};

const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** form-data escapes names, but not types. Its `filename` would make text of a file with an empty name. */
const optionsOf = ({ filename, contentType }: FormFile): FormData.AppendOptions =>
  ({ filepath: filename, ...contentType !== undefined && { contentType: contentType.replace(/[\r\n]+/g, ' ') } });

/** `getBuffer` of form-data copies a file once more for each part after it: 100 MB before 20 texts would take 13 s. */
const formContent = (form: FormData): Promise<Buffer> => new Promise((resolve, reject) => {
  const chunks: Buffer[] = [];
  form.on('data', (chunk: string | Buffer) => { chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk); });
  form.on('end', () => resolve(Buffer.concat(chunks))).on('error', reject);
  form.resume();
});

export class InvalidMultipart extends Error {}

/** A field can contain the longest note, 1,000,000 characters of four bytes. Larger values are rejected, never cut. */
const limits = { fields: 200, files: 10, parts: 210, fieldSize: 4_194_304, headerPairs: 50 };
const maxLengths = { name: 200, filename: 4_096, header: 8_192 };

/** RFC 2046, 5.1.1 */
const boundaryPattern = /;\s*boundary\s*=\s*(?:"([!#-[\]-~ ]{0,69}[!#-[\]-~])"|([!#-:<-[\]-~]{1,70}))\s*(?:;|$)/i;

/** The parser does not limit parts without a header, and reads a long header byte by byte before it cuts it. */
const checkedBoundary = (contentType: string, body: Buffer): string => {
  const match = boundaryPattern.exec(contentType);
  const boundary = match?.[1] ?? match?.[2];
  if (boundary === undefined) throw new Error('missing or invalid boundary');
  const start = `--${boundary}`;
  let count = 0;
  for (let at = body.indexOf(start); at >= 0; at = nextLine(body, start, at)) {
    if (++count > limits.parts + 1) throw new Error('more parts than allowed');
    if (hasLongHeader(body, at + start.length)) throw new Error('a part has too long a header');
  }
  return boundary;
};

const nextLine = (body: Buffer, start: string, from: number): number => {
  const index = body.indexOf(`\r\n${start}`, from);
  return index < 0 ? index : index + 2;
};

const hasLongHeader = (body: Buffer, at: number): boolean => {
  const header = body.subarray(at, at + maxLengths.header).toString('latin1');
  return header.length === maxLengths.header && !header.startsWith('--') && !header.includes('\r\n\r\n');
};

/** A part with a file name is an `Upload`. @throws InvalidMultipart */
export const readForm = async (
  contentType: string, body: string | Uint8Array,
): Promise<[string, string | Upload][]> => {
  const { Busboy } = await import('@fastify/busboy');
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(new InvalidMultipart('multipart body cannot be read', { cause: error }));
    const parts: [string, string | Upload][] = [];
    const addPart = (name: string | undefined, value: string | Upload): void => {
      if (name === undefined || name.length > maxLengths.name) fail(new Error('a part has no name or a too long name'));
      else parts.push([name, value]);
    };
    try {
      const bytes = typeof body === 'string' ? Buffer.from(body) : asBuffer(body);
      const type = `multipart/form-data; boundary="${checkedBoundary(contentType, bytes)}"`;
      const parser = new Busboy({ headers: { 'content-type': type }, limits });
      parser.on('field', (name, value, _isNameCut, isValueCut) => {
        if (isValueCut) fail(new Error(`${name} is longer than allowed`));
        addPart(name, value);
      });
      for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
        parser.on(limit, () => fail(new Error('more parts than allowed')));
      }
      parser.on('file', (name, stream, encodedName: string | undefined, _encoding, type) => {
        // Browsers, undici and form-data send a quotation mark as `%22`; the live service decodes names too.
        const filename = decodePercent(encodedName ?? '');
        const chunks: Buffer[] = [];
        if (filename.length > maxLengths.filename) fail(new Error('a file name is longer than allowed'));
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => { addPart(name, { filename, content_type: type, bytes: Buffer.concat(chunks) }); });
        stream.on('error', fail);
      });
      parser.on('error', fail);
      parser.on('finish', () => resolve(parts));
      parser.end(bytes);
    } catch (error) {
      fail(error);
    }
  });
};
