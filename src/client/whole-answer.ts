import { mediaType, type HttpResponse } from '../wire/http.js';
import { unpacked } from './unpacked.js';

type Headers = Readonly<Record<string, string>>;

/**
 * An answer once its body is there: unpacked, and as text where it is text.
 * @param pieces the body as it came
 */
export const wholeAnswer = async (
  status: number, headers: Headers, pieces: readonly Uint8Array[],
): Promise<HttpResponse> => {
  const { 'content-encoding': encodings = '', ...others } = headers;
  const charset = charsetOf(headers);
  const bytes = Buffer.concat(pieces);
  const whole = encodings === '' ? bytes : await unpacked(bytes, encodings);
  return { status, headers: others, body: charset === null ? new Uint8Array(whole) : textIn(whole, charset) };
};

/** How a text is written; null for what is none. JSON is UTF-8, but not everything in front of a service knows. */
const charsetOf = (headers: Headers): string | null => {
  if (!/^text\/|json/.test(mediaType(headers))) return null;
  return /;\s*charset="?([^\s;"]+)/i.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase() ?? 'utf-8';
};

/** A charset nobody knows is taken for UTF-8. */
const textIn = (bytes: Buffer, charset: string): string => {
  if (charset === 'utf-8') return withoutMark(bytes.toString());
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
};

/** Some put a mark before what is in UTF-8 anyway. */
const withoutMark = (text: string): string => text.startsWith('\ufeff') ? text.slice(1) : text;
