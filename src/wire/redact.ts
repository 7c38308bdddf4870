import { sudoName } from '../contract/conventions.js';
import { isHash, urlDecoded } from './forms.js';
import { mediaType, textOf, type HttpRequest } from './http.js';

/** Stands in place of a secret wherever it would be shown. */
export const hidden = '[redacted]';

const words = 'token|secret|password|passwd|passphrase|credential|authorization|cookie|api[-_]?key|private[-_]?key';

const secretName = new RegExp(`(${words})s?\\s*(\\[|$)`, 'i');
/** The name of a secret, anywhere in a text. */
export const secretWord = new RegExp(words, 'i');

/** Whether a parameter, field or option of this name holds a secret, with or without a bracket behind. */
export const isSecretName = (name: string): boolean => secretName.test(name);

/** Whether a text has the name of a secret in it. */
export const mentionsSecret = (text: string): boolean => secretWord.test(text);

/** Whether a parameter says who is calling (wire-facts 1.1): no link of a page has a say in that. */
export const isCredential = (name: string): boolean => mentionsSecret(name) || name.split('[', 1)[0] === sudoName;

/** Whether a header of this name holds a secret. */
export const isSecretHeader = (name: string): boolean => /auth/i.test(name) || mentionsSecret(name);

/** What stands before the host of an address; messages write `user:password` where a person puts their own. */
const userInfo = /\b([a-z][a-z\d+.-]{0,20}:\/\/)(?!user:password@)[^\s/?#"'`]*@/gi;

/** Tokens by their prefix (wire-facts 1.1.10 to 1.1.12), and JSON web tokens. */
const tokens = /\b(gl(pat|dt|oas|cbt|rt|rtr|ptt|ft|soat|agent|imt|ffct)-[\w.-]{6,}|eyJ[\w-]{8,}\.[\w-]+\.[\w-]*)/g;

/** `name=value`, as in a query, a field or an option. */
const pairs = new RegExp(`([\\w.%-]{0,60}(?:${words})s?(?:\\[[\\w.-]*\\]|%5B[\\w.-]*%5D)*=)`
  + `(?:\\\\?"[^"]*|'[^']*|[^\\s&"'\`]+)`, 'gi');

/** `Name: value` and `"name": value`; a single word before a colon is the prose of a message. */
const lines = new RegExp(`(\\\\?"(?:[\\w-]{0,60}(?:${words})s?)\\\\?"\\s*:\\s*\\\\?"?|(?:`
  + `\\b[\\w-]{0,60}[-_](?:${words})s?|\\bx-api-?key|\\bauthorization|\\bcookie)\\s*:\\s*)[^\\n"'\`]+`, 'gi');

/**
 * A text without the secrets in it, as far as they can be told by their form: for messages that repeat what a user
 * wrote. In doubt too much is hidden.
 * @param known values that are secrets, as the tokens in use are
 */
export const withoutSecrets = (text: string, known: Iterable<string> = []): string => withoutKnown(text, known)
  .replace(userInfo, `$1${hidden}@`).replace(tokens, hidden)
  .replace(pairs, `$1${hidden}`).replace(lines, `$1${hidden}`);

/** Shorter ones are words that stand in many a text. */
const shortest = 6;

/** A text without some values in it, as they are or encoded for an address. */
export const withoutKnown = (text: string, known: Iterable<string>): string => {
  let shown = text;
  for (const value of known) {
    if (value.length < shortest) continue;
    shown = shown.replaceAll(value, hidden).replaceAll(encodeURIComponent(value), hidden);
  }
  return shown;
};

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
