import { literalPattern } from '../text/quoting.js';
import { decodeComponent, decodeForm } from '../wire/http.js';
import { changeJsonTexts, isObject } from '../wire/json.js';
import { createMemory, isSecretName } from '../wire/secrets/names.js';
import { type PseudonymKind, recordedOrigin } from './exchange.js';

type Pseudonyms = ReturnType<typeof createPseudonyms>;

/** How often to look for a pseudonym that no other value has: short words have only a few. */
const tries = 50;

/**
 * Replaces values by random ones of the same shape: as many characters, letters for letters and digits for digits, all
 * other characters as they were. The same value always has the same pseudonym, whatever its case.
 * @param hex random hexadecimal text of a length
 */
export const createPseudonyms = (hex: (length: number) => string) => {
  const known = new Map<string, string>();
  const taken = new Set<string>();
  let fresh: Partial<Record<PseudonymKind, string[]>> = {};

  const make = (value: string): string => {
    let made = sameShape(value, hex);
    for (let left = tries; left > 0 && (taken.has(made) || made === value); left--) made = sameShape(value, hex);
    while (taken.has(made) || made === value) made += sameShape('a', hex);
    return made;
  };
  const of = (kind: PseudonymKind, value: string): string => {
    const key = value.toLowerCase();
    let made = known.get(`${kind} ${key}`);
    if (made === undefined) {
      made = madeOf(kind, key);
      known.set(`${kind} ${key}`, made);
      taken.add(made);
      (fresh[kind] ??= []).push(made);
    }
    return withCaseOf(value, made);
  };
  const madeOf = (kind: PseudonymKind, key: string): string => {
    if (kind === 'host') return hostPseudonym(key, make);
    if (kind === 'digest') return hex(key.length);
    if (kind !== 'mail') return make(key);
    const at = key.lastIndexOf('@');
    return `${make(key.slice(0, at))}@${of('host', key.slice(at + 1))}`;
  };
  return {
    of,
    /** Those that were made since the last call, by kind. */
    takeNew: () => {
      const made = fresh;
      fresh = {};
      return made;
    },
  };
};

/** The last label says what kind of host it is; an address of the Internet protocol is one of those for documents. */
const hostPseudonym = (host: string, make: (value: string) => string): string => {
  if (/^[\d.]+$/.test(host)) {
    return make(host).replace(/^\d+\.\d+\.\d+/, '192.0.2').replace(/\d+$/, (last) => String(Number(last) % 256));
  }
  const end = host.lastIndexOf('.');
  return end < 0 ? make(host) : make(host.slice(0, end)) + host.slice(end);
};

/** Letters of other scripts become Latin ones. */
const shapes: readonly { readonly fits: RegExp; readonly first: number; readonly count: number }[] = [
  { fits: /\p{Lu}/u, first: 0x41, count: 26 },
  { fits: /\p{L}/u, first: 0x61, count: 26 },
  { fits: /\p{N}/u, first: 0x30, count: 10 },
];

const sameShape = (value: string, hex: (length: number) => string): string => {
  const characters = [...value];
  const random = hex(characters.length * 2);
  return characters.map((character, i) => {
    const shape = shapes.find(({ fits }) => fits.test(character));
    if (!shape) return character;
    return String.fromCharCode(shape.first + parseInt(random.slice(i * 2, i * 2 + 2), 16) % shape.count);
  }).join('');
};

export const withCaseOf = (value: string, made: string): string => {
  const given = [...value];
  return [...made].map((character, i) => /\p{Lu}/u.test(given[i] ?? '') ? character.toUpperCase() : character).join('');
};

/** Names of files, digests and times: a changed one would contradict others. */
const isKept = createMemory((key) =>
  /^(?:(?:old|new|a|b|file)_path|file_name|line_code|content|encoding|.*_?sha(?:256)?|.*_at)$/.test(key)
  || isSecretName(key));

const mayNameUser = (key: string): boolean => isUserKey(key) || /^(?:path|full_path|search|name)$/.test(key);

const word = '[\\p{L}\\p{N}_](?:[\\p{L}\\p{N}_.-]*[\\p{L}\\p{N}_])?';
/** A segment of a path, without the punctuation of the text around it. */
const words = new RegExp(word, 'gu');

const host = '(?:[a-z\\d](?:[a-z\\d-]*[a-z\\d])?)(?:\\.[a-z\\d](?:[a-z\\d-]*[a-z\\d])?)*';

/** An address, a mail address, a mention or a word. None begins with a character that the one before can end with. */
const tokens = new RegExp([
  `(https?://)(${host})([^\\s"'<>()\\\\]*)`,
  `([\\w.+-]{1,254}@(?:[a-z\\d-]+\\.)+[a-z]{2,})`,
  `(?<![\\p{L}\\p{N}_@/.])@(${word})`,
  '%[2-7][\\da-f]',
  `(${word})`,
].join('|'), 'giu');

const recordedHost = new URL(recordedOrigin).host;

/** Hosts that say nothing about anybody. */
const isPublicHost = (name: string): boolean =>
  name === recordedHost || /^(?:localhost|127(?:\.\d+){3})$/.test(name)
  || /(?:^|\.)(?:example|invalid|test|localhost)(?:\.(?:com|org|net))?$/.test(name);

/** Replaces users, names, mail addresses, mentions and hosts by their pseudonyms. */
export const createRedactor = (pseudonyms: Pseudonyms, dictionary: Dictionary) => {
  const user = (name: string): string => dictionary.isUser(name) ? pseudonyms.of('user', name) : name;

  const text = (given: string): string => {
    if (!/@|:\/\//.test(given) && !dictionary.mayOccurIn(given)) return given;
    let done = '';
    let at = 0;
    const pattern = new RegExp(tokens);
    for (let match = pattern.exec(given); match; match = pattern.exec(given)) {
      const [, scheme, name = '', rest = '', mail, mention, single = ''] = match;
      done += given.slice(at, match.index);
      at = pattern.lastIndex;
      if (scheme !== undefined) done += scheme + redactedHost(name) + restOf(rest);
      else if (mail !== undefined) done += pseudonyms.of('mail', mail);
      else if (mention !== undefined) {
        done += `@${mention.toLowerCase() === 'all' ? mention : pseudonyms.of('user', mention)}`;
      } else if (single === '') done += match[0];
      else {
        const fullName = fullNameAt(given, match.index, single);
        done += fullName === null ? user(single)
          : pseudonyms.of(dictionary.isUser(fullName) ? 'user' : 'name', fullName);
        if (fullName !== null) at = pattern.lastIndex = match.index + fullName.length;
      }
    }
    return done + given.slice(at);
  };
  const fullNameAt = (given: string, at: number, single: string): string | null => {
    const found = dictionary.nameAt(given, at, /^[\p{L}\p{N}_]+/u.exec(single)![0]);
    return found !== null && found.length <= single.length && dictionary.isUser(single) ? null : found;
  };
  const redactedHost = (name: string): string => isPublicHost(name.toLowerCase()) ? name : pseudonyms.of('host', name);

  /** After `/-/` are words of the service, and names of branches and files. Avatars have digests of mail addresses. */
  const restOf = (rest: string): string => {
    const [, path = '', tail = ''] = /^([^?#]*)(.*)$/s.exec(rest)!;
    return path.split('/-/').map((part, i) => i === 0 ? segments(part) : part).join('/-/')
      .replace(/(?<=\/avatar\/)[\da-f]{32,64}\b/g, (digest) => pseudonyms.of('digest', digest))
      + (tail.startsWith('?') ? `?${pairs(tail.slice(1))}` : tail);
  };
  const withoutUsers = (plain: string): string => plain.replace(words, user);
  const segments = (path: string): string => path.replace(/[^/]+/g, (segment) =>
    segment.includes('%') ? changedPart(segment, withoutUsers) : withoutUsers(segment));

  const value = (key: string, given: string): string => {
    if (!/[\s/@:]/.test(given) && !mayNameUser(key) && dictionary.nameAt(given, 0, given) !== given) return given;
    return text(given);
  };
  const values = createKnownTexts(() => dictionary.size);
  /** Most texts of a service come again: authors, titles, addresses. */
  const valueOf = (key: string, given: string): string =>
    isKept(key) ? given : values.of(key, given, () => value(key, given));
  const pairs = (given: string): string => given.split('&').map((pair) => {
    const end = pair.indexOf('=');
    if (end < 0) return pair;
    const key = decoded(pair.slice(0, end)) ?? '';
    return pair.slice(0, end + 1) + changedPart(pair.slice(end + 1), (plain) => valueOf(lastKey(key), plain));
  }).join('&');

  return {
    text, pairs, target: restOf,
    json: (given: string): string => changeJsonTexts(given, valueOf),
  };
};

type Body = string | Uint8Array;

interface Known { readonly body: Body; readonly made: string }

const most = 16_777_216;

/**
 * What became of texts and bodies, as long as nothing was learned since that would change it: clients ask for the same
 * again and again.
 * @param learned grows with what changes the texts
 */
export const createKnownTexts = (learned: () => number) => {
  /** By kind: to join the two would copy each text. */
  const known = new Map<string, Map<string, Known>>();
  let size = 0;
  let at = learned();
  const forget = (): void => {
    known.clear();
    size = 0;
  };
  const forgetOutdated = (): void => {
    if (at !== learned()) forget();
    at = learned();
  };
  const keep = (kind: string, key: string, one: Known): void => {
    size -= entrySize(key, known.get(kind)?.get(key));
    if (size + entrySize(key, one) > most) forget();
    size += entrySize(key, one);
    const texts = known.get(kind) ?? new Map<string, Known>();
    known.set(kind, texts.set(key, one));
  };
  return {
    /**
     * @param kind with the key and the body, what `make` depends on, apart from what was learned
     * @param body only the last one for a key is known, compared byte by byte: to look up a large one takes long
     */
    of: (kind: string, key: string, make: () => string, body: Body = ''): string => {
      forgetOutdated();
      const before = known.get(kind)?.get(key);
      if (before !== undefined && isSame(before.body, body)) return before.made;
      const made = make();
      // What the text itself taught is true of it already.
      forgetOutdated();
      keep(kind, key, { body, made });
      return made;
    },
  };
};

const entrySize = (key: string, one: Known | undefined): number =>
  one === undefined ? 0 : key.length + one.body.length + one.made.length;

const isSame = (a: Body, b: Body): boolean =>
  typeof a === 'string' || typeof b === 'string' ? a === b : Buffer.compare(a, b) === 0;

/** `position[old_path]` is an `old_path`. */
const lastKey = (name: string): string => /\[([^[\]]+)\](?:\[\])?$/.exec(name)?.[1] ?? name;

/** Changes what a percent-encoded part says; one that says the same stays as it is, in its own spelling. */
const changedPart = (part: string, change: (plain: string) => string): string => {
  const plain = decoded(part);
  if (plain === null) return part;
  const changed = change(plain);
  return changed === plain ? part : encodeURIComponent(changed);
};

const decoded = (part: string): string | null => decodeComponent(part.replaceAll('+', ' '));

type Dictionary = ReturnType<typeof createDictionary>;

const isUserKey = (key: string): boolean => /(?:^|_)usernames?(?:\[\])?$|^sudo$/.test(key);

const isNameKey = (key: string): boolean => /^(?:author|committer|user)_name$/.test(key);

/** They stand where a username could. */
const notUsers = new Set(['none', 'any', 'me', 'all', '']);

/** The users that a service named: usernames, and full names by their first word. */
export const createDictionary = (pseudonyms: Pseudonyms) => {
  const users = new Set<string>();
  const names = new Map<string, string[]>();
  /** As they were spelled: almost all that comes is known. */
  const [seenUsers, seenNames] = [new Set<string>(), new Set<string>()];
  const kindOf = createMemory((key) => isUserKey(key) ? 'user' : isNameKey(key) ? 'name' : 'other');
  let pattern = anyWord([]);
  let searched = 0;
  let size = 0;

  const addUser = (name: string): void => {
    if (seenUsers.has(name)) return;
    seenUsers.add(name);
    const key = name.toLowerCase();
    if (notUsers.has(key) || /^\d+$/.test(key) || users.has(key)) return;
    users.add(key);
    size++;
    pseudonyms.of('user', key);
  };
  const addName = (name: string): void => {
    if (seenNames.has(name)) return;
    seenNames.add(name);
    const first = /^[\p{L}\p{N}_]+/u.exec(name)?.[0].toLowerCase();
    if (first === undefined) return;
    size++;
    names.set(first, [...names.get(first) ?? [], name].sort((a, b) => b.length - a.length));
  };
  const add = { user: addUser, name: addName, other: () => undefined };
  const learnObject = (value: Readonly<Record<string, unknown>>, open: unknown[]): void => {
    if (typeof value['username'] === 'string' && typeof value['name'] === 'string') addName(value['name']);
    for (const key of Object.keys(value)) {
      const inner = value[key];
      if (typeof inner === 'string') add[kindOf(key)](inner);
      else if (typeof inner === 'object') {
        open.push(inner);
        if (kindOf(key) === 'user') textsIn(inner).forEach(addUser);
      }
    }
  };
  /** Reads the users of an answer, or of a request, out of JSON. Without recursion: JSON can be nested deeply. */
  const learn = (root: unknown): void => {
    const open = [root];
    while (open.length > 0) {
      const value = open.pop();
      if (Array.isArray(value)) for (const item of value) open.push(item);
      else if (isObject(value)) learnObject(value, open);
    }
  };
  return {
    learn,
    learnPairs: (text: string): void => {
      for (const [key, value] of decodeForm(text)) if (value !== null && isUserKey(key)) addUser(value);
    },
    get size() { return size; },
    /** False for a text that certainly has no word of a user or a name. */
    mayOccurIn: (text: string): boolean => {
      if (size > mostSearched) return true;
      if (searched !== size) pattern = anyWord([...users, ...names.keys()]);
      searched = size;
      return pattern.test(text.toLowerCase());
    },
    isUser: (word: string): boolean => users.has(word.toLowerCase()),
    nameAt: (text: string, at: number, firstWord: string): string | null => {
      const known = names.get(firstWord.toLowerCase());
      return known?.find((name) =>
        text.startsWith(name, at) && !/^[\p{L}\p{N}]/u.test(text.slice(at + name.length))) ?? null;
    },
  };
};

/** A search for more words takes longer than to look at each word of a text. */
const mostSearched = 300;

const anyWord = (words: readonly string[]): RegExp =>
  new RegExp(words.length === 0 ? '(?!)' : words.map(literalPattern).join('|'), 'u');

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
