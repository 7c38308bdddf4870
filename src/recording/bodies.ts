import { isUtf8 } from 'node:buffer';
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { mediaType, type HttpRequest } from '../wire/http.js';
import { redactBody, variableIn } from '../wire/secrets/redact.js';
import type { OnSecret } from '../wire/secrets/shapes.js';
import { bytesOf, recordedBody, type RecordedBody } from './exchange.js';

type Headers = HttpRequest['headers'];

/** Larger bodies stay compressed. In bytes. */
const maxOutputLength = 67_108_864;

/** Some programs send deflate without the zlib header; the first byte shows it. */
const inflateAny: Decompress = (bytes, options) =>
  (bytes[0]! & 0x0f) === 8 ? inflateSync(bytes, options) : inflateRawSync(bytes, options);

type Decompress = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Buffer;

const decompressors: ReadonlyMap<string, Decompress> = new Map<string, Decompress>([
  ['gzip', gunzipSync], ['x-gzip', gunzipSync], ['br', brotliDecompressSync], ['deflate', inflateAny],
]);

/** Without the content encodings of the headers. Null if it cannot be decompressed. */
export const decompressed = (headers: Headers, body: string | Uint8Array): string | Uint8Array | null => {
  const encodings = (headers['content-encoding'] ?? '').toLowerCase().split(',').map((each) => each.trim())
    .filter((each) => each !== '' && each !== 'identity').reverse();
  if (encodings.length === 0 || body.length === 0) return body;
  try {
    return encodings.reduce<Uint8Array>((bytes, each) => decompressors.get(each)!(bytes, { maxOutputLength }),
      typeof body === 'string' ? Buffer.from(body) : body);
  } catch {
    return null;
  }
};

/** As a recording has it, with its secrets: recordings have no content encodings. */
export const plainBody = ({ headers, body = '' }: Pick<HttpRequest, 'headers' | 'body'>): RecordedBody =>
  recordedBody(decompressed(headers, body) ?? body);

const textTypes = /^$|^text\/|json|xml|yaml|graphql|^multipart\/|urlencoded/;

/** What says how to read a body; a request has a target. */
interface MessageOf { readonly headers: Headers; readonly target?: string }

/** Text in another charset, and a form with a file, are read byte by byte, as Latin-1. Other bytes stay as they are. */
export const bodyWithoutSecrets = (
  body: RecordedBody, { headers, target = '' }: MessageOf, onSecret: OnSecret,
): RecordedBody => {
  if (body === '') return body;
  const type = mediaType(headers);
  const options = { type, variable: variableIn(target) };
  if (typeof body === 'string') return redactBody(body, { ...options, onSecret });
  if (!textTypes.test(type)) return body;
  const text = Buffer.from(bytesOf(body)).toString('latin1');
  const redacted = redactBody(text, {
    ...options, onSecret: (secret, isCertain) => { onSecret(fromLatin1(secret), isCertain); },
  });
  return redacted === text ? body : { base64: Buffer.from(redacted, 'latin1').toString('base64') };
};

const fromLatin1 = (text: string): string => {
  const bytes = Buffer.from(text, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : text;
};
