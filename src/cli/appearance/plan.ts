import * as Type from '@sinclair/typebox';
import { isUpload } from '../../wire/http.js';
import { jsonOrNull } from '../../wire/json.js';
import { type Problem, usage } from '../command-line/failure.js';
import { plainLine } from '../../text/plain.js';
import {
  type AppearanceChanges, checkUnmoved, type Difference, type Field, fields, type FieldValue, isImageField,
} from './values.js';
import { uploadOf } from './images.js';
import type { LiveAppearance } from './live.js';

const Image = Type.Object({
  name: Type.String(),
  size: Type.Union([Type.Number(), Type.Null()]),
  sha256: Type.Union([Type.String(), Type.Null()]),
});

const SavedPlan = Type.Object({
  plan: Type.Literal('colloquy appearance'),
  version: Type.Literal(1),
  url: Type.Union([Type.String(), Type.Null()]),
  changes: Type.Array(Type.Object({
    field: Type.Union(fields.map((field) => Type.Literal(field))),
    live: Type.Union([Type.String(), Type.Boolean(), Image, Type.Null()]),
    wanted: Type.Union([
      Type.String(), Type.Boolean(), Type.Object({ filename: Type.String(), base64: Type.String() }),
    ]),
  })),
});

interface Plan {
  /** Base URL of the instance; null in the sandbox. */
  readonly url: string | null;
  readonly expected: readonly FieldValue[];
  readonly values: AppearanceChanges;
}

/** The text has the instance, the live state of the fields that change, and their new values with all images. */
export const planText = (
  url: string | null, differences: readonly Difference[], values: AppearanceChanges,
): string => {
  const changes = differences.map(({ field, live }) => {
    const value = values[field];
    const wanted = isUpload(value)
      ? { filename: value.filename, base64: Buffer.from(value.bytes).toString('base64') } : value;
    return { field, live, wanted };
  });
  const saved = { plan: 'colloquy appearance', version: 1, url, changes };
  return `${JSON.stringify(saved, null, 2)}\n`;
};

export const readPlan = async (text: string, path: string): Promise<Plan> => {
  const { Value: values } = await import('@sinclair/typebox/value');
  const saved = jsonOrNull(text);
  if (!values.Check(SavedPlan, saved)) throw invalid(path);
  const entries = await Promise.all(saved.changes.map(async ({ field, wanted }) => {
    const value = await valueFrom(field, wanted);
    if (value === null) throw invalid(path);
    return [field, value];
  }));
  const expected = saved.changes.map(({ field, live }) => ({ field, value: live }));
  return { url: saved.url, expected, values: Object.fromEntries(entries) as AppearanceChanges };
};

const invalid = (path: string): Problem =>
  usage(`${path} is not a plan that this version can apply`, 'save a new one with --save-plan');

const valueFrom = async (field: Field, wanted: Type.Static<typeof SavedPlan>['changes'][number]['wanted']) => {
  if (typeof wanted === 'object') {
    return isImageField(field) ? uploadOf(wanted.filename, Buffer.from(wanted.base64, 'base64')) : null;
  }
  const isSwitch = field === 'email_header_and_footer_enabled';
  return !isImageField(field) && (typeof wanted === 'boolean') === isSwitch ? wanted : null;
};

/** @throws Problem for another instance, and unless `isMade` if live values of its fields have changed */
export const checkPlan = (plan: Plan, live: LiveAppearance, url: string | null, isMade: boolean): void => {
  if (plan.url !== url) {
    throw usage(`the plan is for ${plainLine(plan.url ?? 'the sandbox')}, not for ${plainLine(url ?? 'the sandbox')}`,
      'pass the --url of the plan, or save a new plan');
  }
  if (!isMade) checkUnmoved(plan.expected, live, 'the plan was saved', `\n${newPlan}`);
};

const newPlan = 'save a new plan with `colloquy appearance apply FILE --save-plan PLAN`';
