import { mediaType, type HttpResponse } from '../wire/http.js';
import { unpacked } from './unpacked.js';

type Headers = Readonly<Record<string, string>>;

/** A body that is read once, as text in UTF-8 or as it is. */
interface Body { readonly text: () => Promise<string>; readonly bytes: () => Promise<Uint8Array> }

/** An answer once its body is there: unpacked, and as text where it is text. */
export const wholeAnswer = async (status: number, headers: Headers, body: Body): Promise<HttpResponse> => {
  const { 'content-encoding': encodings = '', ...others } = headers;
  const charset = charsetOf(headers);
  if (encodings === '' && (charset === null || charset === 'utf-8')) {
    return { status, headers, body: charset === null ? await body.bytes() : await body.text() };
  }
  const bytes = await unpacked(await body.bytes(), encodings);
  return { status, headers: others, body: charset === null ? bytes : textIn(bytes, charset) };
};

/** How a text is written; null for what is none. JSON is UTF-8, but not everything in front of a service knows. */
const charsetOf = (headers: Headers): string | null => {
  if (!/^text\/|json/.test(mediaType(headers))) return null;
  return /;\s*charset="?([^\s;"]+)/i.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase() ?? 'utf-8';
};

/** A charset nobody knows is taken for UTF-8. */
const textIn = (bytes: Uint8Array, charset: string): string => {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
};
