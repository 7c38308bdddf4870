import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/** Of the parser's constants those that undici reads. */
const parserConstants = () => {
  const { ERROR, TYPE } = require(join(dirname(require.resolve('undici/package.json')), 'lib/llhttp/constants.js'));
  return { ERROR, TYPE };
};

/** The classes of commander, each from its own file. */
const commanderClasses = () => {
  const lib = join(dirname(require.resolve('commander')), 'lib');
  return ['command', 'option', 'argument', 'error'].map((file) => {
    const path = join(lib, `${file}.js`);
    return `export const { ${Object.keys(require(path)).join(', ')} } = require(${JSON.stringify(path)});`;
  }).join('\n');
};

/** The launcher says where it lies. */
const bytesOf = (file) => `
    module.exports = require('node:fs').readFileSync(__dirname + '/../dist/parts/${file}');`;

/**
 * What V8 is told once undici is loaded and before its parser, which is WebAssembly, is compiled: no sooner, because no
 * code cache is taken under other flags than it was made with, and Node has one for each of its own modules. The parser
 * is checked as it is run and not optimised in the background: an exit would wait for that.
 */
const flags = ['--liftoff-only', '--wasm-lazy-validation'];

/**
 * Modules in place of whole libraries: only what the program uses of them, and that when it is used. Of undici the
 * index alone loads three times as much as a request needs, HTTP/2 and Node's own HTTP come on top for the sake of two
 * names, Node's assertions for checks that hold, and form-data need not be read before the first file is sent. The tree
 * of well-known headers takes longer to plant than it takes to make all names of a long list lower case. The parser's
 * constants are worked out here, not at every start, and its WebAssembly is read from a file. The index of commander
 * makes a program of its own.
 */
export const trimmed = {
  undici: `
    const Dispatcher = require('undici/lib/dispatcher/dispatcher.js');
    Dispatcher.prototype.connect = function (...asked) {
      return require('undici/lib/api/api-connect.js').apply(this, asked);
    };
    const ready = (library) => {
      const { setFlagsFromString } = require('node:v8');
      if (process.env.COLLOQUY_V8_FLAGS !== 'off') ${JSON.stringify(flags)}.forEach((flag) => setFlagsFromString(flag));
      return library;
    };
    module.exports = {
      get Agent() { return ready(require('undici/lib/dispatcher/agent.js')); },
      get ProxyAgent() { return ready(require('undici/lib/dispatcher/proxy-agent.js')); },
    };`,
  commander: commanderClasses(),
  './tree': `
    module.exports = { tree: { lookup: () => null } };`,
  './client-h2.js': `
    module.exports = (...connection) => require('undici/lib/dispatcher/client-h2.js')(...connection);`,
  'node:http': `
    module.exports = { IncomingMessage: class IncomingMessage {}, maxHeaderSize: 16384 };`,
  'node:assert': `
    module.exports = (holds, message) => { if (!holds) require('node:assert')(holds, message); };`,
  '../llhttp/constants.js': `
    module.exports = ${JSON.stringify(parserConstants())};`,
  '../llhttp/llhttp_simd-wasm.js': bytesOf('llhttp_simd.wasm'),
  '../llhttp/llhttp-wasm.js': bytesOf('llhttp.wasm'),
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

const isUndici = (file) => file.replaceAll('\\', '/').includes('/node_modules/undici/');

/** The esbuild plugin that puts them in place; a module of these asks for the real one by the same name. */
export const trimming = {
  name: 'trimming',
  setup({ onResolve, onLoad }) {
    const inPlace = ({ path }) => ({ path, namespace: 'trimmed' });
    onResolve({ filter: /^(commander|form-data|libsql)$/ }, (asked) =>
      asked.namespace === 'trimmed' ? undefined : inPlace(asked));
    const inUndici = /^(\.\/(client-h2\.js|tree)|\.\.\/llhttp\/[\w-]+\.js|node:(http|assert))$/;
    onResolve({ filter: inUndici }, (asked) =>
      asked.namespace === 'file' && isUndici(asked.importer) ? inPlace(asked) : undefined);
    onResolve({ filter: seldom }, ({ path, kind, namespace }) =>
      namespace !== 'trimmed' && late[kind] ? { path, namespace: 'trimmed', suffix: `?${kind}` } : undefined);
    onLoad({ filter: /.*/, namespace: 'trimmed' }, ({ path, suffix }) =>
      ({ contents: late[suffix.slice(1)]?.(path) ?? trimmed[path], resolveDir: process.cwd() }));
  },
};
