/** A file of a form. */
export interface FormFile {
  readonly filename: string;
  readonly bytes: Uint8Array;
  /** By default that of the extension of the file name. */
  readonly contentType?: string | undefined;
}

export type FormPart = readonly [name: string, value: string | FormFile];

interface FormBody {
  readonly headers: { readonly 'content-type': string };
  readonly body: Buffer;
}

/** The body of a form as browsers send it. The boundary follows from the content, which therefore cannot contain it. */
export const multipartBody = (parts: readonly FormPart[]): FormBody => {
  const chunks = parts.map(([name, value]) => [headOf(name, value), bytesOf(value)] as const);
  // With an import, each start of the program would load it, which takes 4 ms.
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256');
  for (const [head, bytes] of chunks) hash.update(head).update(bytes);
  const boundary = `----colloquy${hash.digest('hex').slice(0, 40)}`;
  const body = chunks.flatMap(([head, bytes]) => [Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`), bytes, lineBreak]);
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([...body, Buffer.from(`--${boundary}--\r\n`)]),
  };
};

const lineBreak = Buffer.from('\r\n');

const bytesOf = (value: string | FormFile): Uint8Array =>
  typeof value === 'string' ? Buffer.from(value) : value.bytes;

const headOf = (name: string, value: string | FormFile): string => {
  const disposition = `Content-Disposition: form-data; name="${quoted(name)}"`;
  if (typeof value === 'string') return disposition;
  const { filename, contentType = typeOf(filename) } = value;
  return `${disposition}; filename="${quoted(filename)}"\r\nContent-Type: ${contentType.replace(/[\r\n]+/g, ' ')}`;
};

/** As HTML says: other characters stay as they are. */
const quoted = (text: string): string =>
  text.replace(/["\r\n]/g, (character) => ({ '"': '%22', '\r': '%0D', '\n': '%0A' })[character]!);

const typeOf = (filename: string): string =>
  types.get(/\.([a-z]+)$/i.exec(filename)?.[1]?.toLowerCase() ?? '') ?? 'application/octet-stream';

const types: ReadonlyMap<string, string> = new Map(Object.entries({
  avif: 'image/avif', bmp: 'image/bmp', gif: 'image/gif', ico: 'image/vnd.microsoft.icon', jpeg: 'image/jpeg',
  jpg: 'image/jpeg', png: 'image/png', svg: 'image/svg+xml', webp: 'image/webp',
  csv: 'text/csv', html: 'text/html', json: 'application/json', md: 'text/markdown', pdf: 'application/pdf',
  txt: 'text/plain', xml: 'application/xml', zip: 'application/zip',
}));
