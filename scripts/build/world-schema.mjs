import { pascal } from './type-names.mjs';
import { worldObjects } from './world-keys.mjs';

/** The shape at a path of keys and `*` for the items of a list. */
const shapeAt = (shape, path) =>
  path.reduce((found, step) => objectIn(step === '*' ? found.items : found.properties[step]), shape);

/** The object in a union of an object and null. */
const objectIn = (shape) => shape.anyOf?.find((part) => part.properties) ?? shape;

/** The objects of a world file with their shapes. Throws if keys and descriptions do not match. */
const objectsOf = (World) => Object.entries(worldObjects).map(([name, { at, keys, ...texts }]) => {
  const shape = shapeAt(World, at);
  const [found, known] = [shape.properties, keys].map((object) => Object.keys(object).sort().join(' '));
  if (found !== known) throw new Error(`world-keys.mjs: ${name} has the keys ${found}, described are ${known}`);
  return { name, shape, keys, ...texts };
});

/** Finds the object of a shape by its properties, because TypeBox copies optional objects. */
const among = (objects, shape) => objects.find((one) => one.shape.properties === (shape.properties ?? null));

/** The shape of the values in a record. */
const valueOf = (shape) => Object.values(shape.patternProperties)[0];

const withoutMarks = (text) => text.replaceAll('`', '');

const described = (text, preset) => {
  if (preset === undefined) return text;
  return preset === 'required' ? `${text} (required)` : `${text} (default: ${preset})`;
};

/** A key with the value null counts as absent. */
const orNull = (schema) => {
  if (schema.enum) return { enum: [...schema.enum, null] };
  if (schema.type) return { ...schema, type: [schema.type, 'null'] };
  const parts = schema.anyOf ?? [schema];
  return parts.some(({ type }) => type === 'null') ? schema : { anyOf: [...parts, { type: 'null' }] };
};

const imagePath = { type: 'string', description: 'path of an image, relative to the world file' };

/** The JSON Schema of world files (draft-07, which editors know best), from the shape that the server checks. */
export const worldSchema = (World) => {
  const objects = objectsOf(World);
  const nameOf = (shape) => among(objects, shape)?.name;
  const ref = (shape) => ({ $ref: `#/definitions/${nameOf(shape)}` });
  const convert = (shape) => {
    if (nameOf(shape)) return ref(shape);
    if (shape.properties) throw new Error(`world-keys.mjs lacks an object with ${Object.keys(shape.properties)}`);
    if (shape.anyOf?.every((part) => 'const' in part)) return { enum: shape.anyOf.map((part) => part.const) };
    if (shape.anyOf) return { anyOf: shape.anyOf.map(convert) };
    if (shape.patternProperties) return { type: 'object', additionalProperties: orNull(convert(valueOf(shape))) };
    if (shape.items) return { type: 'array', items: convert(shape.items), minItems: shape.minItems };
    const { type, pattern, minimum, maximum, maxLength } = shape;
    const format = shape.format === 'world-day' ? 'date' : undefined;
    return { type, format, pattern, minimum, maximum, maxLength };
  };
  const property = (shape, [text, preset], isRequired = false) => {
    const schema = nameOf(shape) === 'image' ? { anyOf: [imagePath, ref(shape)] } : convert(shape);
    return { description: withoutMarks(described(text, preset)), ...isRequired ? schema : orNull(schema) };
  };
  const definition = ({ shape, keys, about }) => ({
    description: withoutMarks(about), type: 'object',
    properties: Object.fromEntries(Object.entries(shape.properties)
      .map(([key, part]) => [key, property(part, keys[key], shape.required?.includes(key))])),
    ...(shape.required?.length && { required: shape.required }),
    additionalProperties: shape.additionalProperties === false ? false : convert(shape.additionalProperties),
  });
  const [world, ...others] = objects;
  return {
    $schema: 'http://json-schema.org/draft-07/schema#', title: 'World file of colloquy serve',
    ...definition(world),
    definitions: Object.fromEntries(others.map((one) => [one.name, definition(one)])),
  };
};

/** A table of keys for each object, by the name of the object. */
export const worldTables = (World) => {
  const objects = objectsOf(World);
  const linkTo = (shape) => {
    const found = among(objects, objectIn(shape));
    return found && `[${found.name.replaceAll('_', ' ')}](#${found.title.toLowerCase().replaceAll(' ', '-')})`;
  };
  const typeOf = (shape) => {
    if (shape.items) return `list of ${linkTo(shape.items) ?? typeOf(shape.items)}`;
    const isOneOf = shape.anyOf?.every((part) => 'const' in part);
    if (isOneOf) return shape.anyOf.map((part) => `\`${part.const}\``).join(', ');
    if (shape.patternProperties) return `${/ for each (\w+)$/.exec(shape.expects)[1]}: ${typeOf(valueOf(shape))}`;
    return linkTo(shape) ?? String(shape.expects).replace(/^an? /, '').replaceAll('|', '\\|');
  };
  const row = (key, shape, [text, preset = '']) => `| \`${key}\` | ${typeOf(shape)} | ${preset} | ${text} |`;
  const table = ({ shape, keys }) => ['| Key | Type | Default | Description |', '|---|---|---|---|',
    ...Object.entries(shape.properties).map(([key, part]) => row(key, part, keys[key]))].join('\n');
  return Object.fromEntries(objects.map((one) => [one.name, table(one)]));
};

const mapped = (object, convert) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, convert(value, key)]));

/** The shape of world files, with a name and a description for each object, and a description for each key. */
export const namedWorld = (World) => {
  const objects = objectsOf(World);
  const convert = (shape) => {
    const found = among(objects, shape);
    const key = (part, name) => ({ anyOf: [convert(part)], description: described(...found.keys[name]) });
    return {
      ...shape,
      ...found && { $id: found.name === 'world' ? 'World' : `World${pascal(found.name)}` },
      ...found && { description: found.about.replace(/\.$/, '') },
      ...shape.properties && { properties: mapped(shape.properties, key) },
      // In TypeScript, a list whose length is not known has no least length.
      ...shape.items && { items: convert(shape.items), minItems: undefined },
      ...shape.anyOf && { anyOf: shape.anyOf.map(convert) },
      ...shape.patternProperties && { patternProperties: mapped(shape.patternProperties, convert) },
    };
  };
  return convert(World);
};
