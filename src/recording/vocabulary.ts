import { decodeForm } from '../wire/forms.js';
import { literalPattern } from '../text/patterns.js';
import { isObject } from '../wire/json.js';
import type { Pseudonyms } from './pseudonyms.js';

/** The users that a service named: usernames, and full names by their first word. */
export interface Vocabulary {
  /** Reads the users of an answer, or of a request, out of JSON. */
  learn(value: unknown): void;
  /** Reads those of a query or a form. */
  learnPairs(text: string): void;
  isUser(word: string): boolean;
  /** False for a text that certainly has no word of a user or a name. */
  mayOccurIn(text: string): boolean;
  /** How many users and names it knows. */
  readonly size: number;
  /** The longest full name that begins here. */
  nameAt(text: string, at: number, firstWord: string): string | null;
}

/** Keys whose value is the name of a user. */
export const isUserKey = (key: string): boolean => /(?:^|_)usernames?(?:\[\])?$|^sudo$/.test(key);

const isNameKey = (key: string): boolean => /^(?:author|committer|user)_name$/.test(key);

/** The same few keys come again and again. */
const createKinds = () => {
  const known = new Map<string, 'user' | 'name' | 'other'>();
  return (key: string) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const kind = isUserKey(key) ? 'user' : isNameKey(key) ? 'name' : 'other';
    if (known.size < 10_000) known.set(key, kind);
    return kind;
  };
};

/** They stand where a username could. */
const notUsers = new Set(['none', 'any', 'me', 'all', '']);

export const createVocabulary = (pseudonyms: Pseudonyms): Vocabulary => {
  const users = new Set<string>();
  const names = new Map<string, string[]>();
  /** As they were spelled: almost all that comes is known. */
  const [seenUsers, seenNames] = [new Set<string>(), new Set<string>()];
  const kindOf = createKinds();
  let pattern = anyOf([]);
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
    const first = firstWordOf(name)?.toLowerCase();
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
  /** Without recursion: JSON can be nested deeply. */
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
    learnPairs: (text) => {
      for (const [key, value] of decodeForm(text)) if (value !== null && isUserKey(key)) addUser(value);
    },
    get size() { return size; },
    mayOccurIn: (text) => {
      if (size > mostSearched) return true;
      if (searched !== size) pattern = anyOf([...users, ...names.keys()]);
      searched = size;
      return pattern.test(text.toLowerCase());
    },
    isUser: (word) => users.has(word.toLowerCase()),
    nameAt: (text, at, firstWord) => {
      const known = names.get(firstWord.toLowerCase());
      return known?.find((name) =>
        text.startsWith(name, at) && !/^[\p{L}\p{N}]/u.test(text.slice(at + name.length))) ?? null;
    },
  };
};

/** A search for more words takes longer than to look at each word of a text. */
const mostSearched = 300;

const anyOf = (words: readonly string[]): RegExp =>
  new RegExp(words.length === 0 ? '(?!)' : words.map(literalPattern).join('|'), 'u');

const firstWordOf = (name: string): string | undefined => /^[\p{L}\p{N}_]+/u.exec(name)?.[0];

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
