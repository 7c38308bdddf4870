import { KindGuard, type TSchema } from '@sinclair/typebox';
import {
  isMap, isScalar, isSeq, LineCounter, parseDocument, type Document, type Pair, type YAMLParseError,
} from 'yaml';
import { WorldError, type Path, type Problem } from './problem.js';
import { World } from './shape.js';

/** A text read as YAML or JSON, and the way back to its lines. */
export interface Parsed {
  readonly value: unknown;
  readonly lineOf: (problem: Pick<Problem, 'path' | 'atKey'>) => number;
}

/**
 * Reads a world's text. What stands where text is wanted is text, though YAML takes it for a number: a SHA of digits.
 * @throws WorldError where it is no YAML, has a key twice, or spreads without bounds
 */
export const parseWorld = (text: string, file: string): Parsed => {
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
    const [error] = document.errors;
    if (error) throw new WorldError(reasonOf(error), null, file, lines.linePos(error.pos[0]).line);
    keepText(document.contents, World);
    const value: unknown = document.toJS();
    return { value, lineOf: ({ path, atKey }) => lines.linePos(startOf(document, path, atKey)).line };
  } catch (cause) {
    if (cause instanceof WorldError) throw cause;
    throw new WorldError((cause as Error).message, null, file, null, { cause });
  }
};

/** In this file's words where the library's speak of the library. */
const reasonOf = ({ code, message }: YAMLParseError): string => {
  if (code === 'DUPLICATE_KEY') return 'this key stands here twice';
  if (code === 'MULTIPLE_DOCS') return 'a second document begins here; a world is one';
  return /call stack/.test(message) ? 'it is nested too deep' : message;
};

const keepText = (node: unknown, shape: TSchema | undefined): void => {
  if (shape === undefined) return;
  if (isMap(node)) for (const pair of node.items) keepText(pair.value, shapeAt(shape, pair));
  else if (isSeq(node)) for (const item of node.items) keepText(item, shape['items'] as TSchema | undefined);
  else if (isScalar(node) && KindGuard.IsString(shape) && node.value !== null && node.source !== undefined) {
    if (typeof node.value !== 'string') node.value = node.source;
  }
};

const shapeAt = (shape: TSchema, { key }: Pair): TSchema | undefined => {
  const properties = shape['properties'] as Readonly<Record<string, TSchema>> | undefined;
  return isScalar(key) ? properties?.[String(key.value)] : undefined;
};

/** Where a value or its key begins; where it has no place of its own, what it stands in. */
const startOf = (document: Document, path: Path, atKey = false): number => {
  for (let length = path.length; length >= 0; length--) {
    const own = atKey && length === path.length ? keyAt(document, path) : document.getIn(path.slice(0, length), true);
    const range = (own as { readonly range?: readonly number[] | null } | undefined)?.range;
    if (range) return range[0]!;
  }
  return 0;
};

const keyAt = (document: Document, path: Path): unknown => {
  const parent = document.getIn(path.slice(0, -1), true);
  if (!isMap(parent)) return undefined;
  return parent.items.find(({ key }) => isScalar(key) && String(key.value) === String(path.at(-1)))?.key;
};
