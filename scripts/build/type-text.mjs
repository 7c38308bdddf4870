/** TypeScript text of shapes and doc comments. */

const width = 120;

/** Breaks a text into lines of a width. */
const wrapped = (text, room) => text.split(' ').reduce((lines, word) => {
  const last = lines.at(-1);
  if (last !== undefined && last.length + word.length < room) lines[lines.length - 1] = `${last} ${word}`;
  else lines.push(word);
  return lines;
}, []);

/** A doc comment of paragraphs and tags; one that fits stands on one line. */
export const docComment = (paragraphs, tags = [], indent = '') => {
  const safe = (text) => text.replaceAll('*/', '*\\/');
  const room = width - indent.length - 3;
  const blocks = paragraphs.map((text) => wrapped(safe(text), room));
  const tagLines = tags.flatMap((tag) => wrapped(safe(tag), room - 2).map((line, i) => i ? `  ${line}` : line));
  if (tagLines.length > 0) blocks.push(tagLines);
  const lines = blocks.flatMap((block, index) => index ? ['', ...block] : block);
  if (lines.length === 0) return '';
  const single = `${indent}/** ${lines[0]} */\n`;
  if (lines.length === 1 && single.length <= width + 1) return single;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
};

/** A text of the contract as a sentence. */
export const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;

/** All named shapes below the given ones, by name. */
export const namedShapes = (shapes) => {
  const named = new Map();
  const collect = (shape) => {
    if (shape.$id) named.set(shape.$id, shape);
    partsOf(shape).forEach(collect);
  };
  shapes.forEach(collect);
  return named;
};

const partsOf = ({ anyOf = [], items, properties = {}, patternProperties = {} }) =>
  [...anyOf, ...items ? [items] : [], ...Object.values(properties), ...Object.values(patternProperties)];

/** The type of a shape: the name of a named one. */
export const typeOf = (shape, indent = '', textOf = noText) => shape.$id ?? contentOf(shape, indent, textOf);

const noText = () => undefined;

const scalars = { string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' };

const contentOf = (shape, indent, textOf) => {
  if (shape.anyOf) return [...new Set(shape.anyOf.map((part) => typeOf(part, indent, textOf)))].join(' | ');
  if ('const' in shape) return `'${shape.const}'`;
  if (shape.format === 'binary') return 'Upload';
  if (shape.type === 'array') return arrayOf(typeOf(shape.items, indent, textOf), shape.minItems);
  if (shape.patternProperties) return `Record<string, ${typeOf(Object.values(shape.patternProperties)[0], indent)}>`;
  if (shape.properties) return `{\n${fieldsOf(shape, `${indent}  `, textOf)}${indent}}`;
  if (shape.type === undefined) return 'unknown';
  return scalars[shape.type];
};

const arrayOf = (item, least = 0) => {
  const array = item.includes(' | ') ? `(${item})[]` : `${item}[]`;
  return least > 0 ? `[${item}, ...${array}]` : array;
};

const fieldsOf = ({ properties, required = [] }, indent, textOf) => Object.entries(properties).map(([name, shape]) => {
  const mark = required.includes(name) ? '' : '?';
  const type = typeOf(shape, indent, (inner) => textOf(`${name}.${inner}`));
  return `${docComment(...docOfField(shape, textOf(name)), indent)}${indent}${name}${mark}: ${type};\n`;
}).join('');

const formats = { 'date-time': 'Format: ISO 8601.', date: 'Format: YYYY-MM-DD.' };

const formatOf = (shape) => formats[shape.format] ?? shape.anyOf?.map(formatOf).find(Boolean);

/** A nullable field has the description of its value. */
const descriptionOf = (shape) => {
  const inner = shape.anyOf?.filter((part) => part.type !== 'null') ?? [];
  return shape.description ?? (inner.length === 1 && !inner[0].$id ? inner[0].description : undefined);
};

const docOfField = (shape, ownText) => {
  const description = ownText ?? (shape.$id ? undefined : descriptionOf(shape));
  const text = [
    ...description && !shape.deprecated ? [sentence(description)] : [],
    ...[formatOf(shape)].filter(Boolean),
    ...shape['x-dialect'] === 'live' ? ['On live services only.'] : [],
  ].join(' ');
  const replacement = shape.deprecated ? shape.description.replace(/^deprecated, /, '') : '';
  return [text ? [text] : [], replacement ? [`@deprecated ${replacement}`] : []];
};

/**
 * The declaration of a named shape.
 * @param texts of its fields, by their paths, if the shape does not have them
 * @param base an interface with some of its fields: in a union of interfaces that extend it, editors show their text
 */
export const declarationOf = (name, shape, texts = {}, base = null) => {
  const textOf = (path) => texts[path];
  const doc = docComment(shape.description ? [sentence(shape.description)] : []);
  if (shape.properties && base) {
    const own = Object.entries(shape.properties).filter(([key]) => !base.keys.includes(key));
    const fields = fieldsOf({ ...shape, properties: Object.fromEntries(own) }, '  ', textOf);
    return `${doc}export interface ${name} extends ${base.name} {\n${fields}}\n`;
  }
  if (shape.properties) return `${doc}export interface ${name} {\n${fieldsOf(shape, '  ', textOf)}}\n`;
  const line = `export type ${name} = ${contentOf(shape, '', textOf)};`;
  return `${doc}${line.length <= width ? line : line.replace(' = ', ' =\n  ')}\n`;
};
