import { loadTypeScript } from '../load-typescript.mjs';
import { shapesOf } from './operation-types.mjs';
import { declarationOf, namedShapes } from './type-text.mjs';
import { namedWorld } from './world-schema.mjs';

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
  return [declarationOf(base.name, shared, texts[$id]), ...[...named].map(([name, shape]) =>
    declarationOf(name, shape, texts[name], extending.includes(shape) ? base : null))].join('\n');
};

/**
 * The declarations of the named types of the contract and of world files, by path. The sources infer these types from
 * shapes; in the package they are interfaces, whose names and texts editors show.
 */
export const namedTypes = async () => {
  const { everyEndpoint } = await loadTypeScript('src/contract/contract.ts');
  const { fieldTexts } = await loadTypeScript('src/contract/openapi/field-texts.ts');
  const { World } = await loadTypeScript('src/server/world-file/schema.ts');
  const world = namedShapes([namedWorld(World)]);
  return {
    'contract/derived/shapes': contractShapes(shapesOf(everyEndpoint()), fieldTexts),
    'server/world-file/derived': [...world].map(([name, shape]) => declarationOf(name, shape)).join('\n'),
  };
};
