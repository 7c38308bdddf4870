import { decodeForm } from '../wire/forms.js';
import { isObject } from '../wire/json-object.js';
import type { Pseudonyms } from './pseudonyms.js';

/** The users that a service named: usernames, and full names by their first word. */
export interface Vocabulary {
  /** Reads the users of an answer, or of a request, out of JSON. */
  learn(value: unknown): void;
  /** Reads those of a query or a form. */
  learnPairs(text: string): void;
  isUser(word: string): boolean;
  /** How many users and names it knows. */
  readonly size: number;
  /** The longest full name that begins here. */
  nameAt(text: string, at: number, firstWord: string): string | null;
}

/** Keys whose value is the name of a user. */
export const isUserKey = (key: string): boolean => /(?:^|_)usernames?(?:\[\])?$|^sudo$/.test(key);

const isNameKey = (key: string): boolean => /^(?:author|committer|user)_name$/.test(key);

/** They stand where a username could. */
const notUsers = new Set(['none', 'any', 'me', 'all', '']);

export const createVocabulary = (pseudonyms: Pseudonyms): Vocabulary => {
  const users = new Set<string>();
  const names = new Map<string, string[]>();
  let size = 0;

  const addUser = (name: string): void => {
    const key = name.toLowerCase();
    if (notUsers.has(key) || /^\d+$/.test(key) || users.has(key)) return;
    users.add(key);
    size++;
    pseudonyms.of('user', key);
  };
  const addName = (name: string): void => {
    const first = firstWordOf(name)?.toLowerCase();
    if (first === undefined) return;
    const known = names.get(first) ?? [];
    if (known.includes(name)) return;
    size++;
    names.set(first, [...known, name].sort((a, b) => b.length - a.length));
  };
  const learn = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(learn);
    if (!isObject(value)) return;
    if (typeof value['username'] === 'string' && typeof value['name'] === 'string') addName(value['name']);
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner === 'object') {
        learn(inner);
        if (isUserKey(key)) textsIn(inner).forEach(addUser);
      } else if (typeof inner === 'string') {
        if (isUserKey(key)) addUser(inner);
        else if (isNameKey(key)) addName(inner);
      }
    }
  };
  return {
    learn,
    learnPairs: (text) => {
      for (const [key, value] of decodeForm(text)) if (value !== null && isUserKey(key)) addUser(value);
    },
    get size() { return size; },
    isUser: (word) => users.has(word.toLowerCase()),
    nameAt: (text, at, firstWord) => {
      const known = names.get(firstWord.toLowerCase());
      return known?.find((name) =>
        text.startsWith(name, at) && !/^[\p{L}\p{N}]/u.test(text.slice(at + name.length))) ?? null;
    },
  };
};

const firstWordOf = (name: string): string | undefined => /^[\p{L}\p{N}_]+/u.exec(name)?.[0];

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
