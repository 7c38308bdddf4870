import { mediaType, type HttpResponse } from '../wire/http.js';
import { unpacked } from './unpacked.js';

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
