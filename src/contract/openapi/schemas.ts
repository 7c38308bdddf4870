import { KindGuard, type TObject, type TSchema, type TString } from '@sinclair/typebox';
import type { NamedEndpoint } from '../contract.js';
import type { Upload } from '../endpoint.js';
import { fieldTexts } from './field-texts.js';
import type { FieldTexts } from './note-texts.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Named shapes become references to components. */
export const schemaOf = (shape: TSchema): JsonSchema => toJsonSchema(shape) as JsonSchema;

/** Each with an example, and a text for every field. */
export const componentSchemas = (endpoints: readonly NamedEndpoint[]): JsonSchema => {
  const named = new Map<string, TSchema>();
  for (const { endpoint } of endpoints) {
    collect([endpoint.returns, endpoint.accepted], named);
    for (const { shape } of Object.values(endpoint.params)) collect(shape, named);
  }
  return Object.fromEntries([...named].sort(([a], [b]) => a < b ? -1 : 1).map(([name, shape]) =>
    [name, { ...withTexts(withoutName(shape), fieldTexts[name] ?? {}), examples: [exampleOf(shape, name)] }]));
};

const isObject = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

const toJsonSchema = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(toJsonSchema);
  if (!isObject(value)) return value;
  if (typeof value['$id'] === 'string') return { $ref: `#/components/schemas/${value['$id']}` };
  const values = enumOf(value['anyOf']);
  const { anyOf: _, ...rest } = value;
  return Object.fromEntries(Object.entries(values ? { type: 'string', enum: values, ...rest } : value)
    .map(([key, inner]) => [key, toJsonSchema(inner)]));
};

const enumOf = (alternatives: unknown): unknown[] | null =>
  Array.isArray(alternatives) && alternatives.every((one) => isObject(one) && 'const' in one)
    ? alternatives.map((one: JsonSchema) => one['const']) : null;

const withoutName = ({ $id: _, ...shape }: TSchema): JsonSchema => toJsonSchema(shape) as JsonSchema;

/** @param before the path to the fields of a schema that has no name */
const withTexts = (schema: JsonSchema, texts: FieldTexts, before = ''): JsonSchema => {
  const inside = (value: unknown, path: string): JsonSchema => withTexts(value as JsonSchema, texts, path);
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

/** The example of any other text field is its name. */
const examples: Readonly<Record<string, string>> = {
  id: '6a9c1750b37d513a43987b574953fceb50b03ce7',
  discussion_id: '6a9c1750b37d513a43987b574953fceb50b03ce7',
  base_sha: '1162f719d711319a2efb2a35566f3bfdadee8bab',
  start_sha: 'b18bb8ecc1e9a3c7dfd2e2bca0ee61d4ae6d6c48',
  head_sha: '93a6a1ef7c6e6ab81cf2d1a2bc1b4f2d3d4f1c0e',
  sha: '93a6a1ef7c6e6ab81cf2d1a2bc1b4f2d3d4f1c0e',
  commit_id: '93a6a1ef7c6e6ab81cf2d1a2bc1b4f2d3d4f1c0e',
  state: 'active',
  username: 'root',
  name: 'Administrator',
  body: 'Looks good to me.',
  title: 'Title',
  description: 'Some *Markdown*.',
  old_path: 'src/main.ts',
  new_path: 'src/main.ts',
  line_code: 'adc83b19e793491b1c6ea0fd8b46cd9f32e592fc_3_3',
  created_at: '2024-05-01T09:00:00.000Z',
  message_background_color: '#E75E40',
  message_font_color: '#FFFFFF',
};

const formats: Readonly<Record<string, string>> = {
  'date-time': '2024-05-01T09:00:00.000Z', date: '2024-05-01', uri: 'https://gitlab.example.com/root',
};

const image: Upload = {
  filename: 'logo.png', content_type: 'image/png', bytes: Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
};

/** The same example for each call: in the document dialect, with all fields. */
export const exampleOf = (shape: TSchema, name = 'text'): unknown => {
  if (KindGuard.IsUnion(shape)) return exampleOf(shape.anyOf[0]!, name);
  if (KindGuard.IsLiteral(shape)) return shape.const;
  if (KindGuard.IsObject(shape)) return exampleObject(shape);
  if (KindGuard.IsArray(shape)) return [exampleOf(shape.items, name)];
  if (KindGuard.IsInteger(shape)) return 1;
  if (KindGuard.IsBoolean(shape)) return true;
  if (KindGuard.IsString(shape)) return exampleText(shape, name);
  if (KindGuard.IsRecord(shape)) return {};
  return shape['format'] === 'binary' ? image : null;
};

const exampleText = (shape: TString, name: string): unknown =>
  shape['examples']?.[0] ?? formats[shape.format ?? ''] ?? examples[name] ?? name.replaceAll('_', ' ');

const exampleObject = (shape: TObject): unknown => Object.fromEntries(Object.entries(shape.properties)
  .filter(([, field]) => field['x-dialect'] === undefined && field['x-where-used'] === undefined)
  .map(([name, field]) => [name, exampleOf(field, name)]));
