import { KindGuard, type TObject, type TSchema } from '@sinclair/typebox';
import { isStorableText } from '../contract/conventions.js';
import { isUpload, type Endpoint, type Parameter } from '../contract/endpoint.js';
import { decodeForm, fromPairs, isParams, type Params } from './forms.js';
import { mediaType, textOf, type HttpRequest } from './http.js';
import { readForm } from './multipart.js';

/** Parameters as the service takes them: what was given and converted; null is what was given blank or as null. */
export interface Decoded { readonly values: Params; readonly problems: readonly string[] }

type ParameterShapes = Readonly<Record<string, Parameter>>;

/**
 * Converts what arrived into what an endpoint declares, with the service's own rules and error texts (wire-facts 2.2,
 * 2.3). Parameters nobody declared are left out (2.1.6). Problems stand in the order of declaration (2.2.1).
 */
export const coerce = (params: ParameterShapes, input: Params, exactlyOneOf: readonly string[] = []): Decoded => {
  const values: Params = {};
  const problems: string[] = [];
  for (const [name, parameter] of Object.entries(params)) {
    if (!Object.hasOwn(input, name)) {
      if (parameter.required && !exactlyOneOf.includes(name)) problems.push(`${name} is missing`);
      continue;
    }
    const outcome = convert(parameter.shape, name, input[name]);
    problems.push(...outcome.problems);
    values[name] = outcome.value;
    if (parameter.except?.includes(outcome.value)) problems.push(`${name} has a value not allowed`);
    if (parameter.notBlank && isBlank(outcome.value)) problems.push(`${name} is empty`);
  }
  return { values, problems: [...problems, ...choiceProblems(exactlyOneOf, input)] };
};

const isBlank = (value: unknown): boolean => value === null || (typeof value === 'string' && value.trim() === '');

const choiceProblems = (names: readonly string[], given: Params): string[] => {
  if (names.length === 0) return [];
  const count = names.filter((name) => Object.hasOwn(given, name)).length;
  if (count === 0) return [`${names.join(', ')} are missing, exactly one parameter must be provided`];
  return count > 1 ? [`${names.join(', ')} are mutually exclusive`] : [];
};

interface Converted { readonly value?: unknown; readonly problems: readonly string[] }

const converted = (value: unknown): Converted => ({ value, problems: [] });
const invalid = (name: string): Converted => ({ problems: [`${name} is invalid`] });

/** JSON null passes every conversion (wire-facts 2.3). */
const convert = (shape: TSchema, name: string, value: unknown): Converted => {
  if (value === null || value === undefined) return converted(null);
  if (KindGuard.IsUnion(shape)) return union(shape.anyOf, name, value);
  if (KindGuard.IsInteger(shape)) return integer(name, value);
  if (KindGuard.IsBoolean(shape)) return boolean(name, value);
  if (KindGuard.IsString(shape)) return text(name, value);
  if (KindGuard.IsObject(shape)) return object(shape, name, value);
  return file(name, value);
};

/** A union is a choice of words, a value or null, or a number that may as well be text. */
const union = (shapes: readonly TSchema[], name: string, value: unknown): Converted => {
  if (shapes.every((shape) => KindGuard.IsLiteral(shape))) {
    const listed = shapes.some((shape) => shape['const'] === value);
    return listed ? converted(value) : { problems: [`${name} does not have a valid value`] };
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
  if (value === '') return converted(null);
  const number = typeof value === 'number' ? Math.trunc(value)
    : typeof value === 'string' && /^[+-]?\d+$/.test(value) ? Number(value) : NaN;
  return Number.isSafeInteger(number) ? converted(number + 0) : invalid(name);
};

const yes = new Set(['true', 't', 'yes', 'y', 'on', '1']);
const no = new Set(['false', 'f', 'no', 'n', 'off', '0']);

const boolean = (name: string, value: unknown): Converted => {
  if (value === '') return converted(null);
  if (typeof value === 'object') return invalid(name);
  const word = String(value);
  const known = word === word.toLowerCase() || word === word.toUpperCase() || /^[A-Z][a-z]*$/.test(word);
  if (known && yes.has(word.toLowerCase())) return converted(true);
  return known && no.has(word.toLowerCase()) ? converted(false) : invalid(name);
};

const text = (name: string, value: unknown): Converted => {
  const word = scalarText(value);
  return word !== null && isStorableText(word) ? converted(word) : invalid(name);
};

/** The text that a parameter stands for: numbers and booleans become text (wire-facts 2.3); null for anything else. */
export const scalarText = (value: unknown): string | null => typeof value === 'object' ? null : String(value);

/**
 * An empty JSON hash passes without complaints about its parts, blank text is complained of alone, other text part by
 * part (wire-facts 2.3). Keys nobody declared are left out, but in an open shape kept where they hold a scalar: what is
 * stored is to fit a world file too.
 */
const object = ({ properties, additionalProperties }: TObject, name: string, value: unknown): Converted => {
  if (value === '') return invalid(name);
  const entries = Object.entries(properties).map(([key, shape]) => ({ key, shape, place: `${name}[${key}]` }));
  if (!isParams(value)) {
    const demanded = entries.filter(({ shape }) => !KindGuard.IsOptional(shape));
    const parts = demanded.flatMap(({ place }) => [`${place} is missing`, `${place} is invalid`]);
    return { problems: [`${name} is invalid`, ...parts] };
  }
  if (Object.keys(value).length === 0) return converted({});
  const values: Params = {};
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

const undeclared = (properties: TObject['properties'], value: Params): Params =>
  Object.fromEntries(Object.entries(value).filter(([key, part]) =>
    !Object.hasOwn(properties, key) && (part === null || typeof part !== 'object')));

const file = (name: string, value: unknown): Converted => isUpload(value) ? converted(value) : invalid(name);

/** A request body in a media type that the service does not read (wire-facts 1.6, 415). */
export class UnknownMediaType extends Error {
  constructor(readonly mediaType: string) { super(`The provided content-type '${mediaType}' is not supported.`); }
}

/** A body that says it is JSON and is not, or is nested or spread beyond all need (wire-facts 2.1.3). */
export class UnreadableBody extends Error {}

/**
 * All parameters of a request in one hash, before conversion: the path beats the body, the body beats the query
 * (wire-facts 2.1.1). A body on GET is ignored.
 * @throws UnknownMediaType, UnreadableBody, UnreadableHash
 */
export const readParams = async (request: HttpRequest, path: Params, query: string): Promise<Params> => {
  const body = request.method === 'GET' || request.method === 'HEAD' ? {} : await bodyOf(request);
  return Object.assign(parseQuery(query), body, path);
};

/** What was given as the endpoint declares it; see `coerce`. */
export const decode = (endpoint: Endpoint, hash: Params): Decoded =>
  coerce(endpoint.params, hash, endpoint.exactlyOneOf);

/** The parameters of a query or form text. @throws UnreadableHash */
export const parseQuery = (text: string): Params => fromPairs(decodeForm(text));

const bodyOf = async (request: HttpRequest): Promise<Params> => {
  const { body } = request;
  if (body === undefined || body.length === 0) return {};
  const type = mediaType(request.headers);
  if (type === 'application/json') return fromJson(textOf(body));
  if (type === 'application/x-www-form-urlencoded') return parseQuery(textOf(body));
  if (type === 'multipart/form-data') return fromPairs(await readForm(request.headers['content-type']!, body));
  throw new UnknownMediaType(type);
};

/** A JSON array or scalar counts as no parameters (wire-facts 2.1.2). */
const fromJson = (text: string): Params => {
  if (text.trim() === '') return {};
  checkJsonSize(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UnreadableBody('message body does not match declared format');
  }
  return isParams(value) ? value : {};
};

/** Far beyond what any operation reads, and far below what costs anything. */
const jsonLimits = { depth: 32, values: 1_000 };

/** Counts brackets and commas outside strings, so that nothing hostile in depth or number reaches the parser. */
const checkJsonSize = (text: string): void => {
  let depth = 0;
  let values = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (quoted) {
      if (c === 92) i++;
      else if (c === 34) quoted = false;
    } else if (c === 34) quoted = true;
    else if (c === 123 || c === 91) {
      if (++depth <= jsonLimits.depth) continue;
      throw new UnreadableBody(`message body is nested deeper than ${jsonLimits.depth} levels`);
    } else if (c === 125 || c === 93) depth--;
    else if (c === 44 && ++values > jsonLimits.values) {
      throw new UnreadableBody(`message body holds more than ${jsonLimits.values} values`);
    }
  }
};
