export interface OptionKind {
  readonly fits: (value: unknown) => boolean;
  readonly form: string;
}

type OptionKinds = Readonly<Record<string, OptionKind>>;

const kind = (form: string, fits: OptionKind['fits']): OptionKind => ({ form, fits });

export const kinds = {
  text: kind('a text', (value) => typeof value === 'string'),
  switch: kind('true or false', (value) => typeof value === 'boolean'),
  milliseconds: kind('a number of milliseconds, 0 or more', (value) => typeof value === 'number' && value >= 0),
  count: kind('a whole number from 1', (value) => Number.isSafeInteger(value) && Number(value) >= 1),
  whole: kind('a whole number from 0', (value) => Number.isSafeInteger(value) && Number(value) >= 0),
  callback: kind('a function', (value) => typeof value === 'function'),
  object: kind('an object', (value) => typeof value === 'object' && value !== null),
  list: kind('a list', Array.isArray),
  signal: kind('an AbortSignal', (value) => value instanceof AbortSignal),
  any: kind('a value', () => true),
};

export const oneOf = (...texts: readonly string[]): OptionKind =>
  kind(texts.map((text) => JSON.stringify(text)).join(' or '), (value) => texts.includes(value as string));

export const either = (...all: readonly OptionKind[]): OptionKind =>
  kind(all.map(({ form }) => form).join(', or '), (value) => all.some(({ fits }) => fits(value)));

/** Null if they fit. Repeats no value, which may be a secret, except for a text where only a few are possible. */
export const optionProblem = (given: unknown, known: OptionKinds, required: readonly string[] = []): string | null => {
  if (typeof given !== 'object' || given === null) return `the options are ${named(given)}; pass an object`;
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (unknown !== undefined) {
    return `unknown option ${JSON.stringify(unknown.slice(0, 100))}; use one of ${Object.keys(known).join(', ')}`;
  }
  const missing = required.find((name) => (given as Readonly<Record<string, unknown>>)[name] === undefined);
  if (missing !== undefined) return `the option ${missing} is missing; pass ${known[missing]!.form}`;
  const wrong = Object.entries(given).find(([name, value]) => value !== undefined && !known[name]!.fits(value));
  if (!wrong) return null;
  const [name, value] = wrong;
  const { form } = known[name]!;
  return `the option ${name} is ${form.startsWith('"') ? shown(value) : named(value)}; pass ${form}`;
};

/** @throws TypeError */
export const checkOptions = (given: unknown, known: OptionKinds, required?: readonly string[]): void => {
  const problem = optionProblem(given, known, required);
  if (problem !== null) throw new TypeError(problem);
};

const shown = (value: unknown): string =>
  typeof value === 'string' ? JSON.stringify(value.slice(0, 100)) : named(value);

const named = (value: unknown): string => {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number') return `the number ${value}`;
  if (typeof value === 'string') return value === '' ? 'an empty text' : 'an invalid text';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
};
