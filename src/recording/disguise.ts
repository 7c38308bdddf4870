import { isSecretName } from '../wire/redact.js';
import { recordedOrigin } from './exchange.js';
import type { Pseudonyms } from './pseudonyms.js';
import { isUserKey, type Vocabulary } from './vocabulary.js';

/** Replaces users, names, mail addresses, mentions and hosts by their pseudonyms. */
interface Disguise {
  /** Running text: bodies of notes, pages. */
  text(text: string): string;
  /** The string values of JSON; everything between them stays as it is. */
  json(text: string): string;
  /** Percent-encoded path and query. */
  target(target: string): string;
  /** The pairs of a form or a query. */
  pairs(text: string): string;
}

/** Names of files, digests and times: a changed one would contradict others. */
const isKept = (key: string): boolean =>
  /^(?:(?:old|new|a|b|file)_path|file_name|line_code|content|encoding|.*_?sha(?:256)?|.*_at)$/.test(key)
  || isSecretName(key);

/** Their value is one word that may be a username. */
const mayNameUser = (key: string): boolean => isUserKey(key) || /^(?:path|full_path|search|name)$/.test(key);

const word = '[\\p{L}\\p{N}_](?:[\\p{L}\\p{N}_.-]*[\\p{L}\\p{N}_])?';
const host = '(?:[a-z\\d](?:[a-z\\d-]*[a-z\\d])?)(?:\\.[a-z\\d](?:[a-z\\d-]*[a-z\\d])?)*';

/** An address, a mail address, a mention or a word. None begins with a character that the one before can end with. */
const tokens = new RegExp([
  `(?<scheme>https?://)(?<host>${host})(?<rest>[^\\s"'<>()\\\\]*)`,
  `(?<mail>[\\w.+-]+@(?:[a-z\\d-]+\\.)+[a-z]{2,})`,
  `(?<![\\p{L}\\p{N}_@/.])@(?<mention>${word})`,
  `(?<word>${word})`,
].join('|'), 'giu');

const recordedHost = new URL(recordedOrigin).host;

/** Hosts that say nothing about anybody. */
const isPublicHost = (name: string): boolean =>
  name === recordedHost || /^(?:localhost|127(?:\.\d+){3})$/.test(name)
  || /(?:^|\.)(?:example|invalid|test|localhost)(?:\.(?:com|org|net))?$/.test(name);

const mostKnown = 20_000;

export const createDisguise = (pseudonyms: Pseudonyms, vocabulary: Vocabulary): Disguise => {
  /** Most texts of a service come again: authors, titles, addresses. What a name hides changes with the vocabulary. */
  const known = new Map<string, string>();
  let names = vocabulary.size;
  const user = (name: string): string => vocabulary.isUser(name) ? pseudonyms.of('user', name) : name;

  const text = (given: string): string => {
    let done = '';
    let at = 0;
    const pattern = new RegExp(tokens);
    for (let match = pattern.exec(given); match; match = pattern.exec(given)) {
      const { scheme, host: name = '', rest = '', mail, mention, word: single = '' } = match.groups!;
      done += given.slice(at, match.index);
      at = pattern.lastIndex;
      if (scheme !== undefined) done += scheme + hostOf(name) + restOf(rest);
      else if (mail !== undefined) done += pseudonyms.of('mail', mail);
      else if (mention !== undefined) {
        done += `@${mention.toLowerCase() === 'all' ? mention : pseudonyms.of('user', mention)}`;
      } else {
        const fullName = vocabulary.nameAt(given, match.index, /^[\p{L}\p{N}_]+/u.exec(single)![0]);
        done += fullName === null ? user(single) : pseudonyms.of('name', fullName);
        if (fullName !== null) at = pattern.lastIndex = match.index + fullName.length;
      }
    }
    return done + given.slice(at);
  };
  const hostOf = (name: string): string => isPublicHost(name.toLowerCase()) ? name : pseudonyms.of('host', name);

  /** After `/-/` are words of the service, and names of branches and files. Avatars have digests of mail addresses. */
  const restOf = (rest: string): string => {
    const [, path = '', tail = ''] = /^([^?#]*)(.*)$/s.exec(rest)!;
    return path.split('/-/').map((part, i) => i === 0 ? segments(part) : part).join('/-/')
      .replace(/(?<=\/avatar\/)[\da-f]{32,64}\b/g, (digest) => pseudonyms.of('digest', digest))
      + (tail.startsWith('?') ? `?${pairs(tail.slice(1))}` : tail);
  };
  const segments = (path: string): string => path.replace(/[^/]+/g, (segment) => changedPart(segment, (plain) =>
    plain.split('/').map(user).join('/')));

  const value = (key: string, given: string): string => {
    if (isKept(key)) return given;
    if (!/[\s/@:]/.test(given) && !mayNameUser(key) && vocabulary.nameAt(given, 0, given) !== given) return given;
    return text(given);
  };
  const pairs = (given: string): string => given.split('&').map((pair) => {
    const end = pair.indexOf('=');
    if (end < 0) return pair;
    const key = decoded(pair.slice(0, end)) ?? '';
    return pair.slice(0, end + 1) + changedPart(pair.slice(end + 1), (plain) => value(lastKey(key), plain));
  }).join('&');

  return {
    text, pairs,
    target: (given) => restOf(given),
    json: (given) => {
      if (names !== vocabulary.size || known.size > mostKnown) known.clear();
      names = vocabulary.size;
      return mapJsonTexts(given, value, known);
    },
  };
};

/** `position[old_path]` is an `old_path`. */
const lastKey = (name: string): string => /\[([^[\]]+)\](?:\[\])?$/.exec(name)?.[1] ?? name;

/** Changes what a percent-encoded part says; one that says the same stays as it is, in its own spelling. */
const changedPart = (part: string, change: (plain: string) => string): string => {
  const plain = decoded(part);
  if (plain === null) return part;
  const changed = change(plain);
  return changed === plain ? part : encodeURIComponent(changed);
};

const decoded = (part: string): string | null => {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return null;
  }
};

/** With the colon after it if it is a key. */
const jsonText = /"(?:[^"\\]|\\.)*"(?=\s*(:)?)/gs;

/**
 * Calls `change` with the key before each text, as text: numbers keep their digits, and spaces stay.
 * @param known what became of texts before, by key and literal
 */
const mapJsonTexts = (
  json: string, change: (key: string, text: string) => string, known: Map<string, string>,
): string => {
  let key = '';
  return json.replace(jsonText, (literal, colon: string | undefined) => {
    if (colon !== undefined) {
      key = literal;
      return literal;
    }
    const id = key + literal;
    let made = known.get(id);
    if (made === undefined) {
      made = changedLiteral(literal, (text) => change(parsed(key) ?? '', text));
      known.set(id, made);
    }
    return made;
  });
};

const changedLiteral = (literal: string, change: (text: string) => string): string => {
  const plain = parsed(literal);
  const changed = plain === null ? null : change(plain);
  return changed === null || changed === plain ? literal : JSON.stringify(changed);
};

const parsed = (literal: string): string | null => {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return null;
  }
};
