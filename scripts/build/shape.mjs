import { readFileSync, writeFileSync } from 'node:fs';

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

/**
 * Escapes the characters that esbuild leaves in regular expressions: Node reads a file of ASCII characters faster if it
 * does not have to decode UTF-8.
 */
export const asciiOnly = {
  name: 'ASCII only',
  setup({ onEnd, initialOptions: { outfile } }) {
    onEnd(({ errors }) => {
      if (errors.length > 0) return;
      const text = readFileSync(outfile, 'utf8');
      writeFileSync(outfile, text.replace(/[^\0-\x7f]/g, (char) =>
        `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`), 'latin1');
    });
  },
};

/** Packages with native code, which are loaded from node_modules, and a module that only newer Nodes have. */
export const external = ['@napi-rs/keyring', 'libsql', 'node:sqlite'];
