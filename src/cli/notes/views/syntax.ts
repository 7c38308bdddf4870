import type { ParsedToken, TokenType } from 'sugar-high/core';
import type { LanguageName } from 'sugar-high';
import type { Tone } from '../../terminal/io/style.js';

export interface ColoredText { readonly text: string; readonly tone: Tone | null }

/** @returns null for what is too long to color while the user waits */
export type Coloring = (lines: readonly string[]) => readonly (readonly ColoredText[])[] | null;

const extensions: Readonly<Record<string, LanguageName>> = {
  js: 'javascript', jsx: 'javascript', mjs: 'javascript', cjs: 'javascript',
  ts: 'typescript', tsx: 'typescript', mts: 'typescript', cts: 'typescript',
  css: 'css', scss: 'css', less: 'css',
  html: 'html', htm: 'html', xml: 'html', svg: 'html', vue: 'html', svelte: 'html',
  json: 'json', jsonc: 'json', json5: 'json', yaml: 'yaml', yml: 'yaml', toml: 'toml',
  graphql: 'graphql', gql: 'graphql',
  py: 'python', pyi: 'python', rb: 'ruby', rake: 'ruby', gemspec: 'ruby', php: 'php', lua: 'lua', sql: 'sql',
  sh: 'shell', bash: 'shell', zsh: 'shell', ps1: 'powershell', psm1: 'powershell', dockerfile: 'dockerfile',
  c: 'c', h: 'c', cc: 'cpp', cpp: 'cpp', cxx: 'cpp', hh: 'cpp', hpp: 'cpp', hxx: 'cpp', cs: 'csharp',
  go: 'go', java: 'java', kt: 'kotlin', kts: 'kotlin', rs: 'rust', swift: 'swift', zig: 'zig',
  tf: 'hcl', tfvars: 'hcl', hcl: 'hcl',
};

const names: Readonly<Record<string, LanguageName>> = {
  dockerfile: 'dockerfile', containerfile: 'dockerfile', gemfile: 'ruby', rakefile: 'ruby',
};

const languageOf = (path: string): LanguageName | undefined => {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return names[name] ?? extensions[name.slice(name.lastIndexOf('.') + 1)];
};

/** Loads the highlighter only if a path has a language that it knows. */
export const coloringOf = async (paths: readonly string[]): Promise<(path: string) => Coloring | null> => {
  if (!paths.some((path) => languageOf(path) !== undefined)) return () => null;
  const [{ parse }, { languages }] = await Promise.all([import('sugar-high/core'), import('sugar-high/lang')]);
  let left = mostCharacters;
  return (path) => {
    const language = languages.find(({ id }) => id === languageOf(path));
    if (language === undefined) return null;
    const tokenize = (lines: readonly string[]) =>
      parse(lines.join('\n'), language.config).lines.map(({ tokens }) => tokens);
    return (lines) => {
      const length = lines.reduce((sum, line) => sum + line.length, 0);
      left -= length;
      const isTooLong = left < 0 || length > longestText || lines.some((line) => line.length > longestLine);
      return isTooLong ? null : colored(lines, tokenize);
    };
  };
};

/** Of all threads; a long conversation ends without colors, so that nobody waits for it. */
const mostCharacters = 100_000;

/** In characters. The highlighter takes more than linear time for some texts. */
const [longestLine, longestText] = [400, 8_000];

const colored = (
  lines: readonly string[], tokenize: (lines: readonly string[]) => readonly (readonly ParsedToken[])[],
): readonly (readonly ColoredText[])[] => {
  const parts: (readonly ColoredText[])[] = [];
  while (parts.length < lines.length) {
    const rest = lines.slice(parts.length);
    const found = tokenize(rest);
    const end = found.findIndex((tokens, i) => isOpenString(tokens) && !isClosedLater(rest, i));
    const known = end < 0 ? found.slice(0, rest.length) : [...found.slice(0, end), withoutLast(found[end]!)];
    // Not all empty lines at the end have tokens.
    const whole = end < 0 ? rest.map((_, i) => known[i] ?? []) : known;
    parts.push(...whole.map((tokens, i) => partsOf(tokens, rest[i]!)));
  }
  return parts;
};

/** An apostrophe in a text would make strings of all lines below. */
const isOpenString = (tokens: readonly ParsedToken[]): boolean => {
  const { type, value = '' } = tokens.at(-1) ?? {};
  return type === 'string' && /^["']/.test(value) && (value.length === 1 || !value.endsWith(value[0]!));
};

/** Between three quotes, a text has several lines. */
const isClosedLater = (lines: readonly string[], at: number): boolean => {
  const quotes = /("""|''')(?!.*\1)/.exec(lines[at]!)?.[1];
  return quotes !== undefined && lines.slice(at + 1).some((line) => line.includes(quotes));
};

const withoutLast = (tokens: readonly ParsedToken[]): readonly ParsedToken[] =>
  tokens.map((token, i) => i < tokens.length - 1 ? token : { ...token, type: 'identifier' });

/** The text is never changed, whatever the highlighter returns. */
const partsOf = (tokens: readonly ParsedToken[], line: string): readonly ColoredText[] => {
  const parts: ColoredText[] = [];
  for (const { type, value } of tokens) {
    const [tone, last] = [toneOf(type, value), parts.at(-1)];
    if (last?.tone === tone) parts[parts.length - 1] = { tone, text: last.text + value };
    else parts.push({ tone, text: value });
  }
  return parts.map(({ text }) => text).join('') === line ? parts : [{ text: line, tone: null }];
};

const tones: Partial<Readonly<Record<TokenType, Tone>>> = {
  keyword: 'keyword', string: 'code', entity: 'strong', comment: 'faint',
};

/** Numbers have the type of classes. */
const toneOf = (type: TokenType, value: string): Tone | null =>
  type === 'class' && /^\d/.test(value) ? 'code' : tones[type] ?? null;
