import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { KindGuard, type TSchema } from '@sinclair/typebox';
import { isMap, isScalar, isSeq, type Pair, type YAMLMap } from 'yaml';
import { imageFields } from '../../contract/appearance.js';
import { logoLimit } from '../../contract/conventions.js';
import { readReasons } from '../../text/messages.js';
import { isError } from '../../wire/json.js';
import { fixYaml, nodeStart, parseJsonObject } from '../../yaml/limits.js';
import { readYamlOr, restoreText, type YamlText } from '../../yaml/read.js';
import { errorOfProblems, problemAt, WorldError, type WorldProblem } from './problem.js';
import { World, type WorldImage } from './schema.js';
import { validateWorld } from './validate.js';

/** Reads a world in YAML or JSON, with the images it refers to. @throws WorldError with file, line and reason */
export const readWorld = (file: string): World =>
  worldFrom(readText(file), file, (value) => readImages(value, dirname(resolve(file))));

const readText = (file: string): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (cause) {
    const reason = isError(cause) && cause.name === 'TypeError' ? 'not UTF-8 text' : readProblem(cause);
    throw new WorldError(reason, 'check the path', file, null, { cause });
  }
};

const readProblem = (error: unknown): string => {
  const code = isError(error) && 'code' in error ? String(error.code) : String(error);
  return readReasons[code] ?? `cannot be read (${code})`;
};

const readImages = (world: unknown, folder: string): WorldProblem[] => {
  const appearance = (world as { appearance?: Record<string, unknown> } | null)?.appearance;
  if (typeof appearance !== 'object' || appearance === null) return [];
  return imageFields.flatMap((mount) => {
    const named = appearance[mount];
    if (typeof named !== 'string') return [];
    try {
      appearance[mount] = imageFrom(folder, named);
      return [];
    } catch (error) {
      const why = error instanceof RangeError ? ` ${error.message}` : `: ${readProblem(error)}`;
      return [problemAt(['appearance', mount], `: ${named}${why}`)];
    }
  });
};

/** @throws RangeError for a path outside of the folder, for something else than a file, and for a large file */
const imageFrom = (folder: string, named: string): WorldImage => {
  const file = realpathSync(resolve(folder, named));
  const way = relative(realpathSync(folder), file);
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) {
    throw new RangeError('is outside the folder of the world file');
  }
  return { file_name: basename(named), content: imageBytes(file).toString('base64') };
};

const imageBytes = (file: string): Buffer => {
  // Opening a pipe would wait for a writer.
  const opened = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(opened);
    if (!stats.isFile()) throw new RangeError('is not a file');
    if (stats.size > logoLimit) throw new RangeError(`is larger than ${logoLimit} bytes`);
    return readFileSync(opened);
  } finally {
    closeSync(opened);
  }
};

/** @param source names the text in errors @param prepare completes the value first @throws WorldError with the line */
export const worldFrom = (
  text: string, source: string, prepare: (value: unknown) => readonly WorldProblem[] = () => [],
): World => {
  const checked = (value: unknown) => {
    const problems = prepare(value);
    return problems.length > 0 ? { problems } : validateWorld(value);
  };
  const plain = parseJsonObject(text);
  const read = plain === undefined ? { problems: [] } : checked(plain);
  if ('world' in read) return read.world;
  const parsed = plain === undefined ? parseShaped(text, source, World) : parsedIfSmall(text, source);
  if (!parsed) throw errorOfProblems(read.problems, source);
  const outcome = checked(parsed.value);
  if ('world' in outcome) return outcome.world;
  const placed = outcome.problems.map((problem) => ({ ...problem, line: parsed.lineOf(problem) }));
  throw errorOfProblems(placed.sort((a, b) => a.line - b.line), source);
};

/** Null for JSON that is too large for the YAML reader, which knows the lines. */
const parsedIfSmall = (text: string, source: string): Parsed | null => {
  try {
    return parseShaped(text, source, World);
  } catch (error) {
    if (error instanceof WorldError) return null;
    throw error;
  }
};

type PlacedProblem = Pick<WorldProblem, 'path' | 'atKey'>;

interface Parsed { readonly value: unknown; readonly lineOf: (problem: PlacedProblem) => number }

/**
 * A scalar where the shape has text stays text, such as a SHA of digits. @param shape says where there are texts
 * @throws WorldError, also for repeated keys and limits
 */
export const parseShaped = (text: string, file: string, shape: TSchema): Parsed => {
  const yaml = readYamlOr(text, (cause) => {
    const { message, hint, place: { line, column } } = cause;
    const isJson = hint === fixYaml && /\.json$/i.test(file);
    const [reason, advice] = isJson ? [`invalid JSON at column ${column}`, 'fix the JSON'] : [message, hint];
    return new WorldError(reason, advice, file, line, { cause });
  });
  restoreTexts(yaml.contents, shape);
  const pairOf = pairsByKey();
  return { value: yaml.value(), lineOf: (problem) => yaml.placeAt(problemOffset(yaml, pairOf, problem)).line };
};

const pairKey = ({ key }: Pair): string | undefined => isScalar(key) ? String(key.value ?? '') : undefined;

const restoreTexts = (node: unknown, shape: TSchema | undefined): void => {
  if (shape === undefined) return;
  if (KindGuard.IsUnion(shape)) {
    if (!shape.anyOf.some(KindGuard.IsInteger)) for (const member of shape.anyOf) restoreTexts(node, member);
  } else if (isMap(node)) for (const pair of node.items) restoreTexts(pair.value, shapeAt(shape, pair));
  else if (isSeq(node)) for (const item of node.items) restoreTexts(item, shape['items'] as TSchema | undefined);
  else if (isScalar(node) && KindGuard.IsString(shape)) restoreText(node);
};

const shapeAt = (shape: TSchema, pair: Pair): TSchema | undefined => {
  const { properties, patternProperties } = shape as Readonly<Record<string, Readonly<Record<string, TSchema>>>>;
  const key = pairKey(pair);
  return key === undefined ? undefined : properties?.[key] ?? Object.values(patternProperties ?? {})[0];
};

type PairOf = (map: YAMLMap, key: string) => Pair | undefined;

const pairsByKey = (): PairOf => {
  const known = new Map<YAMLMap, ReadonlyMap<string | undefined, Pair>>();
  return (map, key) => {
    const pairs = known.get(map) ?? new Map(map.items.map((pair) => [pairKey(pair), pair]));
    known.set(map, pairs);
    return pairs.get(key);
  };
};

const problemOffset = ({ contents }: YamlText, pairOf: PairOf, { path, atKey }: PlacedProblem): number => {
  let node: unknown = contents;
  let start = nodeStart(node) ?? 0;
  path.forEach((step, i) => {
    const pair = isMap(node) ? pairOf(node, String(step)) : undefined;
    const item: unknown = isSeq(node) ? node.items[Number(step)] : undefined;
    node = pair ? pair.value : item;
    start = nodeStart(pair && atKey && i === path.length - 1 ? pair.key : node) ?? start;
  });
  return start;
};
