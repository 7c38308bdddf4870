import { sudoName } from '../contract/conventions.js';
import { decodeForm, isParams } from './forms.js';
import { mediaType, textOf, type HttpRequest, type HttpResponse } from './http.js';
import { maskOf } from './secret-forms.js';

/** In all output. */
export const redactedMark = '[redacted]';

const words = 'token|secret|password|passwd|passphrase|credential|authorization|cookie|api[-_]?key|private[-_]?key';

const secretName = new RegExp(`(${words})s?\\s*(\\[|$)`, 'i');

/** Anywhere in a text. */
const secretWord = new RegExp(words, 'i');

/** With or without brackets. */
export const isSecretName = (name: string): boolean => secretName.test(name);

export const mentionsSecret = (text: string): boolean => secretWord.test(text);

/** It authenticates the caller (behavior: tokens.parameter, tokens.oauth-parameter); paging links leave it out. */
export const isCredential = (name: string): boolean => mentionsSecret(name) || name.split('[', 1)[0] === sudoName;

export const isSecretHeader = (name: string): boolean => /auth/i.test(name) || mentionsSecret(name);

/** Except for the placeholder `user:password` in messages. */
const userInfo = /\b([a-z][a-z\d+.-]{0,20}:\/\/)(?!user:password@)[^\s/?#"'`]*@/gi;

const anyUserInfo = /:\/\/[^\s/?#"'`]*@/;

/** By their prefix (behavior: tokens.job, tokens.prefixes). */
const tokens = /\bgl(pat|dt|oas|cbt|rt|rtr|ptt|ft|soat|agent|imt|ffct)-[\w.-]{6,}/g;

/** Anywhere in a word. A word without the two points is skipped as a whole, in linear time. */
const webTokens = /(?<![\w-])(?=[\w-]+\.[\w-]+\.)([\w-]*?)\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g;

/** `name=value`, as in a query, a field or an option. */
const pairs = new RegExp(`([\\w.%-]{0,60}(?:${words})s?(?:\\[[\\w.-]*\\]|%5B[\\w.-]*%5D)*=)`
  + `(?:\\\\?"[^"]*|'[^']*|[^\\s&"'\`]+)`, 'gi');

/** `Name: value` and `"name": value`; a single word before a colon is normal text. */
const lines = new RegExp(`(\\\\?"(?:[\\w-]{0,60}(?:${words})s?)\\\\?"\\s*:\\s*\\\\?"?|(?:`
  + `\\b[\\w-]{0,60}[-_](?:${words})s?|\\bx-api-?key|\\bauthorization|\\bcookie)\\s*:\\s*)[^\\n"'\`]+`, 'gi');

/** By their form, for messages that repeat user input. In doubt, redacts too much. @param known the tokens in use */
export const redactSecrets = (text: string, known: Iterable<string> = []): string =>
  redactTokens(redactKnown(text, known))
  .replace(pairs, `$1${redactedMark}`).replace(lines, `$1${redactedMark}`);

/** What is a token or a password whatever stands around it. Most texts have none, which a plain search tells. */
export const redactTokens = (text: string): string => {
  const withoutUsers = anyUserInfo.test(text) ? text.replace(userInfo, `$1${redactedMark}@`) : text;
  const withoutTokens = withoutUsers.replace(tokens, redactedMark);
  return withoutTokens.includes('eyJ') ? withoutTokens.replace(webTokens, `$1${redactedMark}`) : withoutTokens;
};

/** Shorter values are not redacted: they are words that occur in many texts. */
const minKnownLength = 6;

/** Hides values in all forms in which programs print them. For many texts: what it searches for is compiled once. */
export const maskOfKnown = (known: Iterable<string>): ((text: string) => string) =>
  maskOf([...known], { shortest: minKnownLength, mark: redactedMark });

export const redactKnown = (text: string, known: Iterable<string>): string => maskOfKnown(known)(text);

interface RedactedRequest {
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Names are decoded as by the service; a body can be truncated. When in doubt, redacts too much. */
export const redactRequest = ({ target, headers, body = '' }: HttpRequest): RedactedRequest => ({
  target: redactTarget(target),
  headers: redactHeaders(headers),
  body: redactBody(textOf(body), mediaType(headers)),
});

/** The value of a header, whose name is in lower case. */
export const redactHeader = (name: string, value: string): string => {
  if (isSecretHeader(name)) return redactedMark;
  return name === 'link' ? redactLinks(value) : redactTarget(value);
};

const redactHeaders = (headers: HttpRequest['headers']): HttpRequest['headers'] =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redactHeader(name, value)]));

/** Clients follow what a recording has. */
const redactLinks = (text: string): string => text.split(/(?=>)/).map(redactTarget).join('');

/** Null for a body that is missing or is not text. */
export const redactResponse = (
  headers: HttpResponse['headers'], body: HttpResponse['body'] | null,
): { readonly headers: HttpResponse['headers']; readonly body: string | null } => {
  const type = mediaType(headers);
  const isText = body !== null && (body.length === 0 || /^text\/|json|xml/.test(type));
  return { headers: redactHeaders(headers), body: isText ? redactBody(textOf(body), type) : null };
};

/** Except for names. */
export const mapTexts = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (!isParams(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapTexts(inner, change)]));
};

export const redactValue = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(redactValue);
  if (!isParams(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) =>
    [name, isSecretName(name) ? redactedMark : redactValue(inner)]));
};

/** Also parameters after a missing question mark or another separator: a typo reveals no secret. */
export const redactTarget = (target: string): string => redactPairs(target).split('&').map((piece) => {
  const word = secretWord.exec(piece);
  const equals = word ? piece.indexOf('=', word.index) : -1;
  return equals < 0 ? piece : `${piece.slice(0, equals)}=${redactedMark}`;
}).join('&');

const redactPairs = (text: string): string => text.split('&').map((pair) => {
  const equals = pair.indexOf('=');
  return equals >= 0 && isSecretPart(pair.slice(0, equals)) ? `${pair.slice(0, equals)}=${redactedMark}` : pair;
}).join('&');

/** Decodes only names with an escape: there can be thousands of names. */
const isSecretPart = (name: string): boolean =>
  mentionsSecret(name) || (name.includes('%') && [...decodeForm(name)].some(([decoded]) => mentionsSecret(decoded)));

const redactBody = (text: string, type: string): string => {
  if (type === 'application/x-www-form-urlencoded') return redactPairs(text);
  if (type === 'multipart/form-data') return redactParts(text);
  return type === 'application/json' ? redactJson(text) : redactParts(redactPairs(redactJson(text)));
};

/** The string may be truncated. */
const jsonString = /"(?:[^"\\]|\\.)*"?/gs;
const jsonValue = /\s*:\s*(?:"(?:[^"\\]|\\.)*"?|[[{].*|[^\s,}\]]+)/sy;

const redactJson = (text: string): string => {
  if (!mentionsSecret(text) && !text.includes('\\u')) return text;
  const key = new RegExp(jsonString);
  const value = new RegExp(jsonValue);
  let redacted = '';
  let at = 0;
  for (let match = key.exec(text); match; match = key.exec(text)) {
    value.lastIndex = key.lastIndex;
    const name = match[0].includes('\\') ? decodeKey(match[0]) : match[0];
    if (!mentionsSecret(name) || !value.test(text)) continue;
    redacted += `${text.slice(at, key.lastIndex)}:"${redactedMark}"`;
    at = key.lastIndex = value.lastIndex;
  }
  return redacted + text.slice(at);
};

/** Without its escapes. */
const decodeKey = (key: string): string => {
  try {
    return String(JSON.parse(key));
  } catch {
    return key.replaceAll('"', '');
  }
};

/** A part is redacted if its header mentions a secret anywhere, whatever the quotes and escapes. */
const redactParts = (text: string): string => text.split(/(?<=\r\n)(?=--)/).map((part) => {
  const end = part.indexOf('\r\n\r\n');
  const header = part.slice(0, Math.max(end, 0))
    .replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))).replaceAll('\\', '');
  return end >= 0 && mentionsSecret(header) ? `${part.slice(0, end + 4)}${redactedMark}\r\n` : part;
}).join('');
