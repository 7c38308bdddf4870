import { describe, expect, it } from 'vitest';
import { everyEndpoint } from '../../../src/contract/contract.js';
import { fieldTexts } from '../../../src/contract/openapi/field-texts.js';
import { document } from '../../support/openapi.js';

interface Schema {
  readonly $id?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** The fields of a schema and of its parts without a name, by their paths. */
const fieldsOf = ({ properties = {}, items, anyOf = [] }: Schema, before = ''): [path: string, field: Schema][] => [
  ...Object.entries(properties).flatMap(([name, field]): [string, Schema][] =>
    [[before + name, field], ...field.$id === undefined ? fieldsOf(field, `${before}${name}.`) : []]),
  ...[...items ? [items] : [], ...anyOf].filter(({ $id }) => $id === undefined).flatMap((part) => fieldsOf(part, before)),
];

const schemas = document.components.schemas as Readonly<Record<string, Schema>>;
const everyField = Object.entries(schemas).flatMap(([shape, schema]) =>
  fieldsOf(schema).map(([path, field]) => ({ name: `${shape}.${path}`, text: field.description })));

describe('the texts of fields', () => {
  it('are in the OpenAPI document for every field of every schema', () => {
    expect(everyField.length).toBeGreaterThan(300);
    expect(everyField.filter(({ text }) => !text)).toEqual([]);
    expect(everyField).toContainEqual({ name: 'Epic.references.full', text: expect.stringContaining('full path') as string });
  });

  it('name no field that does not exist', () => {
    const existing = new Set(everyField.map(({ name }) => name));
    const named = Object.entries(fieldTexts).flatMap(([shape, texts]) => Object.keys(texts).map((path) => `${shape}.${path}`));
    expect(named.filter((name) => !existing.has(name))).toEqual([]);
  });

  it('are in no shape, except for the replacement of a deprecated field', () => {
    const shapes = everyEndpoint().flatMap(({ endpoint: { returns, accepted } }) => [returns, accepted]).filter((shape) => shape !== null);
    const seen = new Map<string, Schema>();
    const collect = (shape: Schema | undefined): void => {
      if (shape === undefined) return;
      if (shape.$id !== undefined) seen.set(shape.$id, shape);
      [...Object.values(shape.properties ?? {}), shape.items, ...shape.anyOf ?? []].forEach(collect);
    };
    (shapes as (Schema | undefined)[]).forEach(collect);
    expect(seen.size).toBeGreaterThan(20);
    const described = [...seen].flatMap(([name, shape]) => fieldsOf(shape).filter(([, { $id, description }]) => $id === undefined && description)
      .map(([path, { deprecated }]) => ({ name: `${name}.${path}`, deprecated, elsewhere: fieldTexts[name]?.[path] })));
    expect(described.map(({ name }) => name)).toContain('Epic.end_date');
    expect(described.filter(({ deprecated, elsewhere }) => !deprecated || elsewhere !== undefined)).toEqual([]);
  });

  it('are fragments that become one sentence', () => {
    for (const { name, text } of everyField) expect(text, name).toMatch(/^[^.]\S.*[^.\s;,]$/);
  });
});
