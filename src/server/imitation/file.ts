import type { Imitation } from '../../contract/imitation.js';
import { WorldError, type Problem } from '../world-file/problem.js';
import { shapeProblems, withoutNulls } from '../world-file/validate.js';
import { parseShaped } from '../world-file/load.js';
import { compiledImitation } from './deviations.js';
import { ImitationShape } from './schema.js';

/** YAML or JSON, as `conformance --save` writes it. @param source names the text in errors @throws WorldError */
export const imitationFrom = (text: string, source: string): Imitation => {
  const { value, lineOf } = parseShaped(text, source, ImitationShape);
  const given = withoutNulls(value ?? {});
  const [problem] = problemsOf(given);
  if (problem === undefined) return given as Imitation;
  const { reason, hint } = problem;
  throw new WorldError(reason.replace('the world', 'the file'), hint?.() ?? null, source, lineOf(problem));
};

/** @throws WorldError for an option of the library */
export const checkedImitation = (given: Imitation): Imitation => {
  const [problem] = problemsOf(given);
  if (problem === undefined) return given;
  throw new WorldError(`like: ${problem.reason}`, problem.hint?.() ?? null);
};

const problemsOf = (given: unknown): readonly Problem[] => {
  const shape = shapeProblems(given, ImitationShape);
  return shape.length > 0 ? shape : compiledImitation(given as Imitation).problems;
};
