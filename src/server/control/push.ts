import * as Type from '@sinclair/typebox';
import { isStorableText } from '../../contract/conventions.js';
import { patchProblem } from '../../diff/patch.js';
import { parseJsonObject } from '../../yaml/limits.js';
import { OperationError } from '../http/response.js';
import type { PushChange } from '../handlers/pushes/push.js';
import { isFilePath } from '../repositories/diffs.js';
import { shapeProblems } from '../world-file/validate.js';
import { parseShaped } from '../world-file/load.js';
import { WorldError } from '../world-file/problem.js';

const Text = Type.String({ format: 'world-text', expects: 'text' });
const Sha = Type.String({ pattern: '^[!-~]{1,255}$', expects: 'a SHA' });
const Id = { minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
const Files = Type.Optional(Type.Record(Type.String(), Type.Union([Text, Type.Null()], { expects: 'text or null' }),
  { expects: 'an object with a text, or null, for each path' }));

const Shape: Type.TSchema = Type.Object({
  project: Type.Union([Type.Integer(Id), Text], { expects: 'the id or the full path of a project' }),
  merge_request: Type.Integer({ ...Id, expects: 'the number of a merge request' }),
  base_sha: Type.Optional(Sha), start_sha: Type.Optional(Sha), head_sha: Type.Optional(Sha),
  diff: Type.Optional(Text), files: Files, base_files: Files,
  title: Type.Optional(Type.String({
    format: 'world-text', minLength: 1, maxLength: 255, pattern: '^[^\\n\\r]*$',
    expects: 'a text on one line, of at most 255 characters',
  })),
  force: Type.Optional(Type.Boolean({ expects: 'true or false' })),
}, { additionalProperties: false, expects: 'an object' });

/** From JSON or YAML, unchecked. @throws OperationError */
export const pushChangeFrom = (text: string): PushChange => {
  try {
    return (parseJsonObject(text) ?? parseShaped(text, 'request body', Shape).value) as PushChange;
  } catch (error) {
    if (error instanceof WorldError) throw new OperationError(400, error.message);
    throw error;
  }
};

/** @throws OperationError */
export const checkedPushChange = (value: unknown): PushChange => {
  const given = withoutNullKeys(value);
  const [problem] = shapeProblems(given, Shape, 'the push');
  if (problem) {
    const hint = problem.hint?.();
    throw new OperationError(400, [problem.reason, ...hint ? [hint] : []].join('; '));
  }
  const change = given as PushChange;
  checkTexts(change);
  return change;
};

const withoutNullKeys = (value: unknown): unknown => typeof value !== 'object' || value === null || Array.isArray(value)
  ? value : Object.fromEntries(Object.entries(value).filter(([, part]) => part !== null && part !== undefined));

const checkTexts = ({ diff, files, base_files }: PushChange): void => {
  if ((diff === undefined) === (files === undefined)) {
    throw new OperationError(422, `the push has ${diff === undefined ? 'neither' : 'both'} diff ${
      diff === undefined ? 'nor' : 'and'} files; pass one of them`);
  }
  const problem = diff === undefined ? null : patchProblem(diff);
  if (problem) throw new OperationError(422, `diff ${problem}; pass the output of git diff from the base to the head`);
  const path = Object.keys({ ...files, ...base_files }).find((each) => !isFilePath(each) || !isStorableText(each));
  if (path !== undefined) {
    throw new OperationError(422,
      `invalid path ${JSON.stringify(path)}; use a path such as src/app.ts, of at most 500 characters`);
  }
};
