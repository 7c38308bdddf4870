import { build } from 'esbuild';

/**
 * Libraries that few calls need and that are larger than all the rest: each a file of its own, so that starting the
 * program does not read them.
 */
const libraries = ['conf', 'file-type', 'file-type/core', 'form-data', 'inquirer', 'jq-wasm/inline', 'marked', 're2js',
  'yaml'];

const fileOf = (library) => `${library.replace('/', '-')}.cjs`;

/**
 * Points what asks for one of the libraries at its file. Paths are as the launcher sees them: the bundle is given its
 * `require`.
 */
export const apart = {
  name: 'apart',
  setup({ onResolve }) {
    onResolve({ filter: new RegExp(`^(${libraries.join('|')})$`) }, ({ path }) =>
      ({ path: `../dist/parts/${fileOf(path)}`, external: true }));
  },
};

/** A file exports the library's default where it has one: that is how an import takes CommonJS. */
const contentsOf = (library) => `
  const library = require('${library}');
  module.exports = library.__esModule && library.default ? library.default : library;`;

/** Writes the files. */
export const buildParts = (folder) => Promise.all(libraries.map((library) => build({
  stdin: { contents: contentsOf(library), resolveDir: process.cwd() },
  outfile: `${folder}/${fileOf(library)}`,
  bundle: true, minify: true, platform: 'node', format: 'cjs', target: 'node20', logLevel: 'error',
  conditions: ['module-sync'],
})));
