import { decodePercent } from '../http.js';
import { redactedMark } from './known.js';

/** A secret is certain by its own form or place; others have the name of a secret, and may be a word. */
export type OnSecret = (secret: string, isCertain: boolean) => void;

export interface SecretRange {
  readonly start: number;
  readonly end: number;
  readonly isCertain: boolean;
  /** By default all that is replaced is one secret. */
  readonly read?: (text: string) => readonly string[];
}

/** behavior: tokens.job, tokens.prefixes */
const tokenForms = [
  'gl(?:pat|dt|oas|cbt|rt|rtr|ptt|ft|soat|agent|imt|ffct|wt)-[\\w.-]{6,}', 'GR1348941[\\w-]{8,}',
  'gh[opusr]_[A-Za-z\\d]{16,}', 'github_pat_\\w{16,}', 'A(?:KIA|SIA|BIA|CCA)[A-Z\\d]{12,}',
  'xox[a-z]-[\\w.-]{8,}', 'xapp-[\\w-]{8,}', 'AIza[\\w-]{30,}', 'ya29\\.[\\w-]{16,}', 'GOCSPX-[\\w-]{16,}',
  'npm_[A-Za-z\\d]{30,}', 'pypi-AgE[\\w-]{16,}', 'dckr_[a-z]+_[\\w-]{16,}', 'hf_[A-Za-z\\d]{30,}',
  'sk-(?=[\\w-]{0,60}\\d)(?:[a-z]{1,8}\\d{0,2}-){0,3}[A-Za-z\\d_]{16,}[\\w-]*', '[rsp]k_(?:live|test)_[A-Za-z\\d]{10,}',
  'SG\\.[\\w-]{16,}\\.[\\w-]{16,}', 'hv[sbr]\\.[\\w-]{20,}', 'gls?[ac]_[A-Za-z\\d_=+/-]{20,}', 'rubygems_[a-f\\d]{32,}',
  'shp(?:at|ss|ca|pa)_[a-f\\d]{16,}', 'do[opr]_v1_[a-f\\d]{32,}', 'AT[AC]TT3[\\w=-]{20,}', 'sntry[su]_[\\w=+/-]{20,}',
  'pul-[a-f\\d]{32,}', 'whsec_[\\w+/=]{16,}', 'figd_[\\w-]{20,}', 'dapi[a-f\\d]{24,}\\w*',
  'lin_api_[A-Za-z\\d]{20,}', 'AGE-SECRET-KEY-1[A-Z\\d]{20,}',
  '[A-Za-z\\d]{14}\\.atlasv1\\.[\\w-]{20,}', '\\d{8,10}:AA[\\w-]{30,}',
];

/** Letters and digits before are part of a longer word, unless they are those of an escape. */
const tokens = new RegExp('(?:(?<![A-Za-z\\d])|(?<=%[\\dA-Fa-f]{2})|(?<=\\\\[nrt]))'
  + `(?:${tokenForms.join('|')})`, 'g');

const mayHaveToken = new RegExp('gl[a-z]+[-_]|GR13|gh[opusr]_|github_p|A(?:KIA|SIA|BIA|CCA)|xox|xapp|AIza|ya29|GOCS'
  + '|npm_|pypi-|dckr_|hf_|rubyg|sk-|k_(?:live|test)|SG\\.|hv[sbr]\\.|shp|_v1_|TT3|sntry|pul-|whsec'
  + '|figd_|dapi|lin_a|AGE-|atlasv1|:AA');

/** A word without the two points is skipped as a whole, in linear time. */
const webTokens = /(?<![\w-])(?=[\w-]+\.[\w-]+\.)([\w-]*?)(?:\b|(?<=%[\dA-Fa-f]{2}))eyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g;

const privateKeys = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!----))*/g;

/** Except for the placeholder `user:password` in messages, and the user of Git over SSH. */
const userInfo = /\b([a-z][a-z\d+.-]{0,20}:\/\/)(?!user:password@|git@)([^\s/?#"'`]*)@/gi;

const mayHaveUserInfo = /:\/\/[^\s/?#"'`]*@/;

/** The path opens what it leads to: webhooks of chats, links in mails. */
const secretPaths = new RegExp('((?:hooks\\.slack\\.com/(?:services|workflows|triggers)'
  + '|discord(?:app)?\\.com/api/webhooks/\\d+|\\.webhook\\.office\\.com/webhookb2'
  + '|outlook\\.office(?:365)?\\.com/webhook|//[\\w.:-]{1,100}/hooks'
  + '|/sent_notifications|/-/invites)/)[\\w/@-]{16,}', 'gi');

const mayHaveSecretPath = /hook|notifications|invites/i;

/** Each with an expression that tells soon that a text has none. */
const shapes = [
  { hint: mayHaveToken, pattern: tokens }, { hint: /eyJ/, pattern: webTokens },
  { hint: /PRIVATE KEY/, pattern: privateKeys }, { hint: mayHaveSecretPath, pattern: secretPaths },
];

export const mayHaveShape = (text: string): boolean =>
  shapes.some(({ hint }) => hint.test(text)) || mayHaveUserInfo.test(text);

export const shapesIn = (text: string): SecretRange[] => [
  ...shapes.filter(({ hint }) => hint.test(text)).flatMap(({ pattern }) => [...text.matchAll(pattern)].map((match) => ({
    start: match.index + (match[1]?.length ?? 0), end: match.index + match[0].length, isCertain: true,
  }))),
  ...mayHaveUserInfo.test(text) ? [...text.matchAll(userInfo)].map((match) => {
    const start = match.index + match[1]!.length;
    return { start, end: start + match[2]!.length, isCertain: false, read: passwordsIn };
  }) : [],
];

/** Some services take a token instead of the user. */
export const passwordsIn = (userInfo: string): string[] => {
  const [user = '', ...rest] = userInfo.split(':');
  const password = rest.join(':');
  const parts = /^(?:x-oauth-basic|x-token-auth|)$/.test(password) ? [user] : [password];
  return [...new Set(parts.flatMap((part) => [part, decodePercent(part)]))];
};

export const replaceRanges = (text: string, ranges: readonly SecretRange[], onSecret: OnSecret): string => {
  let [done, at] = ['', 0];
  for (const { start, end, isCertain, read } of ranges.toSorted((a, b) => a.start - b.start)) {
    const secret = text.slice(start, end);
    if (secret === redactedMark || secret === '') continue;
    if (!secret.includes(redactedMark)) for (const one of read?.(secret) ?? [secret]) onSecret(one, isCertain);
    if (start >= at) done += text.slice(at, start) + redactedMark;
    at = Math.max(at, end);
  }
  return done + text.slice(at);
};

/** Secrets have digits, or capital letters at odd places. */
export const isOrdinary = (value: string): boolean =>
  value.length < 6 || isPlaceholder(value) || isFormatted(value) || isWord(value);

const placeholder =
  /^(?:\[redacted\]|\$(?:[{(]|env:|[A-Z_][A-Z\d_]*$)|<[\w -]+>|\*+$|%[{(]|\{\{|\.{3}|[xX]{3,}$|(?:your|my)[-_])/;

export const isPlaceholder = (value: string): boolean => placeholder.test(value);

export const isFormatted = (value: string): boolean =>
  /^v?\d+\.\d[\w.-]*$|^\d{4}-\d\d(?:-\d\d)?(?:[T ][\d:.+Z-]*)?$|^[\d:.,]{0,7}$/i.test(value)
  || /^[^\s@:]+@[^\s@:]+\.[a-z]+$/i.test(value);

export const isWord = (value: string): boolean => {
  if (/\d/.test(value) || /^(?:[a-z]{20,}|[A-Z]{20,})$/.test(value)) return false;
  const oddLetters = value.match(/[a-z][A-Z]|[A-Z]{2}[a-z]/g)?.length ?? 0;
  return !/^[A-Za-z+/=_-]{10,}$/.test(value) || oddLetters <= value.length / 5;
};

export interface SecretValue extends SecretRange {
  readonly isStrong: boolean;
}

interface ValuePlace {
  readonly name: string;
  readonly isPaired: boolean;
  readonly isStrict: boolean;
  readonly isQuery: boolean;
  readonly isEncoded: boolean;
  readonly isQuoted: boolean;
  readonly isColon: boolean;
}

interface Range { readonly start: number; readonly end: number }

/** Names and values of pairs are often no secrets, and are read to their end only if they are. */
export const longestPaired = 100;

const quote = '\\\\*["\'`]|%22|%27|&quot;|&#3[49];';
const opening = new RegExp(`\\s{0,40}(${quote})`, 'y');

const inUrl = /((?:[^\s&"'`<>\\#);]|;(?![\w. -]{0,60}=|\s|$))+)/y;
const inEncodedUrl = /((?:(?!%26|%22|%23|%7D|%2C|%20|%0A)[^\s&"'`<>\\])+)/yi;

/** A separator ends it only before another name. Markdown puts stars around names. */
const wordSource = '[ \\t*]{0,8}((?:[^\\s&"\'`<>\\\\;,|]|[&;,](?![\\w. -]{0,60}[=:]|\\s|$))';
const word = new RegExp(`${wordSource}+)`, 'y');
const shortWord = new RegExp(`${wordSource}{1,${longestPaired}})`, 'y');

const restOfLine = /[ \t]*([^\n\r"'`\\]+)/y;
const shortRest = new RegExp(`[ \\t]*([^\\n\\r"'\`\\\\]{1,${longestPaired}})`, 'y');
const block = /[ \t]*[|>][+-]?\d?[ \t]*\r?\n((?:[ \t]+\S[^\n]*(?:\n|$)|[ \t]*\r?\n){1,400})/y;
const list = /[ \t]*\r?\n((?:[ \t]*- [^\n]*(?:\n|$)){1,400})/y;
const flowValue = /[ \t]*([^\s,{}"'`][^\n\r,{}]*)/y;
const firstCookie = /[ \t]*[\w.-]{1,200}=/y;

export const valueAt = (text: string, at: number, place: ValuePlace): SecretValue | null => {
  const { name, isPaired, isStrict, isQuery, isEncoded, isQuoted, isColon } = place;
  if (/authorization$/i.test(name)) return authorizationAt(text, at);
  if (isColon && /cookie$/i.test(name) && matchAt(firstCookie, text, at) !== null) {
    return { ...groupAt(restOfLine, text, at)!, isStrong: true, isCertain: false, read: cookieValues };
  }
  const quotes = quotedAt(text, at);
  if (quotes !== null) return { ...quotes, isStrong: isStrict || isQuoted, isCertain: false };
  const isYaml = isStrict && isColon;
  if (isPaired) return weak(isYaml ? pairedYamlAt(text, at) : groupAt(shortWord, text, at));
  if (isQuery || isEncoded) {
    const range = groupAt(isEncoded ? inEncodedUrl : inUrl, text, at);
    return range && { ...withoutPunctuation(text, range), isStrong: isQuery, isCertain: false, read: asDecoded };
  }
  return isYaml ? weak(yamlValueAt(text, at)) : wordAt(text, at, place);
};

const wordAt = (text: string, at: number, { name, isStrict, isColon }: ValuePlace): SecretValue | null => {
  const range = groupAt(word, text, at);
  if (range === null || isStrict) return weak(range);
  const isStrong = isColon && /^(?:private|job|deploy)-token$/i.test(name);
  return { ...withoutPunctuation(text, range), isStrong, isCertain: false };
};

const weak = (range: Range | null): SecretValue | null => range && { ...range, isStrong: false, isCertain: false };

const oneScheme = /[ \t]*((?:bearer|basic|token|negotiate|apikey|ssws|jwt)[ \t]+)([^\s"'`\\,;]+)/yi;
const manyParts = /[ \t]*((?:digest|aws4-[\w-]+|hawk|oauth|signature|token|googlelogin)[ \t]+\w+=[^\n\r`'\\]+)/yi;

/** A scheme with a word and nothing after it is a header, not prose. */
const authorizationAt = (text: string, at: number): SecretValue | null => {
  const begin = at + (matchAt(/[ \t]*\\*["']/y, text, at)?.[0].length ?? 0);
  const many = groupAt(manyParts, text, begin);
  if (many !== null) return { ...many, isStrong: true, isCertain: false, read: credentialsIn };
  const one = groupAt(oneScheme, text, begin, 2);
  if (one === null) {
    const single = groupAt(word, text, begin);
    return single && weak(withoutPunctuation(text, single));
  }
  const isStrong = /^(?:$|["'`\\\r\n])/.test(text.slice(one.end, one.end + 1));
  const isBasic = /basic/i.test(text.slice(begin, one.start));
  return { ...one, isStrong, isCertain: false, ...isBasic && { read: basicParts } };
};

const yamlValueAt = (text: string, at: number): Range & Pick<SecretValue, 'read'> | null => {
  const lines = groupAt(block, text, at) ?? groupAt(list, text, at);
  if (lines !== null) return { ...trimmed(text, lines), read: unquotedLines };
  const before = text.slice(Math.max(0, at - 1_000), at);
  const isFlow = before.lastIndexOf('{') > before.lastIndexOf('\n');
  const range = groupAt(isFlow ? flowValue : restOfLine, text, at);
  return range && trimmed(text, range);
};

const pairedYamlAt = (text: string, at: number): Range | null => {
  const range = groupAt(block, text, at) ?? groupAt(shortRest, text, at);
  return range && trimmed(text, range);
};

const trimmed = (text: string, { start, end }: Range): Range => {
  const value = text.slice(start, end).replace(/(?<![ \t])[ \t]+#[^\n]*$/, '').trimEnd();
  return { start: start + value.length - value.trimStart().length, end: start + value.length };
};

const unquotedLines = (lines: string): string[] =>
  lines.split('\n').map((line) => line.replace(/^\s*(?:- )?\s*["']?|["']\s*$|(?<!\s)\s+$/g, ''));

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at;
  return pattern.exec(text);
};

const groupAt = (pattern: RegExp, text: string, at: number, group = 1): Range | null => {
  const match = matchAt(pattern, text, at);
  return match && { start: at + match[0].length - match[group]!.length, end: at + match[0].length };
};

const withoutPunctuation = (text: string, { start, end }: Range): Range =>
  ({ start, end: start + text.slice(start, end).replace(/(?<![.,;:!?)\]}*])[.,;:!?)\]}*]+$/, '').length });

/** A double quote that does not end was cut; another one is an apostrophe. */
const quotedAt = (text: string, at: number): Range | null => {
  const opened = matchAt(opening, text, at);
  if (opened === null) return null;
  const mark = opened[1]!;
  const start = at + opened[0].length;
  let end = text.indexOf(mark, start);
  while (mark.length === 1 && end > 0 && isEscaped(text, end)) end = text.indexOf(mark, end + 1);
  if (/["2;]$/.test(mark)) return { start, end: end < 0 ? text.length : end };
  return end < 0 || text.slice(start, end).includes('\n') ? null : { start, end };
};

const isEscaped = (text: string, at: number): boolean => {
  let before = at;
  while (text[before - 1] === '\\') before--;
  return (at - before) % 2 === 1;
};

const asDecoded = (value: string): string[] => [...new Set([value, decodePercent(value.replaceAll('+', ' '))])];

export const isUserAndPassword = (value: string): boolean =>
  /^[\x20-9;-\x7e]*:[^\p{Cc}\ufffd]*$/u.test(Buffer.from(value, 'base64').toString());

export const basicParts = (value: string): string[] =>
  [value, ...passwordsIn(Buffer.from(value, 'base64').toString())];

const cookieAttributes = /^(?:path|domain|expires|max-age|samesite|priority)$/i;

const cookieValues = (cookies: string): string[] =>
  [...cookies.matchAll(/(?:^|[;,\n])[ \t]{0,8}([^=;,\s]+)=([^;,\s]*)/g)]
    .filter(([, name]) => !cookieAttributes.test(name!)).flatMap(([, , value]) => asDecoded(value!));

const publicParts = /^(?:realm|username|email|user|uri|algorithm|signedheaders|qop|nc|opaque)$/i;

export const credentialsIn = (value: string): string[] => {
  const [, name = '', rest = value] = /^([A-Za-z][\w-]*)[ \t]+(.*)$/s.exec(value) ?? [];
  if (/^basic$/i.test(name)) return basicParts(rest);
  const parts = [...rest.matchAll(/(?<![\w-])([\w-]{1,80})=(?:"([^"]*)"|([^\s,;"=]+)(?![^\s,;]))/g)];
  const secrets = parts.filter(([, part]) => !publicParts.test(part!));
  return secrets.length > 0 ? secrets.map(([, , quoted, bare]) => quoted ?? bare!) : [rest];
};

/** The challenge of a service has no secret. */
export const headerSecrets = (name: string, value: string): string[] =>
  /^(?:set-)?cookie$/.test(name) ? cookieValues(value) : name.endsWith('-authenticate') ? [] : credentialsIn(value);

/** Prose has words there, as in `Bearer tokens`. */
export const isAfterScheme = (scheme: string, value: string): boolean =>
  !isOrdinary(value) && (scheme !== 'token' || value.length >= 16);
