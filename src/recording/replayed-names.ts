import { literalPattern } from '../text/patterns.js';
import { mapTexts } from '../wire/secrets/redact.js';
import type { RecordedExchange } from './exchange.js';
import { withCaseOf } from './pseudonyms.js';

/** What a client calls those who have pseudonyms in a recording. */
interface ReplayedNames {
  /** Whether a text has pseudonyms. */
  occurIn(text: string): boolean;
  /** With the pseudonyms of the names that are known by now. */
  recorded(text: string): string;
  /** With those names in place of their pseudonyms. */
  real(response: RecordedExchange['response']): RecordedExchange['response'];
  /** Whether two texts are the same but for names of the same shape; if so, remembers them. */
  match(recorded: string, given: string): boolean;
  forget(): void;
}

export const createNames = (exchanges: readonly RecordedExchange[]): ReplayedNames => {
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
    occurIn: (text) => pattern !== null && new RegExp(pattern).test(text),
    recorded: (text) => replaced(text, back, recorded),
    real: (response) => real.size === 0 ? response
      : mapTexts(response, (text) => replaced(text, pattern, real)) as RecordedExchange['response'],
    match: (text, given) => {
      const found = matched(templateOf(text), given, real, recorded);
      if (found === null) return false;
      for (const [pseudonym, name] of found) {
        real.set(pseudonym, name);
        recorded.set(name, pseudonym);
      }
      back = wordsPattern([...recorded.keys()]);
      return true;
    },
    forget: () => {
      real.clear();
      recorded.clear();
      back = null;
    },
  };
};

/** Whole words. Null without any. */
const wordsPattern = (words: readonly string[]): RegExp | null => {
  if (words.length === 0) return null;
  const any = words.toSorted((a, b) => b.length - a.length).map(literalPattern).join('|');
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${any})(?![\\p{L}\\p{N}_])`, 'giu');
};

interface Template { readonly pattern: RegExp; readonly pseudonyms: readonly string[] }

const createTemplate = (text: string, words: RegExp): Template => {
  const pseudonyms: string[] = [];
  let source = '';
  let at = 0;
  for (const match of text.matchAll(words)) {
    source += `${literalPattern(text.slice(at, match.index))}(${shapeOf(match[0])})`;
    pseudonyms.push(match[0].toLowerCase());
    at = match.index + match[0].length;
  }
  return { pattern: new RegExp(`^${source}${literalPattern(text.slice(at))}$`, 'u'), pseudonyms };
};

const shapeOf = (pseudonym: string): string => [...pseudonym].map((character) =>
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
