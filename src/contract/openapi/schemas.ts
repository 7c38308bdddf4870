import type { TSchema } from '@sinclair/typebox';
import type { NamedEndpoint } from '../contract.js';
import { exampleOf } from '../example.js';
import { fieldTexts } from './field-texts.js';
import type { Texts } from './note-texts.js';

export type Json = Readonly<Record<string, unknown>>;

/** Named shapes become references to components. */
export const schemaOf = (shape: TSchema): Json => toJsonSchema(shape) as Json;

/** Each with an example, and a text for every field. */
export const componentSchemas = (endpoints: readonly NamedEndpoint[]): Json => {
  const named = new Map<string, TSchema>();
  for (const { endpoint } of endpoints) {
    collect([endpoint.returns, endpoint.accepted], named);
    for (const { shape } of Object.values(endpoint.params)) collect(shape, named);
  }
  return Object.fromEntries([...named].sort(([a], [b]) => a < b ? -1 : 1).map(([name, shape]) =>
    [name, { ...withTexts(withoutName(shape), fieldTexts[name] ?? {}), examples: [exampleOf(shape, name)] }]));
};

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

const toJsonSchema = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(toJsonSchema);
  if (!isObject(value)) return value;
  if (typeof value['$id'] === 'string') return { $ref: `#/components/schemas/${value['$id']}` };
  const values = enumOf(value['anyOf']);
  const { anyOf: _, ...rest } = value;
  return Object.fromEntries(Object.entries(values ? { type: 'string', enum: values, ...rest } : value)
    .map(([key, inner]) => [key, toJsonSchema(inner)]));
};

/** Null for any other union. */
const enumOf = (alternatives: unknown): unknown[] | null =>
  Array.isArray(alternatives) && alternatives.every((one) => isObject(one) && 'const' in one)
    ? alternatives.map((one: Json) => one['const']) : null;

const withoutName = ({ $id: _, ...shape }: TSchema): Json => toJsonSchema(shape) as Json;

/** @param before the path to the fields of a schema that has no name */
const withTexts = (schema: Json, texts: Texts, before = ''): Json => {
  const inside = (value: unknown, path: string): Json => withTexts(value as Json, texts, path);
  const { properties, items, anyOf } = schema;
  return {
    ...schema,
    ...isObject(items) && { items: inside(items, before) },
    ...Array.isArray(anyOf) && { anyOf: anyOf.map((part) => inside(part, before)) },
    ...isObject(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => {
        const text = texts[`${before}${name}`];
        return [name, { ...inside(field, `${before}${name}.`), ...text !== undefined && { description: text } }];
      })),
    },
  };
};

const collect = (value: unknown, into: Map<string, TSchema>): void => {
  if (!isObject(value)) return;
  if (typeof value['$id'] === 'string') into.set(value['$id'], value as TSchema);
  for (const inner of Object.values(value)) collect(inner, into);
};
