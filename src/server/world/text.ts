import { checkWorld } from './check.js';
import { parseWorld } from './parse.js';
import { plainJson } from './plain-json.js';
import { WorldError, type Problem } from './problem.js';
import type { World } from './shape.js';

/**
 * A checked world from its text, YAML or JSON.
 * @param source what to call the text in an error: its file
 * @param prepare completes the value before it is checked, and tells what is wrong with it
 * @throws WorldError with source, line and reason
 */
export const worldFrom = (
  text: string, source: string, prepare: (value: unknown) => readonly Problem[] = () => [],
): World => {
  const checked = (value: unknown) => {
    const problems = prepare(value);
    return problems.length > 0 ? { problems } : checkWorld(value);
  };
  const plain = plainJson(text);
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
