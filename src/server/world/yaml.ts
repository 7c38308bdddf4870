import { KindGuard, type TSchema } from '@sinclair/typebox';
import {
  isMap, isScalar, isSeq, LineCounter, parseDocument, visit, type Document, type Pair, type YAMLMap,
  type YAMLParseError,
} from 'yaml';
import { WorldError, type Path, type Problem } from './problem.js';
import { World } from './schema.js';

/** A parsed text, and the lines of its values. */
export interface Parsed {
  readonly value: unknown;
  readonly lineOf: (problem: Pick<Problem, 'path' | 'atKey'>) => number;
}

/**
 * Parses YAML or JSON. Scalars in place of text stay text, even if YAML reads them as numbers, such as a SHA of digits.
 * @throws WorldError if it is not YAML, repeats a key, or expands without bounds
 */
export const parseWorld = (text: string, file: string): Parsed => {
  const lines = new LineCounter();
  const errorAt = (reason: string, at: number) => new WorldError(reason, null, file, lines.linePos(at).line);
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
    const [error] = document.errors;
    if (error) throw errorAt(reasonOf(error), error.pos[0]);
    const twice = duplicateKey(document);
    if (twice !== undefined) throw errorAt('duplicate key', twice);
    restoreText(document.contents, World);
    const value: unknown = document.toJS();
    const pairs = pairsByKey();
    return { value, lineOf: ({ path, atKey }) => lines.linePos(startOf(document, pairs, path, atKey)).line };
  } catch (cause) {
    if (cause instanceof WorldError) throw cause;
    throw new WorldError((cause as Error).message, null, file, null, { cause });
  }
};

/** Replaces messages of the library that refer to the library. */
const reasonOf = ({ code, message }: YAMLParseError): string => {
  if (code === 'MULTIPLE_DOCS') return 'a second document starts here; a world is a single document';
  return /call stack/.test(message) ? 'nested too deeply' : message;
};

/** The key of a pair as text; undefined if it is a list, a map or an alias. */
const keyOf = ({ key }: Pair): string | undefined => isScalar(key) ? String(key.value ?? '') : undefined;

/**
 * The offset of the first repeated key. The library compares each key with all previous ones of its map, which takes
 * minutes for 100,000 keys.
 */
const duplicateKey = (document: Document): number | undefined => {
  let first: number | undefined;
  visit(document, { Map: (_, map) => {
    const keys = new Set<string>();
    for (const pair of map.items) {
      const key = keyOf(pair);
      const start = key !== undefined && keys.has(key) ? rangeOf(pair.key)?.[0] : undefined;
      if (start !== undefined && (first === undefined || start < first)) first = start;
      if (key !== undefined) keys.add(key);
    }
  } });
  return first;
};

const restoreText = (node: unknown, shape: TSchema | undefined): void => {
  if (shape === undefined) return;
  if (isMap(node)) for (const pair of node.items) restoreText(pair.value, shapeAt(shape, pair));
  else if (isSeq(node)) for (const item of node.items) restoreText(item, shape['items'] as TSchema | undefined);
  else if (isScalar(node) && KindGuard.IsString(shape) && node.value !== null && node.source !== undefined) {
    if (typeof node.value !== 'string') node.value = node.source;
  }
};

const shapeAt = (shape: TSchema, pair: Pair): TSchema | undefined => {
  const properties = shape['properties'] as Readonly<Record<string, TSchema>> | undefined;
  const key = keyOf(pair);
  return key === undefined ? undefined : properties?.[key];
};

type PairOf = (map: YAMLMap, key: string) => Pair | undefined;

/** Finds pairs by key with an index per map. */
const pairsByKey = (): PairOf => {
  const known = new Map<YAMLMap, ReadonlyMap<string | undefined, Pair>>();
  return (map, key) => {
    const pairs = known.get(map) ?? new Map(map.items.map((pair) => [keyOf(pair), pair]));
    known.set(map, pairs);
    return pairs.get(key);
  };
};

/** The offset of a value or its key, or else of the closest enclosing value. */
const startOf = ({ contents }: Document, pairOf: PairOf, path: Path, atKey = false): number => {
  let node: unknown = contents;
  let start = rangeOf(node)?.[0] ?? 0;
  path.forEach((step, i) => {
    const pair = isMap(node) ? pairOf(node, String(step)) : undefined;
    const item: unknown = isSeq(node) ? node.items[Number(step)] : undefined;
    node = pair ? pair.value : item;
    start = rangeOf(pair && atKey && i === path.length - 1 ? pair.key : node)?.[0] ?? start;
  });
  return start;
};

const rangeOf = (node: unknown): readonly number[] | null | undefined =>
  (node as { readonly range?: readonly number[] | null } | null | undefined)?.range;
