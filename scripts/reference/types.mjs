import { loadTypeScript } from '../load-typescript.mjs';
import { shapesOf } from '../build/operation-types.mjs';
import { declarationOf, namedShapes } from '../build/type-text.mjs';
import { namedWorld } from './world-schema.mjs';

const headerFor = (source) => `// Derived from ${source}. To change it, change that and run: npm run reference\n`;
const header = headerFor('the contract');

const shapesFile = (named, top = header) =>
  `${top}\n${[...named].map(([name, shape]) => declarationOf(name, shape)).join('\n')}`;

/** The shapes of the contract; positions on a diff share the fields of a place in it. */
const contractShapes = (named, texts) => {
  const base = { name: 'DiffPlace', keys: ['base_sha', 'start_sha', 'head_sha', 'old_path', 'new_path'] };
  const extending = [...named.values()].filter(({ properties }) =>
    base.keys.every((key) => properties?.[key]) && properties.base_sha.type === 'string');
  const [{ $id, properties, required }] = extending;
  const shared = {
    description: 'commits and paths of a position on a diff', required,
    properties: Object.fromEntries(base.keys.map((key) => [key, properties[key]])),
  };
  return `${header}\n${[declarationOf(base.name, shared, texts[$id]), ...[...named].map(([name, shape]) =>
    declarationOf(name, shape, texts[name], extending.includes(shape) ? base : null))].join('\n')}`;
};

/** The files with named types for world files and for the shapes of the contract. */
export const typeFiles = async () => {
  const { everyEndpoint } = await loadTypeScript('src/contract/contract.ts');
  const { fieldTexts } = await loadTypeScript('src/contract/openapi/field-texts.ts');
  const { World } = await loadTypeScript('src/server/world-file/schema.ts');
  return {
    'src/contract/derived/shapes.ts': contractShapes(shapesOf(everyEndpoint()), fieldTexts),
    'src/server/world-file/derived.ts': shapesFile(namedShapes([namedWorld(World)]), headerFor('schema.ts')),
  };
};
