import { build } from 'esbuild';

/** Loaded from node_modules where they are asked for: native code, and a driver that few install. */
const external = ['libsql', 'pg', 'node:sqlite'];

/**
 * Modules in place of whole libraries: only what the program uses of them, and that when it is used. Of undici the
 * index alone loads three times as much as a request needs, HTTP/2 and Node's own HTTP come on top for the sake of two
 * names, and form-data brings a table of media types.
 */
const trimmed = {
  undici: `
    const Dispatcher = require('undici/lib/dispatcher/dispatcher.js');
    Dispatcher.prototype.request = require('undici/lib/api/api-request.js');
    module.exports = {
      get Agent() { return require('undici/lib/dispatcher/agent.js'); },
      get ProxyAgent() { return require('undici/lib/dispatcher/proxy-agent.js'); },
    };`,
  './client-h2.js': `
    module.exports = (...connection) => require('undici/lib/dispatcher/client-h2.js')(...connection);`,
  'node:http': `
    module.exports = { IncomingMessage: class IncomingMessage {}, maxHeaderSize: 16384 };`,
  'form-data': `
    module.exports = function FormData(...options) {
      return new (require('form-data/lib/form_data.js'))(...options);
    };`,
};

const isUndici = (file) => file.includes('/node_modules/undici/');

const trimming = {
  name: 'trimming',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(undici|form-data)$/ }, ({ path }) => ({ path, namespace: 'trimmed' }));
    onResolve({ filter: /^(\.\/client-h2\.js|node:http)$/ }, ({ path, importer }) =>
      isUndici(importer.replaceAll('\\', '/')) ? { path, namespace: 'trimmed' } : undefined);
    onLoad({ filter: /.*/, namespace: 'trimmed' }, ({ path }) =>
      ({ contents: trimmed[path], resolveDir: process.cwd() }));
  },
};

/**
 * The program as one CommonJS file. What it imports lazily stays lazy: it is in the file, and runs when it is asked
 * for. The file is one function expression, as Node wraps modules, so that it can be compiled with a code cache.
 */
export const bundle = (entry, outfile) => build({
  entryPoints: [entry],
  outfile,
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  supported: { 'dynamic-import': false },
  external,
  plugins: [trimming],
  define: { 'import.meta.url': 'undefined' },
  banner: { js: '(function (exports, require, module) {' },
  footer: { js: '})' },
  logLevel: 'warning',
  metafile: true,
});
