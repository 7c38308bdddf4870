import { groupedBy } from '../text/groups.js';
import { nearestName } from '../text/messages.js';
import { literalPattern } from '../text/quoting.js';
import { decodeForm, decodePercent, isRead, mediaType, splitTarget } from '../wire/http.js';
import { isObject, jsonOrNull } from '../wire/json.js';
import { redactedMark } from '../wire/secrets/known.js';
import { isCredential } from '../wire/secrets/names.js';
import { mapTexts, redactTarget } from '../wire/secrets/redact.js';
import { recordedBytes, type RecordedBody, type RecordedExchange } from './exchange.js';
import { bodyWithoutSecrets } from './messages.js';
import { withCaseOf } from './redact.js';

type RecordedRequest = RecordedExchange['request'];
export interface NearestRequest {
  /** `METHOD target`. */
  readonly request: string;
  /** The parts that are not the same, such as `query` and `body (title)`. */
  readonly differs: readonly string[];
}

interface Sequence {
  readonly key: string;
  readonly exchanges: readonly RecordedExchange[];
  next: number;
}

/**
 * Answers requests as they were answered while they were recorded. A client may use the real names of users where the
 * recording has pseudonyms: any value of the same shape matches, and responses have it from then on.
 */
export const createReplay = (exchanges: readonly RecordedExchange[]) => {
  const sequences = new Map<string, Sequence>();
  for (const [key, same] of groupedBy(exchanges, ({ request }) => requestKey(request))) {
    sequences.set(key, { key, exchanges: same, next: 0 });
  }
  const names = createNames(exchanges);
  const withNames = [...sequences.values()].filter(({ key }) => names.occurIn(key));
  const withMarks = [...sequences.values()].filter(({ key }) => key.includes(redactedMark));

  const find = (key: string): Sequence | undefined => {
    const recorded = names.recorded(key);
    return sequences.get(key) ?? sequences.get(recorded) ?? withNames.find((one) => names.match(one.key, key))
      ?? withMarks.find((one) => isKeyOf(one.key, recorded));
  };
  return {
    /** The n-th response for the n-th request of its kind, the last one for further ones; null if there is none. */
    answer: (request: RecordedRequest): RecordedExchange['response'] | null => {
      const own = find(requestKey(request));
      const found = own ?? (request.method === 'HEAD' ? find(requestKey({ ...request, method: 'GET' })) : undefined);
      if (!found) return null;
      const isConditional = 'if-none-match' in request.headers;
      const asked = found.exchanges.slice(0, found.next + 1)
        .findLast(({ response }) => isConditional || response.status !== 304);
      if (!asked) return null;
      if (own) own.next++;
      return names.real(asked.response);
    },
    /** The recorded request that is most like another one; null if none is. */
    nearest: (request: RecordedRequest): NearestRequest | null => {
      const key = requestKey(request);
      const known = [...sequences.values()];
      const target = targetKey(names.recorded(key));
      const near = known.find((one) => targetKey(one.key) === target)
        ?? bySimilarity(known, target, isRead(request) ? 'GET' : request.method);
      const { method, target: recorded } = near?.exchanges[0]?.request ?? {};
      return near ? { request: `${method} ${recorded}`, differs: differingParts(near.key, names.recorded(key)) } : null;
    },
    unused: () => [...sequences.values()].flatMap(({ exchanges: all, next }) => all.slice(next)),
    reset: (): void => {
      for (const sequence of sequences.values()) sequence.next = 0;
      names.forget();
    },
  };
};

const differingParts = (recorded: string, asked: string): string[] => {
  const [one, other] = [partsOf(recorded), partsOf(asked)];
  const differing = (['method', 'path', 'query', 'body'] as const).filter((part) => one[part] !== other[part]);
  return differing.map((part) => part === 'body' ? bodyPart(one.body, other.body) : part);
};

const partsOf = (key: string) => {
  const [, method, path, query, body] = /^(\S+) (.*?)\?(.*?)\n(.*)$/s.exec(key) ?? [];
  return { method, path, query, body: body ?? '' };
};

/** With the names of the values that differ, if both are JSON objects. */
const bodyPart = (one: string, other: string): string => {
  const [recorded, asked] = [jsonOrNull(one), jsonOrNull(other)];
  if (!isObject(recorded) || !isObject(asked)) return 'body';
  const names = [...new Set([...Object.keys(recorded), ...Object.keys(asked)])]
    .filter((name) => JSON.stringify(recorded[name]) !== JSON.stringify(asked[name]));
  return `body (${names.join(', ')})`;
};

const bySimilarity = (known: readonly Sequence[], target: string, method: string): Sequence | undefined => {
  const nearest = nearestName(target, known.map(({ key }) => targetKey(key)));
  if (nearest !== null) return known.find(({ key }) => targetKey(key) === nearest);
  const shared = (sequence: Sequence): number => {
    const key = targetKey(sequence.key);
    let length = 0;
    while (length < target.length && target[length] === key[length]) length++;
    return length;
  };
  const best = known.toSorted((a, b) => shared(b) - shared(a))[0];
  return best && shared(best) > `${method} /api/v4/`.length ? best : undefined;
};

/** What a client calls those who have pseudonyms in a recording. */
const createNames = (exchanges: readonly RecordedExchange[]) => {
  const pseudonyms = [...new Set(exchanges.flatMap(({ replaced = {} }) => Object.values(replaced).flat()))];
  const pattern = wordsPattern(pseudonyms);
  const templates = new Map<string, Template>();
  const real = new Map<string, string>();
  const recorded = new Map<string, string>();
  let back: RegExp | null = null;

  const templateOf = (text: string): Template => {
    const known = templates.get(text) ?? createTemplate(text, pattern!);
    templates.set(text, known);
    return known;
  };
  const replaced = (text: string, words: RegExp | null, by: ReadonlyMap<string, string>): string =>
    words === null || by.size === 0 ? text
      : text.replace(words, (word) => withCaseOf(word, by.get(word.toLowerCase()) ?? word));
  return {
    occurIn: (text: string): boolean => pattern !== null && new RegExp(pattern).test(text),
    /** With the pseudonyms of the names that are known by now. */
    recorded: (text: string): string => replaced(text, back, recorded),
    real: (response: RecordedExchange['response']) => real.size === 0 ? response
      : mapTexts(response, (text) => replaced(text, pattern, real)) as RecordedExchange['response'],
    /** Whether two texts are the same but for names of the same shape; if so, remembers them. */
    match: (text: string, given: string): boolean => {
      const found = matched(templateOf(text), given, real, recorded);
      if (found === null) return false;
      for (const [pseudonym, name] of found) {
        real.set(pseudonym, name);
        recorded.set(name, pseudonym);
      }
      back = wordsPattern([...recorded.keys()]);
      return true;
    },
    forget: (): void => {
      real.clear();
      recorded.clear();
      back = null;
    },
  };
};

export const wordsPattern = (words: readonly string[]): RegExp | null => {
  if (words.length === 0) return null;
  const any = words.toSorted((a, b) => b.length - a.length).map(literalPattern).join('|');
  return new RegExp(`(?:(?<![\\p{L}\\p{N}_])|(?<=%[\\da-f]{2}))(?:${any})(?![\\p{L}\\p{N}_])`, 'giu');
};

interface Template { readonly pattern: RegExp; readonly pseudonyms: readonly string[] }

const createTemplate = (text: string, words: RegExp): Template => {
  const pseudonyms: string[] = [];
  let source = '';
  let at = 0;
  for (const match of text.matchAll(words)) {
    source += `${literalPattern(text.slice(at, match.index))}(${pseudonymPattern(match[0])})`;
    pseudonyms.push(match[0].toLowerCase());
    at = match.index + match[0].length;
  }
  return { pattern: new RegExp(`^${source}${literalPattern(text.slice(at))}$`, 'u'), pseudonyms };
};

const pseudonymPattern = (pseudonym: string): string => [...pseudonym].map((character) =>
  /\p{L}/u.test(character) ? '\\p{L}' : /\p{N}/u.test(character) ? '\\p{N}' : literalPattern(character)).join('');

/** Null unless each pseudonym stands for one name, and each name for one pseudonym. */
const matched = (
  { pattern, pseudonyms }: Template, given: string, real: ReadonlyMap<string, string>,
  recorded: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> | null => {
  const groups = pattern.exec(given)?.slice(1);
  if (!groups) return null;
  const found = new Map<string, string>();
  for (const [i, pseudonym] of pseudonyms.entries()) {
    const name = groups[i]!.toLowerCase();
    const known = found.get(pseudonym) ?? real.get(pseudonym) ?? name;
    if (known !== name || (recorded.get(name) ?? pseudonym) !== pseudonym) return null;
    found.set(pseudonym, name);
  }
  return found;
};

/**
 * What makes two requests the same: the method, the path, the query in any order, and of a change the body: JSON and
 * forms in any order, forms with files whatever their boundary. Tokens do not count, nor the random ids of markers.
 * Other secrets are redacted, as recordings of earlier versions have some of them.
 */
const requestKey = ({ method, target, headers, body }: RecordedRequest): string => {
  const [path, query] = splitTarget(redactTarget(target));
  const redacted = isRead({ method }) ? '' : bodyWithoutSecrets(body, { headers, target }, () => undefined);
  const own = redacted === '' ? '' : bodyKey(headers, redacted);
  const decoded = path.split('/').map((part) => decodePercent(part).replaceAll('/', '%2F')).join('/');
  return withoutMarkerIds(`${method} ${decoded}?${pairsKey(query)}\n${own}`);
};

const targetKey = (key: string): string => key.slice(0, key.indexOf('\n')).replace(/^HEAD /, 'GET ');

/** Whether a key of a recording is that of a request, which has any word instead of a redacted secret. */
const isKeyOf = (recorded: string, key: string): boolean => {
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

const pairsKey = (text: string): string => [...decodeForm(text)].filter(([name]) => !isCredential(name))
  .map(([name, value]) => `${name}=${value ?? ''}`.replaceAll('&', '%26')).sort().join('&');

const bodyKey = (headers: RecordedRequest['headers'], body: RecordedBody): string => {
  const type = mediaType(headers);
  const text = typeof body === 'string' ? body : Buffer.from(recordedBytes(body)).toString('latin1');
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
  text.includes('colloquy') ? text.replace(/(colloquy(?:-start|-end)?:(?:[a-z]+=[^ ]* )*id=)[\w.%-]+/g, '$1') : text;
