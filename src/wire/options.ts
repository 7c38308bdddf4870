import { nearestName } from '../text/messages.js';

export interface OptionKind {
  readonly fits: (value: unknown) => boolean;
  readonly form: string;
  /** Whether errors repeat a text in its place, which is then no secret. */
  readonly shows?: boolean;
  readonly parts?: OptionKinds;
  /** The parts that cannot be left out. */
  readonly required?: readonly string[];
}

type OptionKinds = Readonly<Record<string, OptionKind>>;

const kind = (form: string, fits: OptionKind['fits']): OptionKind => ({ form, fits });

const shownKind = (form: string, fits: OptionKind['fits']): OptionKind => ({ form, fits, shows: true });

export const kinds = {
  text: kind('a text', (value) => typeof value === 'string'),
  header: kind('a text on one line, in Latin letters',
    (value) => typeof value === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)),
  baseUrl: kind('the base of an http or https URL, such as https://gitlab.example.com',
    (value) => typeof value === 'string' && URL.canParse(value) && isBaseUrl(new URL(value))),
  switch: shownKind('true or false', (value) => typeof value === 'boolean'),
  milliseconds: shownKind('a number of milliseconds, 0 or more', (value) => typeof value === 'number' && value >= 0),
  number: shownKind('a number, 0 or more', (value) => typeof value === 'number' && value >= 0),
  count: shownKind('a whole number from 1', (value) => Number.isSafeInteger(value) && Number(value) >= 1),
  whole: shownKind('a whole number from 0', (value) => Number.isSafeInteger(value) && Number(value) >= 0),
  callback: kind('a function', (value) => typeof value === 'function'),
  object: kind('an object', (value) => typeof value === 'object' && value !== null),
  list: kind('a list', Array.isArray),
  signal: kind('an AbortSignal', (value) => value instanceof AbortSignal),
  any: kind('a value', () => true),
};

const isBaseUrl = ({ protocol, username, password, search, hash }: URL): boolean =>
  /^https?:$/.test(protocol) && username + password + search + hash === '';

export const oneOf = (...texts: readonly string[]): OptionKind =>
  shownKind(texts.map((text) => JSON.stringify(text)).join(' or '), (value) => texts.includes(value as string));

export const either = (...all: readonly OptionKind[]): OptionKind => {
  const parts = all.find((each) => each.parts)?.parts;
  return {
    ...kind(all.map(({ form }) => form).join(', or '), (value) => all.some(({ fits }) => fits(value))),
    shows: all.some(({ shows }) => shows), ...parts && { parts },
  };
};

export const group = (parts: OptionKinds, required: readonly string[] = []): OptionKind =>
  ({ ...kind(`an object${required.length > 0 ? ` with ${required.join(' and ')}` : ''}`, isOptions), parts, required });

/** The content of a file, which a path is easily taken for. @throws TypeError */
export const content = (text: unknown): string => {
  if (typeof text !== 'string') {
    throw new TypeError('the content of a file is not a text; pass await readFile(path, "utf8")');
  }
  if (!/^[^\s{[]*[./\\][^\s{[]*$/.test(text)) return text;
  const path = JSON.stringify(text.slice(0, 100));
  throw new TypeError(`the text is a path, not the content of a file; pass await readFile(${path}, "utf8")`);
};

/** Null if they fit. Repeats no text that may be a secret. */
export const optionProblem = (given: unknown, known: OptionKinds, required: readonly string[] = []): string | null => {
  if (isOptions(given)) return problemIn(given, known, required, '');
  return `the options are ${named(given)}; pass an object${required.map((name) => ` with ${name}`).join('')}`;
};

type Options = Readonly<Record<string, unknown>>;

/** A list and a signal are objects without options: nobody would notice that they are ignored. */
const isOptions = (given: unknown): given is Options =>
  typeof given === 'object' && given !== null && !Array.isArray(given) && !(given instanceof AbortSignal);

const problemIn = (given: Options, known: OptionKinds, required: readonly string[], path: string): string | null => {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (unknown !== undefined) return unknownOption(unknown, Object.keys(known), path);
  const missing = required.find((name) => given[name] === undefined);
  if (missing !== undefined) return `the option ${path}${missing} is missing; pass ${known[missing]!.form}`;
  for (const [name, value] of Object.entries(given)) {
    const { form, fits, shows = false, parts, required: needed = [] } = known[name]!;
    if (value === undefined) continue;
    if (value instanceof Promise) return `the option ${path}${name} is a promise; await it`;
    if (!fits(value)) return `the option ${path}${name} is ${shows ? shown(value) : named(value)}; pass ${form}`;
    const problem = parts && isOptions(value) ? problemIn(value, parts, needed, `${path}${name}.`) : null;
    if (problem !== null) return problem;
  }
  return null;
};

/** The names of parameters, with those of their parts. */
export interface Names { readonly [name: string]: Names }

/** Null also for names that are like no known one: newer services may have them. */
export const parameterProblem = (given: unknown, known: Names): string | null =>
  isOptions(given) ? problemOfNames(given, known, '') : `the parameters are ${named(given)}; pass an object`;

const problemOfNames = (given: Options, known: Names, path: string): string | null => {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const problem = !Object.hasOwn(known, name) ? unknownName(name, Object.keys(known), given, path)
      : hasParts(known[name]!) && isOptions(value) ? problemOfNames(value, known[name]!, `${path}${name}.`) : null;
    if (problem !== null) return problem;
  }
  return null;
};

/** Each byte of a file would count as a part. */
const hasParts = (known: Names): boolean => Object.keys(known).length > 0;

const unknownName = (name: string, known: readonly string[], given: Options, path: string): string | null => {
  const isOfPath = path === '' && namesInPaths.includes(name);
  const near = numberNames.includes(name) && isOfPath ? numberNames.find((one) => known.includes(one)) ?? null
    : nearestName(name, known);
  if (near === null && !isOfPath) return null;
  const missing = known.filter((one) => given[one] === undefined);
  const others = missing.length === 0 ? 'leave it out' : `use one of ${missing.join(', ')}`;
  const hint = near !== null && missing.includes(near) ? `did you mean ${near}?` : others;
  return `unknown parameter ${JSON.stringify(path + name)}; ${hint}`;
};

/** What a call names its object with. */
const numberNames = ['noteable_id', 'iid', 'issue_iid', 'merge_request_iid', 'epic_iid'];

/** GitLab has them in paths only, so a call without such a part would not use them. */
const namesInPaths = [...numberNames, 'id', 'discussion_id'];

const unknownOption = (name: string, known: readonly string[], path: string): string => {
  const near = nearestName(name, known);
  const hint = near === null ? `use one of ${known.join(', ')}` : `did you mean ${near}?`;
  return `unknown option ${JSON.stringify(path + name.slice(0, 100))}; ${hint}`;
};

export const checkOptions = (given: unknown, known: OptionKinds, required?: readonly string[]): void => {
  const problem = optionProblem(given, known, required);
  if (problem !== null) throw new TypeError(problem);
};

const shown = (value: unknown): string =>
  typeof value === 'string' ? JSON.stringify(value.slice(0, 100)) : named(value);

const named = (value: unknown): string => {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'a list';
  if (value instanceof AbortSignal) return 'an AbortSignal';
  if (typeof value === 'number') return `the number ${value}`;
  if (typeof value === 'string') return value === '' ? 'an empty text' : 'a text';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
};
