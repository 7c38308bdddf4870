/** A path of a report of lines ends at these, wherever they are in a name. */
const anywhere = /[:\p{Cc}\u2028\u2029]|\(\d+(?:, ?\d+){0,3}\)(?: - |\])/u;

/** Tools without a preset print these before a path. */
const beforePath = /^(?:\d{1,4}>|\[\w{1,20}\] |(?:fatal|error|warn(?:ing)?|info|note) )/i;

/**
 * Whether a report of lines may be about a file whose name such lines cannot hold: `a.c:1: note: b.c:3: error: no` is
 * about another file, and of another level.
 */
export const mayNameWrongly = (reports: readonly string[], path: string, isPreset: boolean): boolean => {
  const isAtStart = (name: string) => /^\s/.test(name) || (!isPreset && beforePath.test(name));
  return path.split('/').some((name) => reports.some((text) =>
    (anywhere.test(name) && text.includes(name)) || (isAtStart(name) && startsLine(text, name.trimStart()))));
};

/** A place and a message, as in `:3: no` and `(3,1): no`. */
const placeAfter = /^(?::\[?|(?: |: )?\()\d.*[^\s\d:,()[\]]/s;

/**
 * Whether a line that was not read begins with the path and a place in that file: without a preset, `messages.de` looks
 * like a host, and `deploy` like a word.
 */
export const isUnreadPath = (unread: readonly string[], path: string): boolean => unread.some((text) =>
  [text, text.replace(beforePath, '')].some((line) => {
    const before = /^(?:\.\/|\/)/.test(line) ? Math.max(0, line.indexOf(`/${path}`) + 1) : 0;
    return line.startsWith(path, before) && placeAfter.test(line.slice(before + path.length));
  }));

const startsLine = (text: string, name: string): boolean =>
  text.split(/[\r\n]/).some((line) => line.trimStart().startsWith(name));
