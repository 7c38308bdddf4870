/** The esbuild options of every file of the program; lazy imports stay lazy. */
export const shape = {
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  supported: { 'dynamic-import': false },
  define: { 'import.meta.url': 'undefined' },
  logLevel: 'warning',
};

/** Wraps a file in a function expression, as Node does for modules, so that it can be compiled with a code cache. */
export const wrapped = {
  banner: { js: '(function (exports, require, module, __dirname) {' },
  footer: { js: '})' },
};

/** Packages that are loaded from node_modules: native code and optional drivers. */
export const external = ['@napi-rs/keyring', 'libsql', 'pg', 'node:sqlite', 'undici'];
