/**
 * The value of a text that is JSON; undefined where it is none, or names a key twice: YAML, which JSON is part of, then
 * tells where. It takes a quarter of the memory that YAML takes.
 */
export const plainJson = (text: string): unknown => {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return keysIn(value) === colonsIn(text) ? value : undefined;
  } catch {
    return undefined;
  }
};

/** Of two equal keys in one object one is left. */
const keysIn = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0;
  const parts: readonly unknown[] = Object.values(value);
  const own = Array.isArray(value) ? 0 : parts.length;
  return parts.reduce<number>((sum, part) => sum + keysIn(part), own);
};

/** In JSON, outside its texts, each stands between a key and its value. */
const colonsIn = (text: string): number => {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === 0x3a) count++;
    else if (char === 0x22) at = endOfText(text, at);
  }
  return count;
};

/** The place of the quote that ends a text. */
const endOfText = (text: string, start: number): number => {
  for (let at = text.indexOf('"', start + 1); ; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return at;
  }
};
