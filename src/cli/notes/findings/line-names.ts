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

const startsLine = (text: string, name: string): boolean =>
  text.split(/[\r\n]/).some((line) => line.trimStart().startsWith(name));
