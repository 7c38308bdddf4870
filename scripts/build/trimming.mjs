import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/** The classes of commander, each from its own file. */
const commanderClasses = () => {
  const lib = join(dirname(require.resolve('commander')), 'lib');
  return ['command', 'option', 'argument', 'error'].map((file) => {
    const path = join(lib, `${file}.js`);
    return `export const { ${Object.keys(require(path)).join(', ')} } = require(${JSON.stringify(path)});`;
  }).join('\n');
};

/**
 * Modules in place of whole libraries: only what the program uses of them, and that when it is used. The index of
 * commander makes a program of its own, and form-data need not be read before the first file is sent.
 */
const trimmed = {
  commander: commanderClasses(),
  libsql: readFileSync(new URL('./libsql.cjs', import.meta.url), 'utf8'),
  'form-data': `
    module.exports = function FormData(...options) {
      return new (require('form-data'))(...options);
    };`,
};

/** Parts of Node that take milliseconds to load, and that few calls need. */
const seldom = /^node:(child_process|fs\/promises|https|os)$/;

const lateNames = (path, file) =>
  `{ ${Object.keys(require(path)).map((name) => `get ${name}() { return require('${file}').${name}; }`).join(', ')} }`;

/** A module that is loaded when one of its names is read, from `file`. */
export const lateModule = (path, file = path) => `module.exports = ${lateNames(path, file)};`;

/**
 * The same for imports of its functions, each by its name: of CommonJS esbuild first copies all names, which takes
 * longer than a short call uses the few.
 */
const lateFunctions = (path) => Object.entries(require(path))
  .filter(([, value]) => typeof value === 'function')
  .map(([name]) => `export const ${name} = (...given) => require('${path}').${name}(...given);`)
  .concat(`export default ${lateNames(path, path)};`)
  .join('\n');

/** How such a part is put off, by what asks for it. */
const late = {
  'require-call': lateModule,
  'import-statement': lateFunctions,
};

/** The esbuild plugin that puts them in place; a module of these asks for the real one by the same name. */
export const trimming = {
  name: 'trimming',
  setup({ onResolve, onLoad }) {
    const inPlace = ({ path }) => ({ path, namespace: 'trimmed' });
    onResolve({ filter: /^(commander|form-data|libsql)$/ }, (asked) =>
      asked.namespace === 'trimmed' ? undefined : inPlace(asked));
    onResolve({ filter: seldom }, ({ path, kind, namespace }) =>
      namespace !== 'trimmed' && late[kind] ? { path, namespace: 'trimmed', suffix: `?${kind}` } : undefined);
    onLoad({ filter: /.*/, namespace: 'trimmed' }, ({ path, suffix }) =>
      ({ contents: late[suffix.slice(1)]?.(path) ?? trimmed[path], resolveDir: process.cwd() }));
  },
};
