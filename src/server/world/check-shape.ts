import type { TSchema } from '@sinclair/typebox';
import { Value, ValueErrorType, type ValueError } from '@sinclair/typebox/value';
import { didYouMean } from './nearest.js';
import { placeOf, type Path, type Problem } from './problem.js';
import { World } from './shape.js';

/** So many are told at most. */
const most = 100;

/** What of a value isn't a world, in the order of the world. */
export const shapeProblems = (value: unknown): Problem[] => {
  const problems: Problem[] = [];
  for (const error of Value.Errors(World, value)) {
    if (problems.push(problemOf(error)) === most) break;
  }
  return problems;
};

const problemOf = (error: ValueError): Problem => {
  const path = pathOf(error.path);
  if (error.type === ValueErrorType.ObjectAdditionalProperties) return unknownKey(path, error.schema);
  const expected = String(error.schema['expects']);
  return { path, reason: `${placeOf(path)} must be ${expected}, not ${shown(error.value)}` };
};

const unknownKey = (path: Path, schema: TSchema): Problem => {
  const key = String(path.at(-1));
  const known = Object.keys(schema['properties'] as object);
  const parent = placeOf(path.slice(0, -1));
  return {
    path, atKey: true, reason: `${parent} has no key ${JSON.stringify(key)}`,
    hint: () => didYouMean(key, known) ?? `Keys here are ${known.join(', ')}.`,
  };
};

/** A JSON pointer as keys and indexes. */
const pathOf = (pointer: string): Path => pointer.split('/').slice(1)
  .map((step) => /^\d+$/.test(step) ? Number(step) : step.replaceAll('~1', '/').replaceAll('~0', '~'));

const shown = (value: unknown): string => {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'keys and values';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…"` : text;
};
