import { redactedMark } from './known.js';
import { isSecretKey, isSecretParameter, isSecretVariable } from './names.js';
import {
  basicParts, isAfterScheme, isOrdinary, isPlaceholder, isUserAndPassword, longestPaired, mayHaveShape,
  type OnSecret, passwordsIn, replaceRanges, type SecretRange, type SecretValue, shapesIn, valueAt,
} from './shapes.js';

interface TextOptions {
  readonly onSecret: OnSecret;
  /** In YAML or XML what has the name of a secret is one; in prose it must also look like one. */
  readonly isStrict?: boolean;
}

export const redactText = (text: string, { onSecret, isStrict = false }: TextOptions): string => {
  const ranges = [...shapesIn(text), ...mayName(text) ? namedIn(text, isStrict) : []];
  return ranges.length === 0 ? text : replaceRanges(text, ranges, onSecret);
};

export const mayHaveSecret = (text: string): boolean => mayName(text) || mayHaveShape(text);

/**
 * Expressions of words of the same length take half the time of one with all words, as the search can skip characters.
 */
const triggers: readonly RegExp[] = [
  /token|secret|passw|passp|passc|credential|cookie|bearer|basic|verifier|_code|assertion|saml_?re|netrc|htpasswd/,
  /auth(?!or(?!iz))|sess|pass|cred|csrf|xsrf|hmac|kube_?config|crumb|docker/, /jwt|key|pwd|otp|psk|mfa|tfa/,
  /(?:^|[^a-z])(?:pats?|sid|pw|pem)[^a-z]/, /[^a-z](?:sig(?:nature)?|code|ticket|sas|hdn(?:ea|ts))(?:=|%3d)/,
  /-u|-p |--user/,
];

const mayName = (text: string): boolean => {
  const lower = text.toLowerCase();
  return triggers.some((one) => one.test(lower));
};

const namedIn = (text: string, isStrict: boolean): SecretRange[] => {
  const named = [...assignments(text, isStrict), ...text.includes('<') ? elements(text, isStrict) : []];
  return [
    ...named.filter((one) => one.kind === 'secret' && isHidden(one, isStrict)),
    ...pairedIn(named).filter((one) => isHidden(one, isStrict)).map((one) => ({ ...one, end: endOfPaired(text, one) })),
    ...afterSchemes(text), ...afterSpaces(text),
  ];
};

interface Named extends SecretValue {
  readonly name: string;
  readonly value: string;
  readonly kind: Kind;
}

type Kind = 'secret' | 'pair name' | 'pair value';

const longestWord = 1_000;

const isHidden = ({ value, isStrong }: Named, isStrict: boolean): boolean =>
  value.length >= longestWord || (isStrict || isStrong ? !isLiteral(value) : !isOrdinary(value));

const isLiteral = (value: string): boolean =>
  isPlaceholder(value) || /^(?:true|false|null|nil|none|undefined|~|-?\d{1,7}|[|>][+-]?\d?)?$/i.test(value);

export const isPairName = (key: string): boolean =>
  /^(?:key|name|variable|header|field|id|k|param(?:eter)?|property|env(?:_name)?)$/i.test(key);

export const isPairValue = (key: string): boolean =>
  /^(?:values?|val|v|content|(?:secret|default|string|new|old|current)_?value)$/i.test(key);

/**
 * A name and a value that follow each other, in any order. Both methods return the values that turned out to be
 * secrets.
 */
export const createPairs = <Value>() => {
  let name: string | null = null;
  let waiting: Value[] = [];
  return {
    name: (given: string): Value[] => {
      const before = waiting;
      waiting = [];
      if (before.length === 0) name = name !== null && isSecretVariable(name) ? name : given;
      return isSecretVariable(given) ? before : [];
    },
    value: (value: Value): Value[] => {
      const before = name;
      name = null;
      waiting = before === null ? [value] : [];
      return before !== null && isSecretVariable(before) ? [value] : [];
    },
  };
};

const longestGap = 500;

const pairedIn = (named: readonly Named[]): Named[] => {
  let [pairs, at] = [createPairs<Named>(), 0];
  return named.filter(({ kind }) => kind !== 'secret').sort((a, b) => a.start - b.start).flatMap((one) => {
    if (one.start > at + longestGap) pairs = createPairs<Named>();
    at = one.end;
    return one.kind === 'pair name' ? pairs.name(one.value) : pairs.value(one);
  });
};

const endOfPaired = (text: string, { start, end }: SecretRange): number => {
  if (end - start < longestPaired) return end;
  const rest = /["'`<\n]/g;
  rest.lastIndex = end;
  return rest.exec(text)?.index ?? text.length;
};

const nameKind = (name: string, isSecret = isSecretKey(name)): Kind | null => isSecret ? 'secret'
  : isPairName(name) ? 'pair name' : isPairValue(name) ? 'pair value' : null;

const separators = /(?:\*{1,2}|\\{0,7}["'`]|%22|%27|&quot;|&#3[49];)?[ \t]{0,8}(?:=>|:=|[=:|]|%3[aAdD])/g;

const assignments = (text: string, isStrict: boolean): Named[] => {
  const found: Named[] = [];
  const pattern = new RegExp(separators);
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const named = nameBefore(text, match);
    const kind = named && nameKind(named.name, named.isQuery
      ? isSecretParameter(named.name) || (/^key$/i.test(named.name) && isInAddress(text, match.index))
      : isSecretKey(named.name));
    if (named === null || kind === null) continue;
    const separator = match[0];
    const value = valueAt(text, match.index + separator.length, {
      ...named, isPaired: kind !== 'secret', isStrict, isEncoded: separator.includes('%3'),
      isQuoted: /["'`;27]/.test(separator), isColon: /:|%3a/i.test(separator),
    });
    if (value === null || text.startsWith(redactedMark, value.start)) continue;
    const first = text.slice(value.start, Math.min(value.end, value.start + longestWord));
    const one: Named = { ...value, name: named.name, kind, value: first };
    found.push(one);
    // A secret may be long, so that it is not searched.
    if (kind === 'secret' && isHidden(one, isStrict)) pattern.lastIndex = Math.max(pattern.lastIndex, one.end);
  }
  return found;
};

const nameBefore = (text: string, match: RegExpExecArray): { name: string; isQuery: boolean } | null => {
  const index = indexBefore(text, match.index);
  if (index !== null) return { name: index, isQuery: false };
  const end = withoutBrackets(text, match.index);
  let start = end;
  while (start > 0 && end - start < 80 && /[\w.-]/.test(text[start - 1]!)) start--;
  if (start === end) return null;
  const before = text[start - 1] ?? '';
  const name = spacedKey(text, start) + text.slice(start, end);
  const escape = before === '%' ? /^[\da-f]{2}/i.exec(name)?.[0] : undefined;
  const isQuery = escape === undefined ? /[?&;#]/.test(before) : /^(?:3f|26|23|3b)$/i.test(escape);
  return { name: name.slice(escape?.length ?? 0), isQuery: isQuery && /=|%3d/i.test(match[0]) };
};

/** The key of a webhook; in the API, `key` is a name. */
const isInAddress = (text: string, end: number): boolean => {
  const [address] = /(?::(?:\\{0,7}\/){2}|%3a%2f%2f)[^\s"'`<>]*$/i.exec(text.slice(Math.max(0, end - 500), end)) ?? [];
  return address !== undefined && !/(?:\/|%2f)api(?:\\{0,7}\/|%2f)v\d/i.test(address);
};

/** `config['token']` */
const indexBefore = (text: string, end: number): string | null => text[end - 1] !== ']' ? null
  : /\[\\{0,7}["'`]([\w.-]{1,80})\\{0,7}["'`]\]$/.exec(text.slice(Math.max(0, end - 100), end))?.[1] ?? null;

/** `API key` is two words. */
const spacedKey = (text: string, start: number): string => /^keys?\b/i.test(text.slice(start, start + 5))
  ? keyOwner.exec(text.slice(Math.max(0, start - 12), start))?.[0] ?? '' : '';

const keyOwner = /\b(?:api|access|secret|private|signing|encryption|master)[ -]$/i;

/** `token[a][]`, also percent-encoded. */
const withoutBrackets = (text: string, end: number): number => {
  if (!/[\]dD]/.test(text[end - 1] ?? '')) return end;
  const brackets = /(?:\[[\w.-]{0,40}\]|%5B[\w.-]{0,40}%5D){1,5}$/i.exec(text.slice(Math.max(0, end - 100), end));
  return brackets === null ? end : end - brackets[0].length;
};

const element = /<(?:[\w-]{1,40}:)?([\w.-]{1,80})(\s[^<>]{0,500})?>\s*(?:<!\[CDATA\[([^\]]*)|([^<]*))/g;
const namedElement = /\s(?:name|key|id)\s*=\s*["']([^"']*)["']/i;
const attribute = /<(?:[\w-]{1,40}:)?([\w.-]{1,80})\s(?:[^<>]{0,200}?\s)?(?:value|val)\s*=\s*["']([^"'<>]+)/g;

/** `<token>…`, `<property name="token">…` and `<token value="…">`. */
const elements = (text: string, isStrict: boolean): Named[] => [
  ...[...text.matchAll(element)].flatMap((match): Named[] => {
    const [, name = '', attributes = '', data, content = ''] = match;
    const named = namedElement.exec(attributes)?.[1] ?? '';
    const value = (data ?? content).trimEnd();
    const kind = nameKind(name, isSecretKey(name) || isSecretVariable(named))
      ?? (/^string$/i.test(name) ? 'pair value' : null);
    const start = match.index + match[0].length - (data ?? content).length;
    return kind === null || value === '' || value.startsWith('[redacted') ? []
      : [{ name, kind, value, start, end: start + value.length, isStrong: isStrict, isCertain: false }];
  }),
  ...[...text.matchAll(attribute)].filter((match) => isSecretKey(match[1]!)).map((match): Named =>
    ({ ...lastGroup(match, 2), name: match[1]!, kind: 'secret', value: match[2]!, isStrong: isStrict })),
];

const lastGroup = (match: RegExpExecArray, group: number): SecretRange => {
  const end = match.index + match[0].length;
  return { start: end - match[group]!.length, end, isCertain: false };
};

const schemes = /(?<![A-Za-z])(bearer|basic|token|ssws|apikey)(?:[ \t]|%20|\+){1,3}([\w+/.~-]{8,}={0,2})/gi;

/** Prose has such words too: `Bearer tokens`, `Basic authentication`. */
const afterSchemes = (text: string): SecretRange[] => [...text.matchAll(schemes)].flatMap((match): SecretRange[] => {
  const [, scheme = '', value = ''] = match;
  const isBasic = /^basic$/i.test(scheme) && isUserAndPassword(value);
  if (!isBasic && !isAfterScheme(scheme.toLowerCase(), value)) return [];
  return [{ ...lastGroup(match, 2), ...isBasic && { read: basicParts } }];
});

const spaced = new RegExp('(?:(?<![\\w-])--([a-z][\\w-]{0,60})[ \\t]+|\\b(?:ENV|setx)[ \\t]+(\\w{1,80})[ \\t]+'
  + '|(?:\\blogin[ \\t]+[^\\s"\']{1,80}\\s+|:)(password|_authToken)[ \\t]+)["\']?([^\\s"\'`\\\\]+)', 'gi');
/** `the password is …`. */
const prose = new RegExp('\\b(?:password|passphrase|passcode|token|secret|credentials?|PAT|JWT|(?:api|access) key)'
  + ' (?:is|was):?[ \\t]{1,8}["\'`]?([^\\s"\'`<>\\\\]+?)(?=[.,;:!?)]{0,4}(?:["\'`\\s\\\\]|$))', 'gi');
const piped = new RegExp('\\becho[ \\t]+(?:-n[ \\t]+)?["\']?([^\\s"\'`|]+)'
  + '(?=["\']?[ \\t]{0,8}\\|[^\\n|]{0,100}--(?:password-stdin|with-token))', 'g');
const hereString = /--(?:password-stdin|with-token)[ \t]+<<<[ \t]*["']?([^\s"'`\\]+)/g;
const userOption = /(?<![\w-])(?:-u|--user|--proxy-user)[ =]{0,2}["']?([^\s:"'`]{1,100}:[^\s"'`\\]+)/g;
const passwordOption =
  /\b(?:login|sshpass|mysql(?:dump|admin)?|mariadb)\b[^\n]{0,100}?[ \t]-p[ \t]*["']?([^\s"'`\\]+)/g;

const afterSpaces = (text: string): SecretRange[] => [
  ...[...text.matchAll(spaced)].filter(([, option, variable, login, value]) =>
    isSecretVariable(option ?? variable ?? login!) && !isOrdinary(value!)).map((match) => lastGroup(match, 4)),
  ...[...text.matchAll(userOption)].filter(([, user]) => !isOrdinary(user!.slice(user!.indexOf(':') + 1)))
    .map((match) => ({ ...lastGroup(match, 1), read: passwordsIn })),
  ...[passwordOption, prose, piped, hereString].flatMap((one) => [...text.matchAll(one)])
    .filter(([, value]) => !isOrdinary(value!)).map((match) => lastGroup(match, 1)),
];
