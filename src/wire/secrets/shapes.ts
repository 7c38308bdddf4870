import { redactedMark } from './known.js';

/**
 * Receives each secret that was found. One that is certain is a secret by its own form or place; others have the name
 * of one, and may be a word.
 */
export type OnSecret = (secret: string, isCertain: boolean) => void;

/** Of a secret in a text. */
export interface SecretRange {
  readonly start: number;
  readonly end: number;
  readonly isCertain: boolean;
  /** The secrets in what is replaced; by default all of it is one. */
  readonly read?: (text: string) => readonly string[];
}

/** Tokens of GitLab (behavior: tokens.job, tokens.prefixes), and of services that are used with it. */
const tokenForms = [
  'gl(?:pat|dt|oas|cbt|rt|rtr|ptt|ft|soat|agent|imt|ffct|wt)-[\\w.-]{6,}', 'GR1348941[\\w-]{8,}',
  'gh[opusr]_[A-Za-z\\d]{16,}', 'github_pat_\\w{16,}', 'A(?:KIA|SIA|BIA|CCA)[A-Z\\d]{12,}',
  'xox[a-z]-[\\w.-]{8,}', 'xapp-[\\w-]{8,}', 'AIza[\\w-]{30,}', 'ya29\\.[\\w-]{16,}', 'GOCSPX-[\\w-]{16,}',
  'npm_[A-Za-z\\d]{30,}', 'pypi-AgE[\\w-]{16,}', 'dckr_[a-z]+_[\\w-]{16,}', 'hf_[A-Za-z\\d]{30,}',
  'sk-(?=[\\w-]{0,60}\\d)(?:[a-z]{1,8}\\d{0,2}-){0,3}[A-Za-z\\d_]{16,}[\\w-]*', '[rsp]k_(?:live|test)_[A-Za-z\\d]{10,}',
  'SG\\.[\\w-]{16,}\\.[\\w-]{16,}', 'hv[sbr]\\.[\\w-]{20,}', 'gls?[ac]_[A-Za-z\\d_=+/-]{20,}', 'rubygems_[a-f\\d]{32,}',
  'shp(?:at|ss|ca|pa)_[a-f\\d]{16,}', 'do[opr]_v1_[a-f\\d]{32,}', 'AT[AC]TT3[\\w=-]{20,}', 'sntry[su]_[\\w=+/-]{20,}',
  'pul-[a-f\\d]{32,}', 'lin_api_[A-Za-z\\d]{20,}', 'AGE-SECRET-KEY-1[A-Z\\d]{20,}',
  '[A-Za-z\\d]{14}\\.atlasv1\\.[\\w-]{20,}', '\\d{8,10}:AA[\\w-]{30,}',
];

/** Letters and digits before are part of a longer word, unless they are those of an escape. */
const tokens = new RegExp('(?:(?<![A-Za-z\\d])|(?<=%[\\dA-Fa-f]{2})|(?<=\\\\[nrt]))'
  + `(?:${tokenForms.join('|')})`, 'g');

/** Most texts have none of their beginnings. */
const mayHaveToken = new RegExp('gl[a-z]+[-_]|GR13|gh[opusr]_|github_p|A(?:KIA|SIA|BIA|CCA)|xox|xapp|AIza|ya29|GOCS'
  + '|npm_|pypi-|dckr_|hf_|rubyg|sk-|k_(?:live|test)|SG\\.|hv[sbr]\\.|shp|_v1_|TT3|sntry|pul-|lin_a|AGE-|atlasv1|:AA');

/** Anywhere in a word. A word without the two points is skipped as a whole, in linear time. */
const webTokens = /(?<![\w-])(?=[\w-]+\.[\w-]+\.)([\w-]*?)(?:\b|(?<=%[\dA-Fa-f]{2}))eyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g;

const privateKeys = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!----))*/g;

/** Except for the placeholder `user:password` in messages, and the user of Git over SSH. */
const userInfo = /\b([a-z][a-z\d+.-]{0,20}:\/\/)(?!user:password@|git@)([^\s/?#"'`]*)@/gi;

const mayHaveUserInfo = /:\/\/[^\s/?#"'`]*@/;

/** The path opens what it leads to: webhooks of chats, links in mails. */
const secretPaths = new RegExp('((?:hooks\\.slack\\.com/(?:services|workflows|triggers)'
  + '|discord(?:app)?\\.com/api/webhooks/\\d+|\\.webhook\\.office\\.com/webhookb2|/sent_notifications'
  + '|/-/invites)/)[\\w/@-]{16,}', 'gi');

const mayHaveSecretPath = /hooks|notifications|invites/i;

export const mayHaveShape = (text: string): boolean => mayHaveToken.test(text) || text.includes('eyJ')
  || text.includes('PRIVATE KEY') || mayHaveSecretPath.test(text) || mayHaveUserInfo.test(text);

/** What is a secret whatever stands around it. */
export const shapesIn = (text: string): SecretRange[] => [
  ...mayHaveToken.test(text) ? rangesOf(tokens, text) : [],
  ...text.includes('eyJ') ? rangesOf(webTokens, text) : [],
  ...text.includes('PRIVATE KEY') ? rangesOf(privateKeys, text) : [],
  ...mayHaveSecretPath.test(text) ? rangesOf(secretPaths, text) : [],
  ...mayHaveUserInfo.test(text) ? [...text.matchAll(userInfo)].map((match) => {
    const start = match.index + match[1]!.length;
    return { start, end: start + match[2]!.length, isCertain: false, read: passwordsOf };
  }) : [],
];

/** Without what the first group has. */
const rangesOf = (pattern: RegExp, text: string): SecretRange[] => [...text.matchAll(pattern)].map((match) => ({
  start: match.index + (match[1]?.length ?? 0), end: match.index + match[0].length, isCertain: true,
}));

/** Of `user:password` as in URLs. Some services take a token in place of the user. */
export const passwordsOf = (userInfo: string): string[] => {
  const [user = '', ...rest] = userInfo.split(':');
  const password = rest.join(':');
  const parts = /^(?:x-oauth-basic|x-token-auth|)$/.test(password) ? [user] : [password];
  return [...new Set(parts.flatMap((part) => [part, decodedPart(part)]))];
};

/** As it is if it cannot be decoded. */
export const decodedPart = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** In order; those that overlap are one. */
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

/** Words, versions, dates and placeholders. Secrets have digits, or capital letters at odd places. */
export const isOrdinary = (value: string): boolean =>
  value.length < 6 || isPlaceholder(value) || isFormatted(value) || isWord(value);

const placeholder =
  /^(?:\[redacted\]|\$(?:[{(]|env:|[A-Z_][A-Z\d_]*$)|<[\w -]+>|\*+$|%[{(]|\{\{|\.{3}|[xX]{3,}$|(?:your|my)[-_])/;

export const isPlaceholder = (value: string): boolean => placeholder.test(value);

/** Numbers, versions, dates and mail addresses. */
export const isFormatted = (value: string): boolean =>
  /^v?\d+(?:\.\d+)+[\w.-]*$|^\d{4}-\d\d(?:-\d\d)?(?:[T ][\d:.+Z-]*)?$|^[\d:.,]{0,7}$/i.test(value)
  || /^[^\s@:]+@[^\s@:]+\.[a-z]+$/i.test(value);

/** No digits, and capital letters as in `nextToken`. */
export const isWord = (value: string): boolean => {
  if (/\d/.test(value) || /^(?:[a-z]{20,}|[A-Z]{20,})$/.test(value)) return false;
  const oddLetters = value.match(/[a-z][A-Z]|[A-Z]{2}[a-z]/g)?.length ?? 0;
  return !/^[A-Za-z+/=_-]{10,}$/.test(value) || oddLetters <= value.length / 5;
};
