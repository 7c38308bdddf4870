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
  metafile: true,
};

/** Wraps a file in a function expression, as Node does for modules, so that it can be compiled with a code cache. */
export const wrapped = {
  banner: { js: '(function (exports, require, module, __dirname) {' },
  footer: { js: '})' },
};

/** Packages with native code, which are loaded from node_modules, and a module that only newer Nodes have. */
export const external = ['@napi-rs/keyring', 'libsql', 'node:sqlite'];
