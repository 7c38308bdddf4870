import { isUtf8 } from 'node:buffer';
import { KindGuard, type TObject, type TSchema } from '@sinclair/typebox';
import { isStorableText } from '../contract/conventions.js';
import type { Endpoint, Parameter } from '../contract/endpoint.js';
import {
  bodyText, decodeComponent, decodeForm, fromPairs, type HttpRequest, isParams, isUpload, mediaType, type Params,
} from './http.js';
import { readForm } from './multipart.js';
import { readInstant } from './time-text.js';

interface Decoded { readonly values: Params; readonly problems: readonly string[] }

type ParameterShapes = Readonly<Record<string, Parameter>>;

/**
 * Checks with the rules and texts of the service (behavior: errors.parameter-body, errors.missing, errors.joined,
 * requests.unknown-parameters).
 */
export const coerce = (
  params: ParameterShapes, received: Params, exactlyOneOf: readonly string[] = [],
  exclusive: Endpoint['exclusive'] = [],
): Decoded => {
  const values: Params = {};
  const problems: string[] = [];
  for (const [name, parameter] of Object.entries(params)) {
    if (!Object.hasOwn(received, name)) {
      if (parameter.required && !exactlyOneOf.includes(name)) problems.push(`${name} is missing`);
      continue;
    }
    const outcome = convert(parameter.shape, name, received[name]);
    problems.push(...outcome.problems);
    values[name] = outcome.value;
    if (parameter.except?.includes(outcome.value)) problems.push(`${name} has a value not allowed`);
    if (parameter.notBlank && isBlank(outcome.value)) problems.push(`${name} is empty`);
  }
  problems.push(...choiceProblems(exactlyOneOf, received));
  return { values, problems: [...problems, ...exclusive.flatMap((names) => exclusiveProblems(names, received))] };
};

const isBlank = (value: unknown): boolean => value === null || (typeof value === 'string' && value.trim() === '');

const choiceProblems = (names: readonly string[], received: Params): string[] =>
  names.length === 0 || names.some((name) => Object.hasOwn(received, name)) ? exclusiveProblems(names, received)
    : [`${names.join(', ')} are missing, exactly one parameter must be provided`];

/** behavior: errors.exclusive */
const exclusiveProblems = (names: readonly string[], received: Params): string[] =>
  names.filter((name) => Object.hasOwn(received, name)).length > 1
    ? [`${names.join(', ')} are mutually exclusive`] : [];

interface Converted { readonly value?: unknown; readonly problems: readonly string[] }

const converted = (value: unknown): Converted => ({ value, problems: [] });
/** behavior: errors.invalid */
const invalid = (name: string): Converted => ({ problems: [`${name} is invalid`] });

/** JSON null passes every conversion (behavior: parameters.null). */
const convert = (shape: TSchema, name: string, value: unknown): Converted => {
  if (value === null || value === undefined) return converted(null);
  if (KindGuard.IsUnion(shape)) return union(shape.anyOf, name, value);
  if (KindGuard.IsLiteral(shape)) return union([shape], name, value);
  if (KindGuard.IsInteger(shape)) return integer(name, value);
  if (KindGuard.IsBoolean(shape)) return boolean(name, value);
  if (KindGuard.IsString(shape)) return shape.format === 'date-time' ? time(name, value) : text(name, value);
  if (KindGuard.IsObject(shape)) return object([shape], name, value);
  if (KindGuard.IsArray(shape)) return list(shape.items, name, value);
  return file(name, value);
};

/** Objects are declared as one hash, whatever their union (behavior: errors.not-in-list). */
const union = (shapes: readonly TSchema[], name: string, value: unknown): Converted => {
  if (value === null) return converted(null);
  if (shapes.every((shape) => KindGuard.IsObject(shape))) return object(shapes, name, value);
  if (shapes.every((shape) => KindGuard.IsLiteral(shape))) {
    const listed = shapes.some((shape) => shape['const'] === value);
    return listed ? converted(value) : { problems: [`${name} does not have a valid value`] };
  }
  const words = shapes.filter((shape) => KindGuard.IsLiteral(shape)).map((shape) => String(shape.const));
  if (words.length > 0 && shapes.some((shape) => KindGuard.IsInteger(shape))) return integerOr(words, name, value);
  let last = invalid(name);
  for (const shape of shapes) {
    if (KindGuard.IsNull(shape)) continue;
    last = convert(shape, name, value);
    if (last.problems.length === 0) return last;
  }
  return last;
};

/** behavior: parameters.none-any */
const integerOr = (words: readonly string[], name: string, value: unknown): Converted => {
  const given = scalarText(value);
  if (given === null) return invalid(name);
  const number = integer(name, value);
  if (given !== '' && number.problems.length === 0) return number;
  const lower = words.map((word) => word.toLowerCase());
  const found = words[lower.indexOf(given.toLowerCase())];
  const allowed = ['an integer', ...lower.slice(0, -1), `or ${lower.at(-1)}`].join(', ');
  return found === undefined ? { problems: [`${name} should be ${allowed}, however got ${given}`] } : converted(found);
};

/** behavior: parameters.integers, parameters.blank */
const integer = (name: string, value: unknown): Converted => {
  if (value === '') return converted(null);
  const number = typeof value === 'number' ? Math.trunc(value)
    : typeof value === 'string' && /^[+-]?\d+$/.test(value) ? Number(value) : NaN;
  return Number.isSafeInteger(number) ? converted(number + 0) : invalid(name);
};

/** behavior: parameters.booleans */
const trueWords = new Set(['true', 't', 'yes', 'y', 'on', '1']);
const falseWords = new Set(['false', 'f', 'no', 'n', 'off', '0']);

const boolean = (name: string, value: unknown): Converted => {
  if (value === '') return converted(null);
  if (typeof value === 'object') return invalid(name);
  const word = String(value);
  const isKnownCase = word === word.toLowerCase() || word === word.toUpperCase() || /^[A-Z][a-z]*$/.test(word);
  if (isKnownCase && trueWords.has(word.toLowerCase())) return converted(true);
  return isKnownCase && falseWords.has(word.toLowerCase()) ? converted(false) : invalid(name);
};

const text = (name: string, value: unknown): Converted => {
  const word = scalarText(value);
  return word === null ? invalid(name) : converted(word);
};

/** behavior: parameters.times */
const time = (name: string, value: unknown): Converted => {
  if (value === '') return converted(null);
  return typeof value === 'string' && readInstant(value) !== undefined ? converted(value) : invalid(name);
};

/** Null for a list or an object (behavior: parameters.texts). */
export const scalarText = (value: unknown): string | null => typeof value === 'object' ? null : String(value);

/**
 * Of unknown keys an open shape keeps scalars, because a world file stores only these (behavior: parameters.hash-text,
 * parameters.hash-blank, errors.nested).
 */
const object = (shapes: readonly TObject[], name: string, value: unknown): Converted => {
  if (value === '') return invalid(name);
  const fields = hashFields(shapes, name);
  if (!isParams(value)) {
    const fieldProblems = fields.filter(({ isRequired }) => isRequired)
      .flatMap(({ path }) => [`${path} is missing`, `${path} is invalid`]);
    return { problems: [`${name} is invalid`, ...fieldProblems] };
  }
  if (Object.keys(value).length === 0) return converted({});
  const values: Params = {};
  const problems: string[] = [];
  for (const { key, choices, path, isRequired } of fields) {
    if (!Object.hasOwn(value, key)) {
      if (isRequired) problems.push(`${path} is missing`);
      continue;
    }
    const outcome = union(choices, path, value[key]);
    problems.push(...outcome.problems);
    values[key] = outcome.value;
  }
  for (const { additionalProperties, properties } of shapes) {
    if (additionalProperties === true) Object.assign(values, undeclaredScalars(properties, value));
  }
  return { value: values, problems };
};

interface Field {
  readonly key: string;
  readonly choices: readonly TSchema[];
  readonly path: string;
  readonly isRequired: boolean;
}

const hashFields = (shapes: readonly TObject[], name: string): Field[] =>
  [...new Set(shapes.flatMap(({ properties }) => Object.keys(properties)))].map((key) => {
    const choices = shapes.flatMap(({ properties }) => properties[key] ?? []);
    const isRequired = choices.length === shapes.length && !choices.some((shape) => KindGuard.IsOptional(shape));
    return { key, choices, path: `${name}[${key}]`, isRequired };
  });

const undeclaredScalars = (properties: TObject['properties'], value: Params): Params =>
  Object.fromEntries(Object.entries(value).filter(([key, field]) =>
    !Object.hasOwn(properties, key) && (field === null || typeof field !== 'object')));

/** behavior: parameters.lists */
const list = (items: TSchema, name: string, value: unknown): Converted => {
  const given: readonly unknown[] = Array.isArray(value) ? value
    : typeof value === 'string' ? value.split(',') : [value];
  const outcomes = given.map((item) => convert(items, name, typeof item === 'string' ? item.trim() : item));
  if (outcomes.some(({ problems }) => problems.length > 0)) return invalid(name);
  return converted(outcomes.map((outcome) => outcome.value).filter((item) => item !== null && item !== ''));
};

/** behavior: parameters.file-text */
const file = (name: string, value: unknown): Converted => isUpload(value) ? converted(value) : invalid(name);

/** behavior: requests.content-types */
export class UnknownMediaType extends Error {
  constructor(readonly mediaType: string) { super(`The provided content-type '${mediaType}' is not supported.`); }
}

/** behavior: requests.broken-json */
export class UnreadableBody extends Error {}

/** behavior: errors.text */
export class MalformedText extends Error {}

/** @param text a target or a form @throws MalformedText */
export const checkEncoding = (text: string): void => {
  const decoded = decodeComponent(text);
  if (decoded === null || !isStorableText(decoded)) throw new MalformedText();
};

/**
 * The path overrides the body, which overrides the query (behavior: requests.parameter-places, requests.get-body).
 * @throws UnknownMediaType, UnreadableBody, UnreadableParams, InvalidMultipart, MalformedText
 */
export const collectParams = async (request: HttpRequest, path: Params, query: string): Promise<Params> => {
  const body = request.method === 'GET' || request.method === 'HEAD' ? {} : await bodyParams(request);
  if (hasUnstorable(body)) throw new MalformedText();
  return Object.assign(parseQuery(query), body, path);
};

export const decode = (endpoint: Endpoint, params: Params): Decoded =>
  coerce(endpoint.params, params, endpoint.exactlyOneOf, endpoint.exclusive);

export const parseQuery = (text: string): Params => fromPairs(decodeForm(text));

const bodyParams = async (request: HttpRequest): Promise<Params> => {
  const { body } = request;
  if (body === undefined || body.length === 0) return {};
  const type = mediaType(request.headers);
  if (type === 'application/json') return fromJson(utf8Text(body));
  if (type === 'application/x-www-form-urlencoded') return fromEncoded(utf8Text(body));
  if (type === 'multipart/form-data') return fromMultipart(request.headers['content-type']!, body);
  throw new UnknownMediaType(type);
};

const utf8Text = (body: string | Uint8Array): string => {
  if (typeof body !== 'string' && !isUtf8(body)) throw new MalformedText();
  return bodyText(body);
};

const fromEncoded = (text: string): Params => {
  checkEncoding(text);
  return parseQuery(text);
};

/** The parser replaces invalid bytes, so that a changed text is not in the body. */
const fromMultipart = async (contentType: string, body: string | Uint8Array): Promise<Params> => {
  const parts = await readForm(contentType, body);
  const isChanged = ([, value]: (typeof parts)[number]) =>
    typeof value === 'string' && value.includes('\ufffd') && !Buffer.from(body).includes(value);
  if (parts.some(isChanged)) throw new MalformedText();
  return fromPairs(parts);
};

const hasUnstorable = (value: unknown): boolean => typeof value === 'string' ? !isStorableText(value)
  : Array.isArray(value) ? value.some(hasUnstorable) : isParams(value) && Object.values(value).some(hasUnstorable);

/** behavior: requests.json-array */
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

/** Far above the needs of every operation, and low enough to be cheap (behavior: requests.json-limits). */
const jsonLimits = { depth: 32, values: 1_000 };

/** Rejects deep or large JSON before it is parsed, which would be expensive. */
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
      throw new UnreadableBody(`message body has more than ${jsonLimits.values} values`);
    }
  }
};
