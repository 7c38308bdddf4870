import { isHash } from './brackets.js';
import { mediaType, textOf, type HttpRequest } from './http.js';
import { hidden, isSecretHeader, isSecretName, mentionsSecret, secretWord } from './secrets.js';
import { urlDecoded } from './url-encoded.js';

/** What can be shown of a request. */
export interface Shown {
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * A request without the secrets in it, wherever a token can travel: headers, query, form, JSON, multipart. Names are
 * read the way the service reads them, in any spelling; a body may be cut short. In doubt too much is hidden.
 */
export const redacted = ({ target, headers, body = '' }: HttpRequest): Shown => ({
  target: inTarget(target),
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) =>
    [name, isSecretHeader(name) ? hidden : inTarget(value)])),
  body: inBody(textOf(body), mediaType(headers)),
});

/** A value of JSON with each of its texts changed, names aside. */
export const withTexts = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => withTexts(item, change));
  if (!isHash(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withTexts(inner, change)]));
};

/** A value of JSON without the secrets in it. */
export const redactedValue = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(redactedValue);
  if (!isHash(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) =>
    [name, isSecretName(name) ? hidden : redactedValue(inner)]));
};

/** Also where the question mark is missing, or another sign separates the parameters: a typo shows no secret. */
const inTarget = (target: string): string => inPairs(target).split('&').map((piece) => {
  const word = secretWord.exec(piece);
  const equals = word ? piece.indexOf('=', word.index) : -1;
  return equals < 0 ? piece : `${piece.slice(0, equals)}=${hidden}`;
}).join('&');

const inPairs = (text: string): string => text.split('&').map((pair) => {
  const equals = pair.indexOf('=');
  return equals >= 0 && isSecretPart(pair.slice(0, equals)) ? `${pair.slice(0, equals)}=${hidden}` : pair;
}).join('&');

/** Decodes only names that have an escape: there may be thousands of names. */
const isSecretPart = (name: string): boolean =>
  mentionsSecret(name) || (name.includes('%') && [...urlDecoded(name)].some(([decoded]) => mentionsSecret(decoded)));

const inBody = (text: string, type: string): string => {
  if (type === 'application/x-www-form-urlencoded') return inPairs(text);
  if (type === 'multipart/form-data') return inParts(text);
  return type === 'application/json' ? inJson(text) : inParts(inPairs(inJson(text)));
};

/** A string of JSON, also one that is cut short, and the value that follows a key. */
const jsonString = /"(?:[^"\\]|\\.)*"?/gs;
const jsonValue = /\s*:\s*(?:"(?:[^"\\]|\\.)*"?|[[{].*|[^\s,}\]]+)/sy;

const inJson = (text: string): string => {
  const key = new RegExp(jsonString);
  const value = new RegExp(jsonValue);
  let shown = '';
  let at = 0;
  for (let found = key.exec(text); found; found = key.exec(text)) {
    value.lastIndex = key.lastIndex;
    if (!mentionsSecret(plain(found[0])) || !value.test(text)) continue;
    shown += `${text.slice(at, key.lastIndex)}:"${hidden}"`;
    at = key.lastIndex = value.lastIndex;
  }
  return shown + text.slice(at);
};

/** What a key says, its escapes read. */
const plain = (key: string): string => {
  try {
    return String(JSON.parse(key));
  } catch {
    return key.replaceAll('"', '');
  }
};

/** A part is hidden when its head speaks of a secret anywhere, whatever the quotes and escapes. */
const inParts = (text: string): string => text.split(/(?<=\r\n)(?=--)/).map((part) => {
  const end = part.indexOf('\r\n\r\n');
  const head = part.slice(0, Math.max(end, 0))
    .replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))).replaceAll('\\', '');
  return end >= 0 && mentionsSecret(head) ? `${part.slice(0, end + 4)}${hidden}\r\n` : part;
}).join('');
