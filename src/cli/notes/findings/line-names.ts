/** A path of a report of lines ends at these, wherever they are in a name. */
const anywhere = /[:\p{Cc}\u2028\u2029]|", line \d|\(\d+(?:, ?\d+){0,3}\)(?: - |\])/u;

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

/** A time, a host or the words before a number is no path, but a name such as `Makefile` is. */
export const isPath = (text: string): boolean => {
  const name = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1);
  const isClosed = text.split('(').length <= text.split(')').length;
  if (isHour(text) || /^[a-z]+:$/i.test(text) || !isClosed) return false;
  const isName = /^(?:\w*file|BUILD|WORKSPACE|LICENSE|README|configure)$/i.test(name);
  if (name !== text) return isName || name.includes('.') ? /[A-Za-z]/.test(text) : !isWords(text);
  if (/^\S*\.[A-Za-z][\w+-]{0,15}$/.test(name)) return !host.test(name);
  return /\.[A-Za-z]\w{0,6}$/.test(name) ? !/ (?:to|on|from|at) /.test(text) : isName;
};

/** `Test 3/4` and the image `ghcr.io/acme/app` are no paths. */
const isWords = (text: string): boolean =>
  /\s/.test(text) || !/[A-Za-z]/.test(text) || host.test(text.split('/', 1)[0]!);

/** The minute of a time such as `2026-05-01T10:20` looks like a line. */
export const isHour = (path: string): boolean => /(?:^|[\s[]|\dT)\d\d?$/.test(path);

const host = new RegExp([
  '(?:^localhost|\\.(?:com|org|net|io|local|internal|localhost|example|lan|corp|svc|cloud|dev|app|tech|edu|gov|co|eu',
  '|us|uk|de|fr|nl|jp|cn|br|ca|au|ru))$',
].join(''), 'i');

const placeAtStart = new RegExp([
  '^\\s*(?:--> |\\d{1,4}>)?(?<path>(?:[A-Za-z]:(?=[\\\\/]))?[^\\s:]+?)',
  '(?::[[(]?\\d|(?: |: )?\\(\\d+(?:, ?\\d+){0,3}\\) ?:|\\[\\d+, ?\\d+\\]:|: line \\d)',
].join(''));

/** As formatters for terminals print findings below the path of their file. */
const placeBelowPath = /^\s+\d+:\d+\s+(?:\S\s+)?(?:error|warning|info)\b/;

/** A warning about the code of a tool, which interpreters print on stderr, is no finding of that tool. */
const installedPath = new RegExp([
  '(?:^|[\\\\/])(?:site-packages|dist-packages|node_modules|\\.cargo|\\.rustup)[\\\\/]',
  // A repository can have gems of its own at the top.
  '[\\\\/]gems[\\\\/]',
  '^/usr/(?:local/)?(?:lib|share)/',
].join('|'));

/** Whether a line that was not read begins with a place: a tool may print some findings in another form. */
export const mayBeFinding = (line: string): boolean => {
  const path = placeAtStart.exec(line)?.groups?.['path'] ?? '';
  return placeBelowPath.test(line) || (isPath(path) && !installedPath.test(path));
};
