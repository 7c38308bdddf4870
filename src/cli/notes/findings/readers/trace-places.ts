import { numberIn, type Guess } from '../finding.js';

type Titles = readonly string[];

/**
 * Leaves out places in libraries, and puts the one in the title of Playwright last: the test is there, the failure not.
 * A path is absolute if its upper folders do not exist here.
 */
export const placesIn = (text: string, titles: Titles): Guess[] => {
  const [found, ofTitle] = [new Map<string, Guess>(), new Map<string, Guess>()];
  let from = 0;
  for (const { 1: line, 2: column, index, 0: { length } } of text.matchAll(lineNumber)) {
    for (const guess of filesBefore(text.slice(Math.max(from, index - longestPath), index), titles)) {
      const place = { line: numberIn(line), column: numberIn(column), ...guess };
      const kind = text.startsWith(' › ', index + length) ? ofTitle : found;
      if (!library.test(place.file)) kind.set(JSON.stringify(place), place);
    }
    from = index + length;
    if (found.size >= mostPlaces) break;
  }
  return [...found.values(), ...ofTitle.values()];
};

export const longestPath = 4_096;

/** A stack trace with more frames is that of a recursion. */
const mostPlaces = 200;

/** `.ts:12:5`, `.ts(12,5)`, `.py", line 12`, `.cs:line 33`, `.php on line 3`, `.dart 12:5`; a URL can have a query. */
const lineNumber = new RegExp([
  '(?<=\\.[A-Za-z]\\w{0,6})(?:\\?[\\w=&%.-]{0,64})?',
  '(?:["\'`]?(?:,| on| at)? line |:(?:(?:line|Zeile|ligne|l[ií]nea|linha|riga|wiersz|строка|行号?|줄) )?|: line ',
  '|: (?=\\d+-\\d)|"\\},\\{line,|\\r?\\n[ \\t-]{0,9}[Ll]ine[ \\t]{0,9}: ?|\\((?=\\d+(?:,\\d+)?\\))| (?=\\d+:\\d))',
  '([1-9]\\d{0,8})(?:[:,]([1-9]\\d{0,8}))?',
].join(''), 'g');

const library = new RegExp([
  '(?:^|/)(?:node_modules|bower_components|site-packages|dist-packages|vendor|gems)/',
  '(?:^|/)(?:\\.venv|\\.cargo|\\.m2|\\.yarn|rustc)/', '/go/pkg/mod/', '/lib/(?:python|ruby)[\\d.]*/',
  '^/usr/(?:local/)?(?:lib|go|share|include)/',
].join('|'));

type File = Pick<Guess, 'file' | 'package'>;

const filesBefore = (before: string, titles: Titles): File[] => {
  const phrase = before.slice(before.lastIndexOf('\n') + 1);
  const word = lastPart(phrase, /[\s"'`]/);
  const inClass = classFrame(word);
  if (inClass) return [inClass];
  const spaced = pathWithSpaces(phrase);
  const paths = [...new Set([
    ...spaced !== word && startsAtTop.test(spaced) ? [spaced] : [],
    insideBrackets(word), lastPart(word, /[^\w@./\\-]/), spaced,
  ].map(withoutScheme))].filter((path) => /[^\\/.]/.test(path));
  return paths.flatMap((path) =>
    path.includes('/') ? [{ file: path }] : [...besides(path, titles), ...alone(path, titles)]);
};

const startsAtTop = /^(?:[A-Za-z]:)?[\\/]|^\.\.?[\\/]|^file:/;

const lastPart = (text: string, separator: RegExp): string => {
  let start = text.length;
  while (start > 0 && !separator.test(text[start - 1]!)) start--;
  return text.slice(start);
};

/** `f (src/a.ts` → `src/a.ts`, but `app/(shop)/a.ts` stays. */
const insideBrackets = (word: string): string => {
  let open = 0;
  for (let at = word.length - 1; at >= 0; at--) {
    if (')]'.includes(word[at]!)) open++;
    if ('(['.includes(word[at]!) && --open < 0) return word.slice(at + 1);
  }
  return word;
};

const pathWithSpaces = (phrase: string): string => {
  const text = ` ${phrase}`;
  const ends = signs.filter((sign) => text.includes(sign)).map((sign) => text.lastIndexOf(sign) + sign.length);
  return text.slice(Math.max(0, ...ends)).trim();
};

const signs = [' in ', ' at ', ' file ', '"', "'", ' ('];

/** `webpack://shop/./src/a.js` → `./src/a.js`, `http://localhost/src/a.js`, `f@/src/a.js`, `../src/a.js` → `/src/a.js`, `package:shop/a.dart`. */
const withoutScheme = (given: string): string => {
  const path = given.replaceAll('\\', '/').replace(/^(?:\.\.\/)+/, '/');
  if (path.startsWith('package:')) return path.replace(/^[^/]*/, 'lib');
  const scheme = path.lastIndexOf('://');
  if (scheme < 0) return path.replace(/^[^\\/]*@(?=\/)/, '');
  if (/file$/i.test(path.slice(0, scheme))) return path.slice(scheme - 'file'.length);
  const rest = path.slice(path.indexOf('/', scheme + 3) + 1);
  return rest.startsWith('./') ? rest : `/${rest}`;
};

const ofJvm = /\.(?:java|kts?|groovy|scala|clj)$/;

/** Matches a frame such as `app//com.acme.Price.round(Price.java`. */
const classFrame = (word: string): File | null => {
  const open = word.lastIndexOf('(');
  const name = word.slice(open + 1);
  const [method = '', ...rest] = word.slice(0, Math.max(open, 0)).split('/').reverse();
  if (open < 0 || /[\\/]/.test(name) || !ofJvm.test(name) || (rest.length > 0 && method === '')) return null;
  const names = method.split('.').slice(0, -2);
  return { file: [...names, name].join('/'), package: names.join('.') };
};

const besides = (name: string, titles: Titles): File[] => titles.flatMap((title) => {
  if (/\s/.test(title)) return [];
  if (title.includes('/')) {
    const end = title.lastIndexOf('/');
    return [title, ...title.includes('.', end) ? [title.slice(0, end)] : []]
      .map((folder) => ({ file: `/${folder}/${name}` }));
  }
  const names = title.split('.').slice(0, -1);
  const file = [...names, name].join('/');
  return names.length === 0 ? [] : [{ file, ...ofJvm.test(name) && { package: names.join('.') } }];
});

/** A class is in its own package only. */
const alone = (name: string, titles: Titles): File[] =>
  ofJvm.test(name) && titles.some((title) => /^\w+(?:\.[\w$]+)+$/.test(title)) ? [] : [{ file: name }];
