import { mediaType, type HttpResponse } from '../../wire/http.js';

export const completeResponse = async (
  status: number, headers: HttpResponse['headers'], bytes: Buffer,
): Promise<HttpResponse> => {
  const { 'content-encoding': encodings = '', ...others } = headers;
  const charset = charsetOf(headers);
  const decompressed = encodings === '' ? bytes : await decompress(bytes, encodings);
  return { status, headers: others, body: charset === null ? decompressed : decodeText(decompressed, charset) };
};

/** Null for UTF-8 and for other types. Some services send JSON in another charset. */
const charsetOf = (headers: HttpResponse['headers']): string | null => {
  if (!/^text\/|json/.test(mediaType(headers))) return null;
  const named = /;\s*charset="?([^\s;"]+)/i.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase() ?? 'utf-8';
  return named === 'utf-8' ? null : named;
};

/** An unknown charset counts as UTF-8. */
const decodeText = (bytes: Buffer, charset: string): string | Buffer => {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return bytes;
  }
};

/** In bytes: much larger than any page, and within the limit of one string. */
export const maxBodySize = 268_435_456;

/**
 * The client never requests compression, but HTTP allows a service or proxy to use it. @param encodings
 * `content-encoding`
 * @throws Error with a code for invalid data, a result larger than `maxBodySize` and an unknown encoding
 */
export const decompress = async (bytes: Buffer, encodings: string): Promise<Buffer> => {
  let body = bytes;
  for (const encoding of encodings.toLowerCase().split(',').map((each) => each.trim()).reverse()) {
    if (body.length > 0 && encoding !== '' && encoding !== 'identity') body = await decompressOne(body, encoding);
  }
  return body;
};

const decompressOne = async (bytes: Buffer, encoding: string): Promise<Buffer> => {
  const { brotliDecompress, gunzip, inflate, inflateRaw } = await import('node:zlib');
  // Some services send deflate without the zlib header; the first byte shows it.
  const deflate = (bytes[0]! & 0x0f) === 8 ? inflate : inflateRaw;
  const decompressor = new Map([['gzip', gunzip], ['x-gzip', gunzip], ['br', brotliDecompress], ['deflate', deflate]])
    .get(encoding);
  if (!decompressor) throw Object.assign(new Error(`unsupported encoding ${encoding}`), { code: 'UNKNOWN_ENCODING' });
  return new Promise((resolve, reject) => {
    decompressor(bytes, { maxOutputLength: maxBodySize }, (error, body) => {
      if (error) reject(error);
      else resolve(body);
    });
  });
};

const maxInitialSize = 4_194_304;

const empty = Buffer.alloc(0);

const smallChunk = 4_096;

const maxSmallChunks = 1_024;

/** With a known length every chunk is copied at once: stored chunks of many responses would take much more memory. */
export const createBodyBuffer = (contentLength: string | string[] | undefined) => {
  const size = Number(contentLength);
  const buffer = size > 0 && size <= maxInitialSize ? Buffer.allocUnsafe(size) : empty;
  const overflow: Uint8Array[] = [];
  let filled = 0;
  let length = 0;
  let [joined, small] = [0, 0];
  // The object of a chunk takes more memory than a few bytes in it.
  const joinSmall = (): void => {
    overflow.push(Buffer.concat(overflow.splice(joined)));
    joined = overflow.length;
    small = 0;
  };
  return {
    add: (chunk: Uint8Array): void => {
      length += chunk.length;
      if (length > buffer.length) {
        overflow.push(chunk);
        if (chunk.length < smallChunk && ++small === maxSmallChunks) joinSmall();
      } else {
        buffer.set(chunk, filled);
        filled = length;
      }
    },
    length: (): number => length,
    bytes: (): Buffer => {
      const start = buffer.subarray(0, filled);
      return overflow.length === 0 ? start : Buffer.concat([start, ...overflow], length);
    },
  };
};

export type BodyBuffer = ReturnType<typeof createBodyBuffer>;
