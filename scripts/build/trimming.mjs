import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/** The source of a module that exports the classes of commander, each from its own file. */
const commanderClasses = () => {
  const lib = join(dirname(require.resolve('commander')), 'lib');
  return ['command', 'option', 'argument', 'error'].map((file) => {
    const path = join(lib, `${file}.js`);
    return `export const { ${Object.keys(require(path)).join(', ')} } = require(${JSON.stringify(path)});`;
  }).join('\n');
};


/** Modules of Node that take milliseconds to load and that few commands need. */
const rarelyUsed = /^node:(child_process|fs\/promises|https|os)$/;

const lazyGetters = (path, file) =>
  `{ ${Object.keys(require(path)).map((name) => `get ${name}() { return require('${file}').${name}; }`).join(', ')} }`;

/** The source of a module that loads `file` when one of its exports is read. */
export const lateModule = (path, file = path) => `module.exports = ${lazyGetters(path, file)};`;

/** Replaces commander, whose index creates a command at start-up. */
const trimmed = { commander: commanderClasses() };

/**
 * The same for named imports of functions: esbuild copies all exports of a CommonJS module first, which is slow for a
 * short command.
 */
const lazyFunctions = (path) => Object.entries(require(path))
  .filter(([, value]) => typeof value === 'function')
  .map(([name]) => `export const ${name} = (...args) => require('${path}').${name}(...args);`)
  .concat(`export default ${lazyGetters(path, path)};`)
  .join('\n');

/** How such a module is loaded lazily, by the kind of import. */
const lazySources = {
  'require-call': lateModule,
  'import-statement': lazyFunctions,
};

/** The esbuild plugin that inserts these modules; inside them, the same name resolves to the original. */
export const trimming = {
  name: 'trimming',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^(${Object.keys(trimmed).join('|')})$`) }, ({ path, namespace }) =>
      namespace === 'trimmed' ? undefined : { path, namespace: 'trimmed' });
    onResolve({ filter: rarelyUsed }, ({ path, kind, namespace }) =>
      namespace !== 'trimmed' && lazySources[kind] ? { path, namespace: 'trimmed', suffix: `?${kind}` } : undefined);
    onLoad({ filter: /.*/, namespace: 'trimmed' }, ({ path, suffix }) =>
      ({ contents: lazySources[suffix.slice(1)]?.(path) ?? trimmed[path], resolveDir: process.cwd() }));
  },
};
