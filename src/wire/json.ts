export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const jsonOrNull = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
};

type Expected = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end' | 'nothing';

/** A text begins with its quote alone: one expression for all of it would need a stack as long as the text. */
const tokens = new RegExp(String.raw`[ \t\r\n]*(["[\]{},:]`
  + String.raw`|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.]))?`, 'y');
const textParts = /[^"\\\0-\x1f]+|\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

const allowedTokens: Readonly<Record<Expected, RegExp>> = {
  value: /^[["{\w-]/, 'value or end': /^[[\]"{\w-]/, name: /^"/, 'name or end': /^["}]/, colon: /^:/,
  'comma or end': /^[\]},]/, nothing: /^(?!)/,
};

/** The index of what JSON does not allow there, as V8 does not always report it; else the length. */
export const jsonMistake = (json: string): number => {
  const ends: string[] = [];
  let expected: Expected = 'value';
  tokens.lastIndex = 0;
  for (;;) {
    const token = tokens.exec(json)?.[1] ?? '';
    const start = tokens.lastIndex - token.length;
    if (!allowedTokens[expected].test(token)) return start;
    if (token === '"') {
      const end = endOfText(json, tokens.lastIndex);
      if (json[end] !== '"') return end;
      tokens.lastIndex = end + 1;
    } else if (token === '[' || token === '{') ends.push(token === '[' ? ']' : '}');
    else if ((token === ']' || token === '}') && ends.pop() !== token) return start;
    expected = ends.length === 0 ? 'nothing' : expectedAfter(token, expected, ends.at(-1)!);
  }
};

const endOfText = (json: string, start: number): number => {
  let end = textParts.lastIndex = start;
  while (textParts.test(json)) end = textParts.lastIndex;
  return end;
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
  const keys = createKeys();
  let [done, kept, at] = ['', 0, 0];
  for (let start = json.indexOf('"'); start >= 0; start = json.indexOf('"', at)) {
    const end = endOfLiteral(json, start);
    if (end < 0) break;
    keys.read(json, at, start);
    at = end;
    const text = textOfLiteral(json, start, end);
    if (text === undefined) continue;
    if (isKey(json, end)) keys.current = text;
    else {
      const changed = change(keys.current, text);
      if (changed === text) continue;
      done += json.slice(kept, start) + JSON.stringify(changed);
      kept = end;
    }
  }
  return kept === 0 ? json : done + json.slice(kept);
};

const [backslash, colon] = [0x5c, 0x3a];
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
  if (!text.includes('\\')) return text;
  try {
    return JSON.parse(json.slice(start, end)) as string;
  } catch {
    return undefined;
  }
};

export const isKey = (json: string, end: number): boolean => {
  let at = end;
  while (json.charCodeAt(at) <= 0x20) at++;
  return json.charCodeAt(at) === colon;
};

const createKeys = () => {
  const around: string[] = [];
  const keys = {
    current: '',
    read: (json: string, from: number, to: number): void => {
      for (let at = from; at < to; at++) {
        const code = json.charCodeAt(at);
        if (code === openList || code === openObject) around.push(keys.current);
        else if (code === endList || code === endObject) keys.current = around.pop() ?? '';
      }
    },
  };
  return keys;
};
