import { sudoName } from '../contract/conventions.js';

/** Stands in place of a secret wherever it would be shown. */
export const hidden = '[redacted]';

const words = 'token|secret|password|passwd|passphrase|credential|authorization|cookie|api[-_]?key|private[-_]?key';

const secretName = new RegExp(`(${words})s?\\s*(\\[|$)`, 'i');
/** The name of a secret, anywhere in a text. */
export const secretWord = new RegExp(words, 'i');

/** Whether a parameter, field or option of this name holds a secret, with or without a bracket behind. */
export const isSecretName = (name: string): boolean => secretName.test(name);

/** Whether a text has the name of a secret in it. */
export const mentionsSecret = (text: string): boolean => secretWord.test(text);

/** Whether a parameter says who is calling (wire-facts 1.1): no link of a page has a say in that. */
export const isCredential = (name: string): boolean => mentionsSecret(name) || name.split('[', 1)[0] === sudoName;

/** Whether a header of this name holds a secret. */
export const isSecretHeader = (name: string): boolean => /auth/i.test(name) || mentionsSecret(name);

/** What stands before the host of an address; messages write `user:password` where a person puts their own. */
const userInfo = /\b([a-z][a-z\d+.-]{0,20}:\/\/)(?!user:password@)[^\s/?#"'`]*@/gi;

/** Tokens by their prefix (wire-facts 1.1.10 to 1.1.12), and JSON web tokens. */
const tokens = /\b(gl(pat|dt|oas|cbt|rt|rtr|ptt|ft|soat|agent|imt|ffct)-[\w.-]{6,}|eyJ[\w-]{8,}\.[\w-]+\.[\w-]*)/g;

/** `name=value`, as in a query, a field or an option. */
const pairs = new RegExp(`([\\w.%-]{0,60}(?:${words})s?(?:\\[[\\w.-]*\\]|%5B[\\w.-]*%5D)*=)`
  + `(?:\\\\?"[^"]*|'[^']*|[^\\s&"'\`]+)`, 'gi');

/** `Name: value` and `"name": value`; a single word before a colon is the prose of a message. */
const lines = new RegExp(`(\\\\?"(?:[\\w-]{0,60}(?:${words})s?)\\\\?"\\s*:\\s*\\\\?"?|(?:`
  + `\\b[\\w-]{0,60}[-_](?:${words})s?|\\bx-api-?key|\\bauthorization|\\bcookie)\\s*:\\s*)[^\\n"'\`]+`, 'gi');

/**
 * A text without the secrets in it, as far as they can be told by their form: for messages that repeat what a user
 * wrote. In doubt too much is hidden.
 * @param known values that are secrets, as the tokens in use are
 */
export const withoutSecrets = (text: string, known: Iterable<string> = []): string => withoutKnown(text, known)
  .replace(userInfo, `$1${hidden}@`).replace(tokens, hidden)
  .replace(pairs, `$1${hidden}`).replace(lines, `$1${hidden}`);

/** Shorter ones are words that stand in many a text. */
const shortest = 6;

/** A text without some values in it, as they are or encoded for an address. */
export const withoutKnown = (text: string, known: Iterable<string>): string => {
  let shown = text;
  for (const value of known) {
    if (value.length < shortest) continue;
    shown = shown.replaceAll(value, hidden).replaceAll(encodeURIComponent(value), hidden);
  }
  return shown;
};
