import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { loadTypeScript } from '../load-typescript.mjs';

const imported = /^import \{ ([\w, ]+) \} from '(.+)';$/gm;
const tree = /^(export const contract: Contract = )\{\s+([\w,\s]+?),?\s+\};$/m;

const withLateAreas = (text) => {
  const files = new Map([...text.matchAll(imported)].flatMap(([, names, file]) =>
    names.split(', ').map((name) => [name, file])));
  const areas = tree.exec(text)?.[2].split(/,\s+/);
  const unknown = areas?.filter((area) => !files.has(area)) ?? ['the tree'];
  if (unknown.length > 0) throw new Error(`src/contract/contract.ts has an unexpected form: ${unknown}`);
  const getters = areas.map((area) =>
    `get ${area}() { return loaded.${area} ??= require('${files.get(area)}').${area}; }`);
  return text.replace(imported, '')
    .replace(tree, `const loaded: Partial<Contract> = {};\n$1{ ${getters.join(', ')} };`);
};

const list = /^(export const routes: readonly Route\[\] = )[^]*?;$/m;

const withRoutesAsData = async (text) => {
  if (!list.test(text)) throw new Error('src/contract/routes.ts has an unexpected form');
  const { routes } = await loadTypeScript('src/contract/routes.ts');
  return text.replace('type EndpointTree, everyEndpoint', 'type EndpointTree')
    .replace(list, (_, start) => `${start}${JSON.stringify(routes)};`);
};

const types = join(dirname(createRequire(import.meta.url).resolve('@sinclair/typebox')), '..', 'esm', 'type');

const sources = () => readdirSync('src', { recursive: true }).filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(join('src', file), 'utf8'));

/** Where the modules of TypeBox are that export more than one builder. */
const moduleOf = { FormatRegistry: ['registry', 'format.mjs'], KindGuard: ['guard', 'kind.mjs'] };
const whole = Object.keys(moduleOf);

/** For a namespace of CommonJS, esbuild copies all builders once per module; `require` shares them. */
const typeImport = "import * as Type from '@sinclair/typebox';";
const typeRequire = "const Type = require('@sinclair/typebox');";

/** The source of a module with the type builders that the program uses. */
const usedBuilders = () => {
  const late = (name) => {
    const file = JSON.stringify(join(types, ...moduleOf[name] ?? [name.toLowerCase(), 'index.mjs']));
    return `get ${name}() { return loaded.${name} ??= require(${file})${whole.includes(name) ? '' : `.${name}`}; }`;
  };
  const used = sources().flatMap((text) => [...text.matchAll(/\bType\.(\w+)/g)].map(([, name]) => name));
  const builders = used.filter((name) => !/^(Static$|T[A-Z])/.test(name));
  return `
    const loaded = {};
    module.exports = { ${[...new Set([...whole, ...builders])].sort().map(late).join(', ')} };`;
};

/**
 * Loads each area of the contract on first use, and no area to know its paths: most programs need one, and creating the
 * shapes takes time.
 */
export const lateAreas = {
  name: 'late areas',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/]contract[\\/]contract\.ts$/ }, ({ path }) =>
      ({ contents: withLateAreas(readFileSync(path, 'utf8')), loader: 'ts' }));
    onLoad({ filter: /[\\/]src[\\/]contract[\\/]routes\.ts$/ }, async ({ path }) =>
      ({ contents: await withRoutesAsData(readFileSync(path, 'utf8')), loader: 'ts' }));
  },
};

/**
 * The same with each type builder of TypeBox: for a command, creating all shapes takes longer than the rest. Each half
 * alone saves little: all shapes need most builders.
 */
export const lateContract = {
  name: 'late contract',
  setup({ onResolve, onLoad, ...more }) {
    lateAreas.setup({ onLoad, ...more });
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      return text.includes(typeImport) ? { contents: text.replace(typeImport, typeRequire), loader: 'ts' } : undefined;
    });
    onResolve({ filter: /^@sinclair\/typebox$/ }, ({ path }) => ({ path, namespace: 'used' }));
    onLoad({ filter: /.*/, namespace: 'used' }, () => ({ contents: usedBuilders(), resolveDir: process.cwd() }));
  },
};
