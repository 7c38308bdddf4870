import { isUtf8 } from 'node:buffer';
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { literalPattern } from '../text/quoting.js';
import { type HttpRequest, mediaType } from '../wire/http.js';
import { createKnownMask } from '../wire/secrets/known.js';
import { redactBody, variableIn } from '../wire/secrets/redact.js';
import { credentialsIn, isFormatted, isPlaceholder, isWord, type OnSecret } from '../wire/secrets/shapes.js';
import { recordedBytes, recordedBody, type RecordedBody } from './exchange.js';

type Headers = HttpRequest['headers'];

/** Larger bodies stay compressed. */
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

/** Reads and writes byte by byte, as Latin-1. */
const changedBytes = (body: RecordedBody, change: (text: string) => string): RecordedBody => {
  const text = Buffer.from(recordedBytes(body)).toString('latin1');
  const changed = change(text);
  return changed === text ? body : { base64: Buffer.from(changed, 'latin1').toString('base64') };
};

/** Text in another charset, and a form with a file, are read byte by byte, as Latin-1. Other bytes stay as they are. */
export const bodyWithoutSecrets = (
  body: RecordedBody, { headers, target = '' }: Pick<HttpRequest, 'headers'> & { readonly target?: string },
  onSecret: OnSecret,
): RecordedBody => {
  if (body === '') return body;
  const type = mediaType(headers);
  const options = { type, variable: variableIn(target) };
  if (typeof body === 'string') return redactBody(body, { ...options, onSecret });
  if (!textTypes.test(type)) return body;
  return changedBytes(body, (text) => redactBody(text, {
    ...options, onSecret: (secret, isCertain) => { onSecret(fromLatin1(secret), isCertain); },
  }));
};

const fromLatin1 = (text: string): string => {
  const bytes = Buffer.from(text, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : text;
};

/** Shorter values are words that occur in many texts. */
const shortest = { certain: 6, word: 12 };

const withoutScheme = (secret: string): readonly string[] =>
  /^(?:bearer|basic|token|digest|apikey)[ \t]/i.test(secret) ? credentialsIn(secret) : [];

export const createCredentialMask = () => {
  const known = new Set<string>();
  const { mask, add } = createKnownMask();
  const learn: OnSecret = (secret, isCertain) => {
    for (const one of [secret, ...withoutScheme(secret)]) {
      const isCommon = !isCertain && (isFormatted(one) || (isWord(one) && one.length < shortest.word));
      if (one.length < shortest.certain || isCommon || isPlaceholder(one)) continue;
      known.add(one);
      add(one);
    }
  };
  return {
    learn,
    hide: mask,
    /** Bytes that are not text change only if they have one. */
    hideInBody: (body: RecordedBody): RecordedBody =>
      typeof body === 'string' ? mask(body) : changedBytes(body, mask),
    get size() { return known.size; },
  };
};

/**
 * Changes the text of a form that has a file, which keeps its bytes. Other bodies stay as they are.
 * @param type of the body @param change of the content of each field
 */
export const changeFields = (type: string, body: RecordedBody, change: (text: string) => string): RecordedBody => {
  if (type !== 'multipart/form-data') return body;
  const form = Buffer.from(recordedBytes(body)).toString('latin1');
  const line = /^--[^\r\n]+/.exec(form)?.[0];
  if (line === undefined) return body;
  const parts = form.split(line).map((part) => {
    const end = part.indexOf('\r\n\r\n') + 4;
    const content = Buffer.from(part.slice(end), 'latin1');
    if (end < 4 || /;\s*filename/i.test(part.slice(0, end)) || !isUtf8(content)) return part;
    return part.slice(0, end) + Buffer.from(change(content.toString())).toString('latin1');
  });
  return { base64: Buffer.from(parts.join(line), 'latin1').toString('base64') };
};

/** It belongs to one connection, or describes how a body was transferred. */
export const isOfConnection = (name: string): boolean =>
  ofConnection.has(name) || name.startsWith('proxy-');

export const endToEndHeaders = (headers: Headers, change = (value: string): string => value): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !isOfConnection(name))
    .map(([name, value]) => [name, change(value)]));

const ofConnection: ReadonlySet<string> = new Set([
  'host', 'connection', 'keep-alive', 'transfer-encoding', 'te', 'trailer', 'upgrade', 'expect', 'content-length',
  'content-encoding', 'accept-encoding',
]);

/** It says where a request came from, or carries a session. */
export const isPersonal = (name: string): boolean =>
  /^(?:cookie|set-cookie|forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|cf-.*)$/.test(name);

/** Replaces the base URL of one service by that of another wherever a text has it. */
export type ReplaceAddress = (text: string) => string;

/**
 * In plain text, in JSON with escaped slashes, and percent-encoded. `http` and `https` are the same here: a service
 * behind a proxy often names itself with the other one. Base URLs have no trailing slash.
 */
export const replaceAddress = (from: string, to: string): ReplaceAddress => {
  const { host, pathname } = new URL(from);
  const place = host + pathname.replace(/\/$/, '');
  const end = '(?![\\w-]|\\.\\w|:\\d|%3A\\d)';
  const forms = [
    { form: `https?://${literalPattern(place)}`, by: to },
    { form: `https?:\\\\/\\\\/${literalPattern(place.replaceAll('/', '\\/'))}`, by: to.replaceAll('/', '\\/') },
    { form: `https?%3A%2F%2F${literalPattern(encodeURIComponent(place))}`, by: encodeURIComponent(to) },
  ].map(({ form, by }) => ({ pattern: new RegExp(form + end, 'gi'), by }));
  const name = host.replace(/:\d+$/, '').toLowerCase();
  return (text) => {
    if (!text.toLowerCase().includes(name)) return text;
    return forms.reduce((done, { pattern, by }) => done.replace(pattern, () => by), text);
  };
};
