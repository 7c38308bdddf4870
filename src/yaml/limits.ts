/** A part is a word, a mark or a space, and takes about 400 bytes of memory; a million of them take four seconds. */
export const yamlLimits = {
  depth: 110, characters: 33_554_432, parts: 1_000_000, aliases: 1_000, expanded: 1_000_000,
} as const;

export interface YamlPlace { readonly line: number; readonly column: number }

/** Not YAML, or over a limit. The message is the reason alone. */
export class YamlError extends Error {
  override readonly name = 'YamlError';
  constructor(reason: string, readonly hint: string, readonly place: YamlPlace, readonly isLimit: boolean) {
    super(reason);
  }
}

export const fixYaml = 'fix the YAML';

export type ErrorAt = (offset: number, reason: string, hint: string) => YamlError;

export const nodeStart = (node: unknown): number | undefined =>
  (node as { readonly range?: readonly number[] | null } | null | undefined)?.range?.[0];

/**
 * Undefined if it is no JSON object, repeats a key or is nested too deeply: `readYaml`, which takes four times the
 * memory, then reports where.
 */
export const parseJsonObject = (text: string): unknown => {
  if (!/^\s*\{/.test(text)) return undefined;
  const marks = marksIn(text);
  if (marks.depth > yamlLimits.depth) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return keysIn(value) === marks.colons ? value : undefined;
  } catch {
    return undefined;
  }
};

/** A repeated key counts once. */
const keysIn = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0;
  const parts: readonly unknown[] = Object.values(value);
  const own = Array.isArray(value) ? 0 : parts.length;
  return parts.reduce<number>((sum, part) => sum + keysIn(part), own);
};

/** Outside of strings: the colons, one per key, and how deeply brackets are nested. */
const marksIn = (text: string): { readonly colons: number; readonly depth: number } => {
  let [colons, open, depth] = [0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === 0x22) at = endOfString(text, at);
    else if (char === 0x3a) colons++;
    else if (char === 0x5b || char === 0x7b) depth = Math.max(depth, ++open);
    else if (char === 0x5d || char === 0x7d) open--;
  }
  return { colons, depth };
};

const endOfString = (text: string, start: number): number => {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== 0x22) at += text.charCodeAt(at) === 0x5c ? 2 : 1;
  return at;
};
