import { decodeForm } from '../wire/forms.js';
import { isRead, mediaType, splitTarget } from '../wire/http.js';
import { isObject } from '../wire/json.js';
import { redactTarget } from '../wire/secrets/redact.js';
import { redactedMark } from '../wire/secrets/known.js';
import { isCredential } from '../wire/secrets/names.js';
import { bodyWithoutSecrets } from './bodies.js';
import { bytesOf, type RecordedBody } from './exchange.js';

interface KeyedRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: RecordedBody;
}

/**
 * What makes two requests the same: the method, the path, the query in any order, and of a change the body: JSON and
 * forms in any order, forms with files whatever their boundary. Tokens do not count, nor the random ids of markers.
 * Other secrets are redacted, as recordings of earlier versions have some of them.
 */
export const requestKey = ({ method, target, headers, body }: KeyedRequest): string => {
  const [path, query] = splitTarget(redactTarget(target));
  const redacted = isRead({ method }) ? '' : bodyWithoutSecrets(body, { headers, target }, () => undefined);
  const own = redacted === '' ? '' : bodyKey(headers, redacted);
  return `${method === 'HEAD' ? 'GET' : method} ${pathKey(path)}?${pairsKey(query)}\n${own}`;
};

/** Without the body. */
export const targetKey = (key: string): string => key.slice(0, key.indexOf('\n'));

/** Whether a key of a recording is that of a request, which has any word in place of a redacted secret. */
export const isKeyOf = (recorded: string, key: string): boolean => {
  const [first = '', ...parts] = recorded.split(redactedMark);
  const last = parts.at(-1) ?? '';
  if (!key.startsWith(first) || !key.endsWith(last)) return false;
  let at = first.length;
  for (const [i, part] of parts.entries()) {
    const next = i === parts.length - 1 ? key.length - last.length : key.indexOf(part, at + 1);
    if (next <= at || /[\s"]/.test(key.slice(at, next))) return false;
    at = next + part.length;
  }
  return at === key.length;
};

/** Decoded, apart from the slashes within a part. */
const pathKey = (path: string): string => path.split('/').map((part) => decoded(part).replaceAll('/', '%2F')).join('/');

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

const pairsKey = (text: string): string => [...decodeForm(text)].filter(([name]) => !isCredential(name))
  .map(([name, value]) => `${name}=${value ?? ''}`.replaceAll('&', '%26')).sort().join('&');

const bodyKey = (headers: KeyedRequest['headers'], body: RecordedBody): string => {
  const type = mediaType(headers);
  const text = withoutMarkerIds(typeof body === 'string' ? body : Buffer.from(bytesOf(body)).toString('latin1'));
  if (type === 'application/x-www-form-urlencoded') return pairsKey(text);
  if (type === 'multipart/form-data') return withoutBoundary(text);
  return /[/+]json$/.test(type) ? jsonKey(text) : text;
};

const jsonKey = (text: string): string => {
  try {
    return JSON.stringify(sorted(JSON.parse(text)));
  } catch {
    return text;
  }
};

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !isCredential(name))
    .sort(([a], [b]) => a < b ? -1 : 1).map(([name, inner]) => [name, sorted(inner)]));
};

const withoutBoundary = (text: string): string => {
  const boundary = /^--([^\r\n]+)/.exec(text)?.[1];
  return boundary === undefined ? text : text.replaceAll(boundary, 'boundary');
};

/** A note without a key has a random id in its marker. */
const withoutMarkerIds = (text: string): string =>
  text.includes('colloquy:') ? text.replace(/(colloquy:(?:[a-z]+=[^ ]* )*id=)[\w-]+/g, '$1') : text;
