import {
  bodyText, decodeForm, decodePercent, type HttpRequest, type HttpResponse, isParams, mediaType, splitTarget,
} from '../http.js';
import { jsonOrNull } from '../json.js';
import { redactedMark, redactKnown } from './known.js';
import { redactJson, redactString } from './json.js';
import {
  isSecretHeader, isSecretName, isSecretParameter, isSecretVariable, mentionsSecret, secretWord, secretWords,
} from './names.js';
import { headerSecrets, type OnSecret, replaceRanges, shapesIn } from './shapes.js';
import { createPairs, isPairName, isPairValue, mayHaveSecret, redactText } from './texts.js';

const pairs = new RegExp(`([\\w.%-]{0,60}(?:${secretWords})s?(?:\\[[\\w.-]*\\]|%5B[\\w.-]*%5D)*=)`
  + `(?:\\\\?"[^"]*|'[^']*|[^\\s&"'\`]+)`, 'gi');

/** A single word before a colon is normal text. */
const lines = new RegExp(`(\\\\?"(?:[\\w-]{0,60}(?:${secretWords})s?)\\\\?"\\s*:\\s*\\\\?"?|(?:`
  + `\\b[\\w-]{0,60}[-_](?:${secretWords})s?|\\bx-api-?key|\\bauthorization|\\bcookie)\\s*:\\s*)[^\\n"'\`]+`, 'gi');

const ignored: OnSecret = () => undefined;

/** For messages that repeat user input: in doubt, redacts too much. */
export const redactSecrets = (text: string, known: Iterable<string> = []): string =>
  redactText(redactKnown(text, known), { onSecret: ignored })
  .replace(pairs, `$1${redactedMark}`).replace(lines, `$1${redactedMark}`);

interface RedactedRequest {
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const redactRequest = ({ target, headers, body = '' }: HttpRequest, onSecret = ignored): RedactedRequest => ({
  target: redactTarget(target, onSecret),
  headers: redactHeaders(headers, onSecret),
  body: redactBody(bodyText(body), { type: mediaType(headers), variable: variableIn(target), onSecret }),
});

export const redactHeader = (name: string, value: string, onSecret = ignored): string => {
  if (value === redactedMark) return value;
  if (isSecretHeader(name)) {
    for (const secret of headerSecrets(name, value)) onSecret(secret, isCallerHeader.test(name));
    return redactedMark;
  }
  const text = redactText(value, { onSecret });
  // Clients follow the links of a recording.
  return name === 'link' ? text.split(/(?=>)/).map(redactLoose).join('') : redactLoose(text);
};

const isCallerHeader = /^(?:authorization|proxy-authorization|(?:private|job|deploy)-token)$/;

const redactHeaders = (headers: HttpRequest['headers'], onSecret: OnSecret): HttpRequest['headers'] =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redactHeader(name, value, onSecret)]));

export const redactResponse = (
  headers: HttpResponse['headers'], body: HttpResponse['body'] | null,
): { readonly headers: HttpResponse['headers']; readonly body: string | null } => {
  const type = mediaType(headers);
  const isText = body !== null && (body.length === 0 || /^text\/|json|xml/.test(type));
  return { headers: redactHeaders(headers, ignored), body: isText ? redactBody(bodyText(body), { type }) : null };
};

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
export const redactTarget = (target: string, onSecret = ignored): string => {
  const [path, query] = splitTarget(target);
  const named = path.split('/').map((part) => redactPart(part, onSecret)).join('/');
  return redactLoose(query === '' ? named + target.slice(path.length) : `${named}?${redactPairs(query, { onSecret })}`);
};

const redactLoose = (text: string): string => !text.includes('=') ? text : text.split('&').map((piece) => {
  const word = secretWord.exec(piece);
  const equals = word ? piece.indexOf('=', word.index) : -1;
  return equals < 0 ? piece : `${piece.slice(0, equals)}=${redactedMark}`;
}).join('&');

const redactPart = (part: string, onSecret: OnSecret): string => {
  const text = decodePercent(part);
  const changed = replaceRanges(text, shapesIn(text), onSecret);
  return changed === text ? part : encodeURIComponent(changed).replaceAll(encodedMark, redactedMark);
};

const encodedMark = encodeURIComponent(redactedMark);

/** The name of a variable whose value is always a secret counts as `token`. */
export const variableIn = (target: string): string | null => {
  const [, kind, name] = /\/(variables|url_variables|custom_headers)\/([^/?]+)/.exec(target) ?? [];
  return name === undefined ? null : kind === 'variables' ? decodePercent(name) : 'token';
};

interface BodyOptions {
  readonly type: string;
  readonly onSecret?: OnSecret;
  readonly variable?: string | null;
}

const strictTypes = new RegExp('[/+.-](?:yaml|xml|toml|graphql|x-java-properties|ini)$'
  + '|\\.(?:ya?ml|xml|toml|env|properties|ini|tfvars|graphql)$');

const mayHide = ['\\u', '%', '"masked', 'hidden"', '_variables"', '_headers"', '"base64"'];

/** What the text looks like counts for more than a media type that says little, or none. */
export const redactBody = (text: string, { type, onSecret = ignored, variable = null }: BodyOptions): string => {
  if (variable === null && !mayHaveSecret(text) && !mayHide.some((word) => text.includes(word))) return text;
  const kind = bodyKind(text, type);
  if (kind === 'form') return redactPairs(text, { onSecret, variable });
  if (kind === 'parts') return redactParts(text, { onSecret, variable });
  if (kind === 'text') return redactText(text, { onSecret, isStrict: strictTypes.test(type) });
  const redacted = redactJson(text, { onSecret, variable });
  return jsonOrNull(redacted) === null ? redactText(redacted, { onSecret }) : redacted;
};

const bodyKind = (text: string, type: string): 'form' | 'parts' | 'json' | 'text' => {
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type === 'multipart/form-data' || /^--\S+\r?\ncontent-disposition:/i.test(text)) return 'parts';
  const json = /[/+]json$/.test(type) ? /^\ufeff?\s*[[{"]/ : /^\s*(?:\{\s*"|\[\s*[{"[])/;
  if (json.test(text)) return 'json';
  return type === '' && /^[\w.%[\]-]+=[^\s&]*&/.test(text) ? 'form' : 'text';
};

interface FieldOptions { readonly onSecret: OnSecret; readonly variable?: string | null }

interface Field { readonly name: string; readonly value: string; readonly type?: string }

const redactFields = (fields: readonly Field[], { onSecret, variable = null }: FieldOptions): (string | null)[] => {
  const secrets = new Set(secretFields(fields, variable));
  return fields.map(({ value, type = '' }, at) => {
    if (value === redactedMark || (value === '' && secrets.has(at))) return null;
    if (secrets.has(at)) {
      onSecret(value, false);
      return redactedMark;
    }
    const changed = type === '' ? redactString(value, onSecret) : redactBody(value, { type, onSecret });
    return changed === value ? null : changed;
  });
};

/** `variables[][key]` and `variables[][value]` belong together. */
const secretFields = (fields: readonly Field[], variable: string | null): number[] => {
  const groups = new Map<string, ReturnType<typeof createPairs<number>>>();
  return fields.flatMap(({ name, value }, at) => {
    const [, group = '', key = name] = /^(.*)\[([^[\]]+)\](?:\[\])*$/.exec(name) ?? [];
    const pairsOfGroup = groups.get(group) ?? createPairs<number>();
    groups.set(group, pairsOfGroup);
    if (isSecretParameter(name) || isSecretParameter(key)) return [at];
    if (isPairName(key)) return pairsOfGroup.name(value);
    if (!isPairValue(key)) return [];
    return variable === null ? pairsOfGroup.value(at) : isSecretVariable(variable) ? [at] : [];
  });
};

const redactPairs = (text: string, options: FieldOptions): string => {
  const written = text.split('&');
  const fields = written.map((pair): Field => {
    const [name, value] = [...decodeForm(pair)][0] ?? ['', null];
    return { name, value: value ?? '' };
  });
  const redacted = redactFields(fields, options);
  return written.map((pair, at) => {
    const value = redacted[at];
    const equals = pair.indexOf('=');
    if (typeof value !== 'string' || equals < 0) return pair;
    return `${pair.slice(0, equals)}=${encodeURIComponent(value).replaceAll(encodedMark, redactedMark)}`;
  }).join('&');
};

/** A part is redacted if its header mentions a secret anywhere, whatever the quotes and escapes. */
const redactParts = (text: string, options: FieldOptions): string => {
  const line = /^--[^\r\n]+/m.exec(text)?.[0];
  if (line === undefined) return text;
  const parts = text.split(line).map(redactedPart);
  const redacted = redactFields(parts.map(({ header, content }) => ({
    name: nameIn(header), value: content, type: typeIn(header),
  })), options);
  return parts.map(({ before, content, end }, at) => before + (redacted[at] ?? content) + end).join(line);
};

const redactedPart = (part: string) => {
  const [before = part] = /^[^]*?\r?\n\r?\n/.exec(part) ?? [];
  const content = part.slice(before.length);
  const [end = ''] = /\r?\n$/.exec(content) ?? [];
  const header = before === part ? ''
    : before.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
      .replaceAll('\\', '');
  return { before, header, content: content.slice(0, content.length - end.length), end };
};

const nameIn = (header: string): string =>
  mentionsSecret(header) ? 'token' : /;\s*name="?([^"\r\n;]*)/i.exec(header)?.[1] ?? '';

/** The name of the file tells more than its type, which is often that of bytes. */
const typeIn = (header: string): string =>
  /;\s*filename="?[^"\r\n]*?(\.\w+)"?\s*(?:[\r\n;]|$)/i.exec(header)?.[1]?.toLowerCase()
  ?? /^content-type:\s*([^\s;]+)/im.exec(header)?.[1]?.toLowerCase() ?? '';
