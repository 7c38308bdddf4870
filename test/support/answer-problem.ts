import { FormatRegistry, OptionalKind, type TSchema } from '@sinclair/typebox';
import { TypeCompiler, type TypeCheck } from '@sinclair/typebox/compiler';
import type { Dialect, Endpoint } from '../../src/contract/endpoint.js';

FormatRegistry.Set('date-time', (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|[+-]\d\d:\d\d)$/.test(text));
FormatRegistry.Set('date', (text) => /^\d{4}-\d\d-\d\d$/.test(text));
FormatRegistry.Set('uri', (text) => URL.canParse(text));

const checks = new Map<string, TypeCheck<TSchema>>();

/**
 * How a response violates the contract's shape in its dialect; undefined if it does not.
 * @param status 202 for a text of quick actions alone
 */
export const answerProblem = (endpoint: Endpoint, value: unknown, dialect: Dialect, status?: number): string | undefined => {
  const shape = status === 202 && endpoint.accepted ? endpoint.accepted : endpoint.returns;
  const key = `${dialect} ${endpoint.method} ${endpoint.paths[0]} ${shape === endpoint.returns ? '' : status}`.trimEnd();
  if (shape === null) return value === undefined ? undefined : `${key}: a body, ${JSON.stringify(value)}`;
  let check = checks.get(key);
  if (!check) checks.set(key, check = TypeCompiler.Compile(strict(shape, dialect)));
  const problem = check.Errors(value).First();
  return problem && `${key}: ${problem.path} ${problem.message}, got ${JSON.stringify(problem.value)}`;
};

/**
 * The shape that the server must send: no additional fields, and in the document dialect none of the fields that only
 * the live service has, though a shape may be open there and accept any additional fields.
 */
const strict = (shape: TSchema, dialect: Dialect): TSchema => {
  if (shape['anyOf']) return { ...shape, anyOf: shape['anyOf'].map((part: TSchema) => strict(part, dialect)) };
  if (shape['items']) return { ...shape, items: strict(shape['items'], dialect) };
  if (!shape['properties']) return shape;
  const properties = Object.fromEntries(Object.entries(shape['properties'] as Record<string, TSchema>)
    .filter(([, part]) => dialect === 'live' || part['x-dialect'] !== 'live')
    .map(([name, part]) => [name, part[OptionalKind] ? { ...strict(part, dialect), [OptionalKind]: 'Optional' } : strict(part, dialect)]));
  const { $id: _, ...rest } = shape;
  return { ...rest, properties, additionalProperties: dialect === 'live' && shape['additionalProperties'] === true };
};
