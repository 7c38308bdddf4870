/** How every file of the program is built; what is imported lazily stays lazy. */
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

/** One function expression, as Node wraps modules: so a file can be compiled with a code cache. */
export const wrapped = {
  banner: { js: '(function (exports, require, module, __dirname) {' },
  footer: { js: '})' },
};

/** Loaded from node_modules where they are asked for: native code, and drivers that few need. */
export const external = ['@napi-rs/keyring', 'libsql', 'pg', 'node:sqlite', 'undici'];
