import { SaxesParser } from 'saxes';
import {
  findingOf, levelFrom, numberIn, ReportError, reportOf, type Finding, type Level, type Report,
} from '../finding.js';

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  readonly text: string;
  readonly line: number;
  readonly isSelfClosed: boolean;
}

interface Draft extends Element { readonly children: Draft[]; text: string }

/** Deeper than any report; the parser keeps a stack. */
const maxDepth = 100;

/**
 * Rejects document types other than a name, so that no document can declare entities. Characters that XML does not
 * allow are kept: tests print colors. @throws ReportError with the line of the mistake
 */
export const parseXml = (source: string): Element => {
  const text = withCharacters(source.replace(/^\uFEFF/, '').replace(lateDeclaration, '$1'));
  const parser = new SaxesParser();
  const open: Draft[] = [];
  let root: Draft | null = null;
  const fail = (message: string): never => { throw new ReportError(`line ${parser.line}`, message); };
  parser.on('error', ({ message }) => {
    const reason = message.replace(/^\d+:\d+: /, '');
    if (reason !== 'disallowed character.' || text[parser.position - 1] === '<') fail(`invalid XML: ${reason}`);
  });
  parser.on('doctype', (type) => { if (!/^\s*[\w:.-]+\s*$/.test(type)) fail('document types are not supported'); });
  parser.on('opentag', ({ name, attributes, isSelfClosing: isSelfClosed }) => {
    if (open.length === maxDepth) fail(`elements are nested more than ${maxDepth} deep`);
    const element: Draft = { name, attributes, children: [], text: '', line: parser.line, isSelfClosed };
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  const append = (part: string) => { open.at(-1)!.text += part; };
  parser.on('text', (part) => { if (open.length > 0) append(part); });
  parser.on('cdata', append);
  parser.on('closetag', () => { open.pop(); });
  parser.write(text).close();
  return root ?? fail('expected an XML document');
};

/** Scripts print empty lines above the output of a tool; they count for the places of mistakes. */
const lateDeclaration = /^(\s+)<\?xml\s[^>]{0,200}\?>/;

const withCharacters = (source: string): string => {
  const character = (found: string, hex: string | undefined, decimal: string | undefined): string => {
    const code = hex === undefined ? Number(decimal ?? NaN) : Number.parseInt(hex, 16);
    return isDisallowed(code) ? String.fromCharCode(code) : found;
  };
  return source.replace(reference, character).toWellFormed();
};

/** In a section of characters, a reference is plain text. */
const reference = /<!\[CDATA\[[^]*?(?:\]\]>|$)|&#(?:x([\da-f]{1,9})|(\d{1,9}));/gi;

const isDisallowed = (code: number): boolean => (code < 0x20 && ![0x9, 0xa, 0xd].includes(code))
  || (code >= 0xd800 && code <= 0xdfff) || code === 0xfffe || code === 0xffff;

export const rootNamed = (source: string, ...names: readonly string[]): Element => {
  const root = parseXml(source);
  if (names.includes(root.name)) return root;
  throw new ReportError(`line ${root.line}`, `expected <${names.join('> or <')}>, got <${root.name}>`);
};

const attribute = ({ name, attributes, line }: Element, wanted: string): string => {
  const value = attributes[wanted];
  if (value !== undefined) return value;
  throw new ReportError(`line ${line}`, `expected the attribute ${wanted} on <${name}>`);
};

export const reasonIn = ({ name, attributes, text }: Element): string =>
  attributes['message']?.trim() || text.trim().split(/\r?\n/)[0]! || `<${name}> without a text`;

/**
 * Many tools write the format, and it does not name them. PHPStan reports errors of its own in a file without a name.
 * @throws ReportError
 */
export const readCheckstyle = (source: string): Report => {
  const root = rootNamed(source, 'checkstyle');
  const isPlaceless = ({ attributes, children }: Element) => attributes['name'] === undefined && children.length > 0;
  const all = root.children.filter(({ name }) => name === 'file');
  const files = all.filter((file) => !isPlaceless(file));
  const problems = [
    ...root.children.filter(({ name }) => name !== 'file'),
    ...all.filter(isPlaceless).flatMap(({ children }) => children),
    ...files.flatMap(({ children }) => children.filter(({ name }) => name !== 'error')),
  ];
  return reportOf([], files.flatMap(errorsOfFile),
    problems.map((element) => ({ place: `line ${element.line}`, message: reasonIn(element) })));
};

const errorsOfFile = (file: Element): Finding[] => {
  const path = attribute(file, 'name');
  return file.children.filter(({ name }) => name === 'error').map((error) => {
    const { line, column, severity, source, message } = error.attributes;
    const rule = source ? source.replace(beforeRule, '') : null;
    return findingOf({
      file: path, line: numberIn(line), column: numberIn(column), ...levelFrom(severity, checkstyleLevels, 'error'),
      rule, message: message ?? rule ?? attribute(error, 'message'),
      ...source && unparsed.test(source) && { isFatal: true },
    });
  });
};

/** Checkstyle itself reports in the name of these classes that it could not parse a file. */
const unparsed = /^com\.puppycrawl\.tools\.checkstyle\.(?:TreeWalker|Checker)$/;

const checkstyleLevels = new Map<unknown, Level>(
  [['ignore', 'note'], ['info', 'note'], ['warning', 'warning'], ['error', 'error']]);

/**
 * The rule of `com.puppycrawl.tools.checkstyle.checks.LineLengthCheck` is its last part. Names of other tools have dots
 * too.
 */
const beforeRule = new RegExp([
  '^(?:(?:com|org|net|io|edu)\\.(?:\\w+\\.)+', '(?:\\w+\\.)?rules\\.',
  '(?:failure\\.tslint|tslint|jshint|detekt|ShellCheck)\\.)(?=[\\w@])',
].join('|'));
