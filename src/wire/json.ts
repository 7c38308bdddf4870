export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Not a function or an invalid Date, and forms, collections and streams have no keys, or none with what they hold. */
export const hasContent = (value: unknown): value is object => typeof value === 'object' && value !== null
  && (isPlainObject(value) || (Object.keys(value).length > 0 && !('pipe' in value) && !(Symbol.iterator in value)));

const isPlainObject = (value: object): boolean => {
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === null || Object.getPrototypeOf(prototype) === null;
};

/** The kind of a value in errors, such as Set. */
export const typeName = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);

/** In Jest, errors of Node are no instances of the class `Error` of a test. */
export const isError = (value: unknown): value is Error =>
  value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';

/** Undefined for a text that is not JSON. */
export const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

export const jsonOrNull = (text: string): unknown => parsedJson(text) ?? null;

type Expected = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end' | 'nothing';

/** Numbers have no such length. */
const longestWord = 10_000;

const word = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;
const escape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

const allowedTokens: Readonly<Record<Expected, RegExp>> = {
  value: /^[["{\w-]/, 'value or end': /^[[\]"{\w-]/, name: /^"/, 'name or end': /^["}]/, colon: /^:/,
  'comma or end': /^[\]},]/, nothing: /^(?!)/,
};

/**
 * The index of what JSON does not allow there, as V8 does not always report it; else the length. An expression that
 * repeats a character needs a stack as long as the text.
 */
export const jsonMistake = (json: string): number => {
  const ends: string[] = [];
  let expected: Expected = 'value';
  for (let at = 0; ;) {
    const start = endOf(json, at, isSpace);
    const token = tokenAt(json, start);
    if (!allowedTokens[expected].test(token)) return start;
    at = start + token.length;
    if (token === '"') {
      at = endOfText(json, at);
      if (json[at] !== '"') return at;
      at++;
    } else if (token === '[' || token === '{') ends.push(token === '[' ? ']' : '}');
    else if ((token === ']' || token === '}') && ends.pop() !== token) return start;
    expected = ends.length === 0 ? 'nothing' : expectedAfter(token, expected, ends.at(-1)!);
  }
};

const isSpace = (character: string): boolean => ' \t\r\n'.includes(character);
const isOfWord = (character: string): boolean => /[\w.+-]/.test(character);

const endOf = (json: string, start: number, isPart: (character: string) => boolean): number => {
  let end = start;
  while (end < json.length && isPart(json[end]!)) end++;
  return end;
};

/** Of a text only its quote; empty for what is no token. */
const tokenAt = (json: string, start: number): string => {
  const sign = json.charAt(start);
  if (sign !== '' && '"[]{},:'.includes(sign)) return sign;
  const end = endOf(json, start, isOfWord);
  const text = end - start > longestWord ? '' : json.slice(start, end);
  return word.test(text) ? text : '';
};

const endOfText = (json: string, start: number): number => {
  for (let at = start; ;) {
    const code = json.charCodeAt(at);
    if (code === backslash) {
      escape.lastIndex = at;
      if (!escape.test(json)) return at;
      at = escape.lastIndex;
    } else if (code === quote || !(code > 0x1f)) return at;
    else at++;
  }
};

const expectedAfter = (token: string, expected: Expected, end: string): Expected => {
  switch (token) {
    case '[': return 'value or end';
    case '{': return 'name or end';
    case ':': return 'value';
    case ',': return end === '}' ? 'name' : 'value';
    default: return expected.startsWith('name') && token !== '}' ? 'colon' : 'comma or end';
  }
};

/**
 * Keeps everything between the texts, such as the digits of numbers. Invalid JSON stays the same from the first literal
 * that does not end. @param change gets the key of a text, or of the list that it is in
 */
export const changeJsonTexts = (json: string, change: (key: string, text: string) => string): string => {
  const around: string[] = [];
  let [key, done, kept, at] = ['', '', 0, 0];
  for (let start = json.indexOf('"'); start >= 0; start = json.indexOf('"', at)) {
    const end = endOfLiteral(json, start);
    if (end < 0) break;
    for (; at < start; at++) {
      const code = json.charCodeAt(at);
      if (code === openList || code === openObject) around.push(key);
      else if (code === endList || code === endObject) key = around.pop() ?? '';
    }
    at = end;
    const text = textOfLiteral(json, start, end);
    if (text === undefined) continue;
    if (isKey(json, end)) {
      key = text;
      continue;
    }
    const changed = change(key, text);
    if (changed === text) continue;
    done += json.slice(kept, start) + JSON.stringify(changed);
    kept = end;
  }
  return kept === 0 ? json : done + json.slice(kept);
};

const [backslash, colon, quote] = [0x5c, 0x3a, 0x22];
const [openList, endList, openObject, endObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Negative if the literal does not end. */
export const endOfLiteral = (json: string, start: number): number => {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let before = end;
    while (json.charCodeAt(before - 1) === backslash) before--;
    if ((end - before) % 2 === 0) return end + 1;
  }
  return -1;
};

export const textOfLiteral = (json: string, start: number, end: number): string | undefined => {
  const text = json.slice(start + 1, end - 1);
  return text.includes('\\') ? parsedJson(json.slice(start, end)) as string | undefined : text;
};

export const isKey = (json: string, end: number): boolean => {
  let at = end;
  while (json.charCodeAt(at) <= 0x20) at++;
  return json.charCodeAt(at) === colon;
};

/** The index of a name that its object has already; null if there is none. @param json without a mistake */
export const repeatedName = (json: string): number | null => {
  const objects: (Set<string> | null)[] = [];
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === openObject) objects.push(new Set());
    else if (code === openList) objects.push(null);
    else if (code === endObject || code === endList) objects.pop();
    if (code !== quote) continue;
    const end = endOfLiteral(json, at);
    const names = isKey(json, end) ? objects.at(-1)! : null;
    const name = names && textOfLiteral(json, at, end)!;
    if (name !== null && names!.size === names!.add(name).size) return at;
    at = end - 1;
  }
  return null;
};
