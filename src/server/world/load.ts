import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { logoLimit } from '../../contract/conventions.js';
import { formatPath, WorldError, type Problem } from './problem.js';
import { mounts, type World, type WorldImage } from './schema.js';
import { validateWorld } from './validate.js';
import { parseWorld } from './yaml.js';

/**
 * Reads a world file (YAML or JSON) and the images it refers to.
 * @throws WorldError with file, line and reason if it cannot be read or is invalid
 */
export const readWorld = (file: string): World =>
  worldFrom(textOf(file), file, (value) => readImages(value, dirname(resolve(file))));

const textOf = (file: string): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (cause) {
    const reason = cause instanceof TypeError ? 'not UTF-8 text' : `cannot be read (${codeOf(cause)})`;
    throw new WorldError(reason, null, file, null, { cause });
  }
};

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);

/** Replaces the paths of images by their contents. */
const readImages = (world: unknown, folder: string): Problem[] => {
  const appearance = (world as { appearance?: Record<string, unknown> } | null)?.appearance;
  if (typeof appearance !== 'object' || appearance === null) return [];
  return mounts.flatMap((mount) => {
    const path = ['appearance', mount];
    const named = appearance[mount];
    if (typeof named !== 'string') return [];
    try {
      appearance[mount] = imageFrom(resolve(folder, named));
      return [];
    } catch (error) {
      const why = error instanceof RangeError ? error.message : `cannot be read (${codeOf(error)})`;
      return [{ path, reason: `${formatPath(path)}: ${named} ${why}` }];
    }
  });
};

/** @throws RangeError if it is not a file, or larger than an image may be (wire-facts 5.3) */
const imageFrom = (file: string): WorldImage => {
  const stats = statSync(file);
  if (!stats.isFile()) throw new RangeError('is not a file');
  if (stats.size > logoLimit) throw new RangeError(`is larger than ${logoLimit} bytes`);
  return { file_name: basename(file), content: readFileSync(file).toString('base64') };
};

/**
 * Parses and validates a world in YAML or JSON.
 * @param source the name of the text in errors
 * @param prepare completes the value before it is validated, and returns problems
 * @throws WorldError with source, line and reason
 */
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
  const { value, lineOf } = parseWorld(text, source);
  const outcome = checked(value);
  if ('world' in outcome) return outcome.world;
  const placed = outcome.problems.map((problem) => ({ ...problem, line: lineOf(problem) }));
  const { reason, hint, line } = placed.sort((a, b) => a.line - b.line)[0]!;
  const others = placed.length > 1 ? ` (and ${placed.length - 1} more)` : '';
  throw new WorldError(`${reason}${others}`, hint?.() ?? null, source, line);
};

/**
 * The value of a JSON text; undefined if it is not JSON or repeats a key: the YAML parser, which takes four times the
 * memory, then reports where.
 */
export const parseJson = (text: string): unknown => {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return keysIn(value) === colonsIn(text) ? value : undefined;
  } catch {
    return undefined;
  }
};

/** Counts keys; a repeated key counts once. */
const keysIn = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0;
  const parts: readonly unknown[] = Object.values(value);
  const own = Array.isArray(value) ? 0 : parts.length;
  return parts.reduce<number>((sum, part) => sum + keysIn(part), own);
};

/** Counts colons outside of strings: one per key. */
const colonsIn = (text: string): number => {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === 0x3a) count++;
    else if (char === 0x22) at = endOfString(text, at);
  }
  return count;
};

/** The index of the closing quote of a string. */
const endOfString = (text: string, start: number): number => {
  for (let at = text.indexOf('"', start + 1); ; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return at;
  }
};
