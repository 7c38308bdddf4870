import { loadTypeScript } from '../load-typescript.mjs';
import { groupName, paramsName } from './type-names.mjs';
import { declarationOf, docComment, namedShapes, sentence, typeOf } from './type-text.mjs';
import { namedWorld } from './world-schema.mjs';

const headerFor = (source) => `// Derived from ${source}. To change it, change that and run: npm run reference\n`;
const header = headerFor('the contract');

/** The import of those names that a text uses. */
const importOf = (names, text, file) => {
  const words = new Set(text.replace(/\/\*[\s\S]*?\*\//g, '').match(/\w+/g));
  const used = [...names].filter((name) => words.has(name)).sort();
  if (used.length === 0) return '';
  const line = `import type { ${used.join(', ')} } from '${file}';\n`;
  return line.length <= 120 ? line : `import type {\n${used.map((name) => `  ${name},\n`).join('')}} from '${file}';\n`;
};

const shapesFile = (named, top = header) =>
  `${top}\n${[...named].map(([name, shape]) => declarationOf(name, shape)).join('\n')}`;

/** The shapes of the contract; positions share the fields of a place in a diff. */
const contractShapes = (named) => {
  const base = { name: 'DiffPlace', keys: ['base_sha', 'start_sha', 'head_sha', 'old_path', 'new_path'] };
  const extending = [...named.values()].filter(({ properties }) => base.keys.every((key) => properties?.[key]));
  const { properties, required } = extending[0];
  const shared = {
    description: 'commits and paths of a position on a diff', required,
    properties: Object.fromEntries(base.keys.map((key) => [key, properties[key]])),
  };
  return `${header}\n${[declarationOf(base.name, shared), ...[...named].map(([name, shape]) =>
    declarationOf(name, shape, extending.includes(shape) ? base : null))].join('\n')}`;
};

/** The text of a parameter for people. */
const textOf = ({ text, since, dialect }) =>
  [text, ...since ? [`since ${since}`] : [], ...dialect === 'document' ? ['ignored by live services'] : []].join('; ');

const paramsOf = ({ name, endpoint }) => {
  const fields = Object.entries(endpoint.params).map(([key, parameter]) => {
    const { required, shape } = parameter;
    const doc = docComment([sentence(textOf(parameter))], [], '  ');
    return `${doc}  ${key}${required ? '' : '?'}: ${typeOf(shape)}${required ? '' : ' | undefined'};\n`;
  });
  const doc = docComment([`Parameters of \`client.${name}\`: ${endpoint.summary}.`]);
  return `${doc}export interface ${paramsName(name)} {${fields.length > 0 ? `\n${fields.join('')}` : ''}}\n`;
};

const paramsFile = (endpoints, shapes) => {
  const text = endpoints.map(paramsOf).join('\n');
  return `${header}${importOf(['Upload'], text, '../endpoint.js')}${importOf(shapes, text, './shapes.js')}\n${text}`;
};

const resultOf = ({ returns }) => returns === null ? 'undefined' : typeOf(returns);

const operationOf = ({ name, endpoint }) => endpoint.paged
  ? `ListOperation<${paramsName(name)}, ${typeOf(endpoint.returns.items)}>`
  : endpoint.accepted
    ? `AcceptingOperation<${paramsName(name)}, ${resultOf(endpoint)}, ${typeOf(endpoint.accepted)}>`
    : `Operation<${paramsName(name)}, ${resultOf(endpoint)}>`;

const isEndpoint = ({ method }) => typeof method === 'string';

const treeOf = (tree, path, indent) => Object.entries(tree).map(([key, node]) => {
  const name = [...path, key];
  const type = isEndpoint(node) ? operationOf({ name: name.join('.'), endpoint: node })
    : `{\n${treeOf(node, name, `${indent}  `)}${indent}}`;
  return `${indent}readonly ${key}: ${type};\n`;
}).join('');

const operationsFile = (contract, names, shapes) => {
  const doc = docComment(['Every operation of the service, with the types of its parameters and result.']);
  const text = `${doc}export type Contract = {\n${treeOf(contract, [], '  ')}};\n`;
  const imports = [
    importOf(['AcceptingOperation', 'ListOperation', 'Operation'], text, '../endpoint.js'),
    importOf(names, text, './params.js'),
    importOf(shapes, text, './shapes.js'),
  ];
  return `${header}${imports.join('')}\n${text}`;
};

const rights = { admin: 'an administrator', owner: 'an owner' };

const conditionsOf = ({ since, needs, exactlyOneOf }) => [
  ...since ? [`Since version ${since}.`] : [],
  ...needs ? [`Needs ${rights[needs]}.`] : [],
  ...exactlyOneOf ? [`Exactly one of ${exactlyOneOf.map((name) => `\`${name}\``).join(' and ')} is required.`] : [],
];

const methodOf = ({ name, endpoint }) => {
  const { method, paths: [path], params, summary } = endpoint;
  const tags = Object.entries(params).map(([key, parameter]) => `@param params.${key} ${textOf(parameter)}`);
  const conditions = conditionsOf(endpoint).join(' ');
  const doc = docComment([sentence(summary), `\`${method} ${path}\``, ...conditions ? [conditions] : []], tags, '  ');
  const result = endpoint.paged ? `Pages<${typeOf(endpoint.returns.items)}>` : `Promise<${resultOf(endpoint)}>`;
  return `${doc}  ${name.split('.').at(-1)}(params: ${paramsName(name)}, options?: CallOptions): ${result};\n`;
};

const textOfGroup = ([area, kind], areas) =>
  kind ? `methods for ${kind.replace('_', ' ')}s` : areas[area].replace(/^companion: /, '');

const groupIn = (path, areas) =>
  `${docComment([sentence(textOfGroup(path, areas))], [], '  ')}  readonly ${path.at(-1)}: ${groupName(path)};\n`;

/** The interface of a group of methods, after those of the groups in it. */
const groupsOf = (tree, path, areas) => {
  const members = Object.entries(tree).map(([key, node]) => isEndpoint(node)
    ? methodOf({ name: [...path, key].join('.'), endpoint: node }) : groupIn([...path, key], areas));
  const inner = Object.entries(tree).filter(([, node]) => !isEndpoint(node))
    .map(([key, node]) => groupsOf(node, [...path, key], areas));
  const doc = docComment([path.length > 0 ? `The methods of \`client.${path.join('.')}\`.`
    : 'One typed method for every operation of the service.']);
  return [...inner, `${doc}export interface ${groupName(path)} {\n${members.join('\n')}}\n`].join('\n');
};

const methodsFile = (contract, areas, names, shapes) => {
  const text = groupsOf(contract, [], areas);
  const imports = [
    importOf(names, text, '../contract/derived/params.js'), importOf(shapes, text, '../contract/derived/shapes.js'),
    importOf(['CallOptions'], text, './options.js'), importOf(['Pages'], text, './pagination/pages.js'),
  ];
  return `${header}${imports.join('')}\n${text}`;
};

/** The files with named types for world files, and for all shapes, parameters and methods of the contract. */
export const typeFiles = async () => {
  const { contract, everyEndpoint } = await loadTypeScript('src/contract/contract.ts');
  const { areas } = await loadTypeScript('src/contract/openapi.ts');
  const endpoints = everyEndpoint();
  const shapes = namedShapes(endpoints.flatMap(({ endpoint: { params, returns, accepted } }) =>
    [...Object.values(params).map(({ shape }) => shape), returns, accepted].filter((shape) => shape)));
  const { World } = await loadTypeScript('src/server/world-file/schema.ts');
  const names = endpoints.map(({ name }) => paramsName(name));
  return {
    'src/contract/derived/shapes.ts': contractShapes(shapes),
    'src/contract/derived/params.ts': paramsFile(endpoints, shapes.keys()),
    'src/contract/derived/operations.ts': operationsFile(contract, names, [...shapes.keys()]),
    'src/server/world-file/derived.ts': shapesFile(namedShapes([namedWorld(World)]), headerFor('schema.ts')),
    'src/client/methods.ts': methodsFile(contract, areas, names, [...shapes.keys()]),
  };
};
