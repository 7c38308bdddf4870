import { mediaType, type HttpResponse } from '../../wire/http.js';

type Headers = Readonly<Record<string, string>>;

/**
 * An answer once its body is there: unpacked, and as text where it is text in another charset than UTF-8.
 * @param bytes the body as it came
 */
export const wholeAnswer = async (
  status: number, headers: Headers, bytes: Buffer,
): Promise<HttpResponse> => {
  const { 'content-encoding': encodings = '', ...others } = headers;
  const charset = charsetOf(headers);
  const whole = encodings === '' ? bytes : await unpacked(bytes, encodings);
  return { status, headers: others, body: charset === null ? whole : textIn(whole, charset) };
};

/** How a text is written; null for UTF-8 and for what is no text. JSON is UTF-8, but not everybody knows. */
const charsetOf = (headers: Headers): string | null => {
  if (!/^text\/|json/.test(mediaType(headers))) return null;
  const named = /;\s*charset="?([^\s;"]+)/i.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase() ?? 'utf-8';
  return named === 'utf-8' ? null : named;
};

/** A charset nobody knows is taken for UTF-8. */
const textIn = (bytes: Buffer, charset: string): string | Buffer => {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return bytes;
  }
};

/** An answer may take up so much room: far beyond what any page needs, within what one text can hold. */
export const mostBytes = 268_435_456;

/**
 * The bytes of an answer as they were before they were packed for the way. Nothing packed is ever asked for, and HTTP
 * lets a service, or something in front of it, pack all the same.
 * @param encodings the header `content-encoding`
 * @throws Error with a code for broken data, for what unpacks to more than `mostBytes`, and for an unknown encoding
 */
export const unpacked = async (bytes: Buffer, encodings: string): Promise<Buffer> => {
  let whole = bytes;
  for (const encoding of encodings.toLowerCase().split(',').map((each) => each.trim()).reverse()) {
    if (whole.length > 0 && encoding !== '' && encoding !== 'identity') whole = await unpack(whole, encoding);
  }
  return whole;
};

const unpack = async (bytes: Buffer, encoding: string): Promise<Buffer> => {
  const { brotliDecompress, gunzip, inflate, inflateRaw } = await import('node:zlib');
  // Some send deflate without the head that it is meant to have; the first byte tells.
  const deflate = (bytes[0]! & 0x0f) === 8 ? inflate : inflateRaw;
  const way = new Map([['gzip', gunzip], ['x-gzip', gunzip], ['br', brotliDecompress], ['deflate', deflate]])
    .get(encoding);
  if (!way) throw Object.assign(new Error(`packed as ${encoding}`), { code: 'UNKNOWN_ENCODING' });
  return new Promise((resolve, reject) => {
    way(bytes, { maxOutputLength: mostBytes }, (error, whole) => { if (error) reject(error); else resolve(whole); });
  });
};

/** A body while it arrives. */
export interface Gathered {
  readonly add: (piece: Uint8Array) => void;
  /** How many bytes there are by now. */
  readonly length: () => number;
  /** All of them. */
  readonly bytes: () => Buffer;
}

/** So much room is made on the word of a header alone. */
const mostRoom = 4_194_304;

const nothing = Buffer.alloc(0);

/**
 * Puts the pieces of a body together. Where its length is told, each has its place as it comes: kept until the last is
 * there, pieces outlive their use, and many pages are on the way at once.
 * @param told the header `content-length`
 */
export const gathered = (told: string | string[] | undefined): Gathered => {
  const size = Number(told);
  const room = size > 0 && size <= mostRoom ? Buffer.allocUnsafe(size) : nothing;
  const others: Uint8Array[] = [];
  let filled = 0;
  let length = 0;
  return {
    add: (piece) => {
      length += piece.length;
      if (length > room.length) others.push(piece);
      else {
        room.set(piece, filled);
        filled = length;
      }
    },
    length: () => length,
    bytes: () => {
      const start = room.subarray(0, filled);
      return others.length === 0 ? start : Buffer.concat([start, ...others], length);
    },
  };
};
