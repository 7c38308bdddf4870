import { KindGuard, type TSchema } from '@sinclair/typebox';
import { isMap, isScalar, isSeq, type Pair, type YAMLMap } from 'yaml';
import { startOf, YamlError } from '../../yaml/limits.js';
import { readYaml, type YamlText } from '../../yaml/read.js';
import { WorldError, type Path, type Problem } from './problem.js';
import { World } from './schema.js';

export interface Parsed {
  readonly value: unknown;
  readonly lineOf: (problem: Pick<Problem, 'path' | 'atKey'>) => number;
}

/** Scalars in place of text stay text, such as a SHA of digits. @throws WorldError, for repeated keys and limits */
export const parseWorld = (text: string, file: string): Parsed => parseShaped(text, file, World);

/** @param shape says where there are texts @throws WorldError */
export const parseShaped = (text: string, file: string, shape: TSchema): Parsed => {
  const yaml = readOrFail(text, file);
  restoreText(yaml.contents, shape);
  const pairs = pairsByKey();
  return { value: yaml.value(), lineOf: ({ path, atKey }) => yaml.placeAt(offsetOf(yaml, pairs, path, atKey)).line };
};

const readOrFail = (text: string, file: string): YamlText => {
  try {
    return readYaml(text);
  } catch (cause) {
    if (!(cause instanceof YamlError)) throw cause;
    throw new WorldError(cause.message, cause.hint, file, cause.place.line, { cause });
  }
};

/** Undefined if it is a list, a map or an alias. */
const keyOf = ({ key }: Pair): string | undefined => isScalar(key) ? String(key.value ?? '') : undefined;

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

/** With an index per map. */
const pairsByKey = (): PairOf => {
  const known = new Map<YAMLMap, ReadonlyMap<string | undefined, Pair>>();
  return (map, key) => {
    const pairs = known.get(map) ?? new Map(map.items.map((pair) => [keyOf(pair), pair]));
    known.set(map, pairs);
    return pairs.get(key);
  };
};

/** Of the closest enclosing value if there is none. */
const offsetOf = ({ contents }: YamlText, pairOf: PairOf, path: Path, atKey = false): number => {
  let node: unknown = contents;
  let start = startOf(node) ?? 0;
  path.forEach((step, i) => {
    const pair = isMap(node) ? pairOf(node, String(step)) : undefined;
    const item: unknown = isSeq(node) ? node.items[Number(step)] : undefined;
    node = pair ? pair.value : item;
    start = startOf(pair && atKey && i === path.length - 1 ? pair.key : node) ?? start;
  });
  return start;
};
