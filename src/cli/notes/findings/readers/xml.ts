import { SaxesParser } from 'saxes';
import { ReportError } from '../finding.js';

/** The text is that directly inside it. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  readonly text: string;
  /** Of the opening tag. */
  readonly line: number;
}

interface Draft extends Element { readonly children: Draft[]; text: string }

/** Deeper than any report; the parser keeps a stack. */
const maxDepth = 100;

/**
 * Document types are rejected, so that no document can declare entities; the parser expands the five of XML itself and
 * character references only.
 * @throws ReportError with the line of the mistake
 */
export const parseXml = (source: string): Element => {
  const parser = new SaxesParser();
  const open: Draft[] = [];
  let root: Draft | null = null;
  const fail = (message: string): never => { throw new ReportError(`line ${parser.line}`, message); };
  parser.on('error', (error) => fail(`invalid XML: ${error.message.replace(/^\d+:\d+: /, '')}`));
  parser.on('doctype', () => fail('document types are not supported'));
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length === maxDepth) fail(`elements are nested more than ${maxDepth} deep`);
    const element: Draft = { name, attributes, children: [], text: '', line: parser.line };
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  const append = (text: string) => { open.at(-1)!.text += text; };
  parser.on('text', (text) => { if (open.length > 0) append(text); });
  parser.on('cdata', append);
  parser.on('closetag', () => { open.pop(); });
  parser.write(source.replace(/^\uFEFF/, '')).close();
  return root ?? fail('expected an XML document');
};

/** @throws ReportError if it has another name */
export const rootNamed = (source: string, ...names: readonly string[]): Element => {
  const root = parseXml(source);
  if (names.includes(root.name)) return root;
  throw new ReportError(`line ${root.line}`, `expected <${names.join('> or <')}>, got <${root.name}>`);
};

/** @throws ReportError if it is missing */
export const attribute = ({ name, attributes, line }: Element, wanted: string): string => {
  const value = attributes[wanted];
  if (value !== undefined) return value;
  throw new ReportError(`line ${line}`, `expected the attribute ${wanted} on <${name}>`);
};

/** Of the message or the text. */
export const reasonIn = ({ name, attributes, text }: Element): string =>
  attributes['message']?.trim() || text.trim().split(/\r?\n/)[0]! || `<${name}> without a text`;

/** Null if it is missing or not positive. */
export const numberIn = (value: string | undefined): number | null =>
  value !== undefined && /^[1-9]\d{0,8}$/.test(value.trim()) ? Number(value) : null;
