import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { logoLimit } from '../../contract/conventions.js';
import { placeOf, WorldError, type Problem } from './problem.js';
import { mounts, type World, type WorldImage } from './shape.js';
import { worldFrom } from './text.js';

/**
 * Reads a world file (YAML or JSON) with the images it names.
 * @throws WorldError with file, line and reason where it can't be read or doesn't fit
 */
export const readWorld = (file: string): World =>
  worldFrom(textOf(file), file, (value) => readImages(value, dirname(resolve(file))));

const textOf = (file: string): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (cause) {
    const reason = cause instanceof TypeError ? 'it is not UTF-8 text' : `it can't be read (${codeOf(cause)})`;
    throw new WorldError(reason, null, file, null, { cause });
  }
};

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);

/** Puts the images themselves where the file names their paths. */
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
      const why = error instanceof RangeError ? error.message : `can't be read (${codeOf(error)})`;
      return [{ path, reason: `${placeOf(path)}: ${named} ${why}` }];
    }
  });
};

/** @throws RangeError where it is no file or larger than an image may be (wire-facts 5.3) */
const imageFrom = (file: string): WorldImage => {
  const stats = statSync(file);
  if (!stats.isFile()) throw new RangeError('is not a file');
  if (stats.size > logoLimit) throw new RangeError(`is larger than ${logoLimit} bytes`);
  return { file_name: basename(file), content: readFileSync(file).toString('base64') };
};
