import { KindGuard, type TObject, type TSchema } from '@sinclair/typebox';
import { isStorableText } from '../contract/conventions.js';
import type { Parameter } from '../contract/endpoint.js';
import { isUpload } from '../contract/upload.js';
import { isHash, type Hash } from './forms.js';

/** Parameters as the service takes them: what was given and converted; null is what was given blank or as null. */
export interface Accepted { readonly values: Hash; readonly problems: readonly string[] }

type Params = Readonly<Record<string, Parameter>>;

/**
 * Converts what arrived into what an endpoint declares, with the service's own rules and error texts (wire-facts 2.2,
 * 2.3). Parameters nobody declared are left out (2.1.6). Problems stand in the order of declaration (2.2.1).
 */
export const coerce = (params: Params, given: Hash, exactlyOneOf: readonly string[] = []): Accepted => {
  const values: Hash = {};
  const problems: string[] = [];
  for (const [name, parameter] of Object.entries(params)) {
    if (!Object.hasOwn(given, name)) {
      if (parameter.required && !exactlyOneOf.includes(name)) problems.push(`${name} is missing`);
      continue;
    }
    const outcome = convert(parameter.shape, name, given[name]);
    problems.push(...outcome.problems);
    values[name] = outcome.value;
    if (parameter.except?.includes(outcome.value)) problems.push(`${name} has a value not allowed`);
    if (parameter.notBlank && isBlank(outcome.value)) problems.push(`${name} is empty`);
  }
  return { values, problems: [...problems, ...choiceProblems(exactlyOneOf, given)] };
};

const isBlank = (value: unknown): boolean => value === null || (typeof value === 'string' && value.trim() === '');

const choiceProblems = (names: readonly string[], given: Hash): string[] => {
  if (names.length === 0) return [];
  const count = names.filter((name) => Object.hasOwn(given, name)).length;
  if (count === 0) return [`${names.join(', ')} are missing, exactly one parameter must be provided`];
  return count > 1 ? [`${names.join(', ')} are mutually exclusive`] : [];
};

interface Converted { readonly value?: unknown; readonly problems: readonly string[] }

const good = (value: unknown): Converted => ({ value, problems: [] });
const invalid = (name: string): Converted => ({ problems: [`${name} is invalid`] });

/** JSON null passes every conversion (wire-facts 2.3). */
const convert = (shape: TSchema, name: string, value: unknown): Converted => {
  if (value === null || value === undefined) return good(null);
  if (KindGuard.IsUnion(shape)) return union(shape.anyOf, name, value);
  if (KindGuard.IsInteger(shape)) return integer(name, value);
  if (KindGuard.IsBoolean(shape)) return boolean(name, value);
  if (KindGuard.IsString(shape)) return text(name, value);
  if (KindGuard.IsObject(shape)) return hash(shape, name, value);
  return file(name, value);
};

/** A union is a choice of words, a value or null, or a number that may as well be text. */
const union = (shapes: readonly TSchema[], name: string, value: unknown): Converted => {
  if (shapes.every((shape) => KindGuard.IsLiteral(shape))) {
    const listed = shapes.some((shape) => shape['const'] === value);
    return listed ? good(value) : { problems: [`${name} does not have a valid value`] };
  }
  let last = invalid(name);
  for (const shape of shapes) {
    if (KindGuard.IsNull(shape)) continue;
    last = convert(shape, name, value);
    if (last.problems.length === 0) return last;
  }
  return last;
};

/** `"010"` is 10, `1.5` is 1, blank is null; a number too large for any id is invalid. */
const integer = (name: string, value: unknown): Converted => {
  if (value === '') return good(null);
  const number = typeof value === 'number' ? Math.trunc(value)
    : typeof value === 'string' && /^[+-]?\d+$/.test(value) ? Number(value) : NaN;
  return Number.isSafeInteger(number) ? good(number + 0) : invalid(name);
};

const yes = new Set(['true', 't', 'yes', 'y', 'on', '1']);
const no = new Set(['false', 'f', 'no', 'n', 'off', '0']);

const boolean = (name: string, value: unknown): Converted => {
  if (value === '') return good(null);
  if (typeof value === 'object') return invalid(name);
  const word = String(value);
  const known = word === word.toLowerCase() || word === word.toUpperCase() || /^[A-Z][a-z]*$/.test(word);
  if (known && yes.has(word.toLowerCase())) return good(true);
  return known && no.has(word.toLowerCase()) ? good(false) : invalid(name);
};

const text = (name: string, value: unknown): Converted => {
  const word = asText(value);
  return word !== null && isStorableText(word) ? good(word) : invalid(name);
};

/** The text that a parameter stands for: numbers and booleans become text (wire-facts 2.3); null for anything else. */
export const asText = (value: unknown): string | null => typeof value === 'object' ? null : String(value);

/**
 * An empty JSON hash passes without complaints about its parts, blank text is complained of alone, other text part by
 * part (wire-facts 2.3). Keys nobody declared are left out, but in an open shape kept where they hold a scalar: what is
 * stored is to fit a world file too.
 */
const hash = ({ properties, additionalProperties }: TObject, name: string, value: unknown): Converted => {
  if (value === '') return invalid(name);
  const entries = Object.entries(properties).map(([key, shape]) => ({ key, shape, place: `${name}[${key}]` }));
  if (!isHash(value)) {
    const demanded = entries.filter(({ shape }) => !KindGuard.IsOptional(shape));
    const parts = demanded.flatMap(({ place }) => [`${place} is missing`, `${place} is invalid`]);
    return { problems: [`${name} is invalid`, ...parts] };
  }
  if (Object.keys(value).length === 0) return good({});
  const values: Hash = {};
  const problems: string[] = [];
  for (const { key, shape, place } of entries) {
    if (!Object.hasOwn(value, key)) {
      if (!KindGuard.IsOptional(shape)) problems.push(`${place} is missing`);
      continue;
    }
    const outcome = convert(shape, place, value[key]);
    problems.push(...outcome.problems);
    values[key] = outcome.value;
  }
  if (additionalProperties === true) Object.assign(values, undeclared(properties, value));
  return { value: values, problems };
};

const undeclared = (properties: TObject['properties'], value: Hash): Hash =>
  Object.fromEntries(Object.entries(value).filter(([key, part]) =>
    !Object.hasOwn(properties, key) && (part === null || typeof part !== 'object')));

const file = (name: string, value: unknown): Converted => isUpload(value) ? good(value) : invalid(name);
