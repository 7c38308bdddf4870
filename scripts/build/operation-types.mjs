import { loadTypeScript } from '../load-typescript.mjs';
import { groupName, paramsName } from './type-names.mjs';
import { docComment, namedShapes, sentence, typeOf } from './type-text.mjs';

/** The import of those names that a text uses. */
const importOf = (names, text, file) => {
  const words = new Set(text.replace(/\/\*[\s\S]*?\*\//g, '').match(/\w+/g));
  const used = [...names].filter((name) => words.has(name)).sort();
  if (used.length === 0) return '';
  const line = `import type { ${used.join(', ')} } from '${file}';\n`;
  return line.length <= 120 ? line : `import type {\n${used.map((name) => `  ${name},\n`).join('')}} from '${file}';\n`;
};

/** The text of a parameter for people. */
const textOf = ({ text, since, dialect }) =>
  [text, ...since ? [`since ${since}`] : [], ...dialect === 'document' ? ['ignored by live services'] : []].join('; ');

const fieldOf = (key, { required, shape }, doc) =>
  `${doc}  ${key}${required ? '' : '?'}: ${typeOf(shape)}${required ? '' : ' | undefined'};\n`;

const paramsOf = ({ name, endpoint }) => {
  const { summary, params, clientNames = {} } = endpoint;
  const docOf = (parameter) => docComment([sentence(textOf(parameter))], [], '  ');
  const fields = Object.entries(params).filter(([key]) => !(key in clientNames))
    .map(([key, parameter]) => fieldOf(key, parameter, docOf(parameter)));
  const doc = docComment([`Parameters of \`client.${name}\`: ${summary}.`]);
  const block = fields.length > 0 ? `{\n${fields.join('')}}` : '{}';
  const [renamed] = Object.entries(clientNames);
  if (!renamed) return `${doc}export interface ${paramsName(name)} ${block}\n`;
  const [oldKey, key] = renamed;
  const parameter = params[oldKey];
  // The compiler says of a call without both that the last one is missing.
  const either = [[oldKey, docComment([], [`@deprecated use ${key}`], '  ')], [key, docOf(parameter)]]
    .map(([one, text]) => `{\n${fieldOf(one, parameter, text)}}`).join(' | ');
  return `${doc}export type ${paramsName(name)} = ${block} & (${either});\n`;
};

/** The request of an endpoint, with the names of a client in its path. */
export const requestOf = ({ method, paths: [path], clientNames = {} }) =>
  `${method} ${path.replace(/:(\w+)/g, (_, name) => `:${clientNames[name] ?? name}`)}`;

const resultOf = ({ returns }) => returns === null ? 'undefined' : typeOf(returns);

/** Its parameters have the names of the wire. */
const operationOf = ({ name, endpoint }) => {
  const params = paramsName(name);
  const [renamed] = Object.entries(endpoint.clientNames ?? {});
  if (!renamed) return operationWith(params, endpoint);
  const [oldKey, key] = renamed;
  const operation = operationWith(`Extract<${params}, Record<'${oldKey}', unknown>>`, endpoint);
  return `Renamed<${operation}, Record<'${oldKey}', '${key}'>>`;
};

const operationWith = (params, endpoint) => endpoint.paged
  ? `ListOperation<${params}, ${typeOf(endpoint.returns.items)}>`
  : endpoint.accepted
    ? `AcceptingOperation<${params}, ${resultOf(endpoint)}, ${typeOf(endpoint.accepted)}>`
    : endpoint.raw ? `RawOperation<${params}>` : `Operation<${params}, ${resultOf(endpoint)}>`;

const isEndpoint = ({ method }) => typeof method === 'string';

const textOfGroup = ([area, kind], areas, members = 'methods') =>
  kind ? `${members} for ${kind.replace('_', ' ')}s` : areas[area].replace(/^companion: /, '');

const treeOf = (tree, path, areas, indent) => Object.entries(tree).map(([key, node]) => {
  const name = [...path, key];
  const type = isEndpoint(node) ? operationOf({ name: name.join('.'), endpoint: node })
    : `{\n${treeOf(node, name, areas, `${indent}  `)}${indent}}`;
  const text = isEndpoint(node) ? `${sentence(node.summary)} \`${requestOf(node)}\``
    : sentence(textOfGroup(name, areas, 'operations'));
  return `${docComment([text], [], indent)}${indent}readonly ${key}: ${type};\n`;
}).join('');

const operationNames = ['AcceptingOperation', 'ListOperation', 'Operation', 'RawOperation', 'Renamed', 'Upload'];

const operationsFile = (contract, areas, endpoints, shapes) => {
  const doc = docComment(['Every operation of the service, with the types of its parameters and result.']);
  const tree = `${doc}export type Contract = {\n${treeOf(contract, [], areas, '  ')}};\n`;
  const text = [...endpoints.map(paramsOf), tree].join('\n');
  const imports = [
    importOf(operationNames, text, './endpoint.js'),
    importOf(shapes, text, './derived/shapes.js'),
  ];
  return `${imports.join('')}\n${text}`;
};

const rights = { admin: 'an administrator', owner: 'an owner' };

const conditionsOf = ({ since, needs, exactlyOneOf }) => [
  ...since ? [`Since version ${since}.`] : [],
  ...needs ? [`Needs ${rights[needs]}.`] : [],
  ...exactlyOneOf ? [`Exactly one of ${exactlyOneOf.map((name) => `\`${name}\``).join(' and ')} is required.`] : [],
];

const methodOf = ({ name, endpoint }) => {
  const { params, summary, clientNames = {} } = endpoint;
  const tags = Object.entries(params)
    .map(([key, parameter]) => `@param params.${clientNames[key] ?? key} ${textOf(parameter)}`);
  const conditions = conditionsOf(endpoint).join(' ');
  const paragraphs = [sentence(summary), `\`${requestOf(endpoint)}\``, ...conditions ? [conditions] : []];
  const doc = docComment(paragraphs, tags, '  ');
  const result = endpoint.paged ? `Pages<${typeOf(endpoint.returns.items)}>` : `Promise<${resultOf(endpoint)}>`;
  const mark = Object.values(params).some(({ required }) => required) ? '' : '?';
  return `${doc}  ${name.split('.').at(-1)}(params${mark}: ${paramsName(name)}, options?: CallOptions): ${result};\n`;
};

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
  const base = path.length > 0 ? '' : ' extends Requests';
  return [...inner, `${doc}export interface ${groupName(path)}${base} {\n${members.join('\n')}}\n`].join('\n');
};

const methodsFile = (contract, areas, names, shapes) => {
  const text = groupsOf(contract, [], areas);
  const imports = [
    importOf(names, text, '../contract/operations.js'), importOf(shapes, text, '../contract/derived/shapes.js'),
    importOf(['CallOptions'], text, './options.js'), importOf(['Pages'], text, './pages.js'),
    importOf(['Requests'], text, './method-of.js'),
  ];
  return `${imports.join('')}\n${text}`;
};

/** The named shapes of parameters and results. */
export const shapesOf = (endpoints) => namedShapes(endpoints.flatMap(({ endpoint: { params, returns, accepted } }) =>
  [...Object.values(params).map(({ shape }) => shape), returns, accepted].filter((shape) => shape)));

/**
 * The declarations of the package, by path, that replace the ones of the compiler: there, methods and parameters have
 * names and texts, which editors show, and the types need no computing from shapes.
 */
export const operationTypes = async () => {
  const { contract, everyEndpoint } = await loadTypeScript('src/contract/contract.ts');
  const { areas } = await loadTypeScript('src/contract/openapi.ts');
  const endpoints = everyEndpoint();
  const shapes = [...shapesOf(endpoints).keys()];
  const names = endpoints.map(({ name }) => paramsName(name));
  return {
    'contract/operations': operationsFile(contract, areas, endpoints, shapes),
    'client/methods': methodsFile(contract, areas, names, shapes),
  };
};
