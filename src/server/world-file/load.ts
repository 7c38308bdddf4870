import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { imageFields } from '../../contract/appearance.js';
import { logoLimit } from '../../contract/conventions.js';
import { readReasons } from '../../text/read-reasons.js';
import { parseJson } from '../../yaml/json.js';
import { formatPath, WorldError, type Problem } from './problem.js';
import type { World, WorldImage } from './schema.js';
import { validateWorld } from './validate.js';
import { parseWorld, type Parsed } from './yaml.js';

/** YAML or JSON, with the images it refers to. @throws WorldError with file, line and reason */
export const readWorld = (file: string): World =>
  worldFrom(textOf(file), file, (value) => readImages(value, dirname(resolve(file))));

const textOf = (file: string): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (cause) {
    const reason = cause instanceof TypeError ? 'not UTF-8 text' : readProblem(cause);
    throw new WorldError(reason, 'check the path', file, null, { cause });
  }
};

const readProblem = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return readReasons[code] ?? `cannot be read (${code})`;
};

/** Replaces the paths of images by their contents. */
const readImages = (world: unknown, folder: string): Problem[] => {
  const appearance = (world as { appearance?: Record<string, unknown> } | null)?.appearance;
  if (typeof appearance !== 'object' || appearance === null) return [];
  return imageFields.flatMap((mount) => {
    const path = ['appearance', mount];
    const named = appearance[mount];
    if (typeof named !== 'string') return [];
    try {
      appearance[mount] = imageFrom(folder, named);
      return [];
    } catch (error) {
      const why = error instanceof RangeError ? ` ${error.message}` : `: ${readProblem(error)}`;
      return [{ path, reason: `${formatPath(path)}: ${named}${why}` }];
    }
  });
};

/**
 * @throws RangeError if it is not a file in the folder, or larger than an image may be
 */
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
  text: string, source: string, prepare: (value: unknown) => readonly Problem[] = () => [],
): World => {
  const checked = (value: unknown) => {
    const problems = prepare(value);
    return problems.length > 0 ? { problems } : validateWorld(value);
  };
  const plain = parseJson(text);
  const read = plain === undefined ? { problems: [] } : checked(plain);
  if ('world' in read) return read.world;
  const parsed = plain === undefined ? parseWorld(text, source) : parsedIfSmall(text, source);
  if (!parsed) throw errorOf(read.problems.map((problem) => ({ ...problem, line: null })), source);
  const outcome = checked(parsed.value);
  if ('world' in outcome) return outcome.world;
  const placed = outcome.problems.map((problem) => ({ ...problem, line: parsed.lineOf(problem) }));
  throw errorOf(placed.sort((a, b) => a.line - b.line), source);
};

/** Null for JSON that is too large for the YAML reader, which knows the lines. */
const parsedIfSmall = (text: string, source: string): Parsed | null => {
  try {
    return parseWorld(text, source);
  } catch (error) {
    if (error instanceof WorldError) return null;
    throw error;
  }
};

const errorOf = (problems: readonly (Problem & { readonly line: number | null })[], source: string): WorldError => {
  const { reason, hint, line } = problems[0]!;
  const others = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  return new WorldError(`${reason}${others}`, hint?.() ?? null, source, line);
};
