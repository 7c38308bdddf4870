import { build } from 'esbuild';
import { includedLibsql } from './libsql.mjs';
import { asciiOnly, external, shape, wrapped } from './shape.mjs';
import { lateModule, trimming } from './trimming.mjs';

/** Large libraries that few commands need; each is a separate file, so that the program does not read it at start. */
const libraries = ['conf', 'file-type', 'file-type/core', 'inquirer', 'jq-wasm/inline', 'marked', 're2js',
  'yaml'];

/** Libraries that only the program needs. */
const programLibraries = ['cli-table3', 'hast-util-from-html', 'hast-util-sanitize', 'hast-util-to-html', 'saxes'];

/** A library of the server, whose bundles include it. */
const serverLibrary = '@fastify/busboy';

/** The file name of a library. */
export const fileOf = (library) => `${library.replace('@', '').replace('/', '-')}.cjs`;

/** The plugin that resolves imports of libraries to their files in a folder. */
const externalLibraries = (folder, names) => ({
  name: 'external libraries',
  setup({ onResolve }) {
    onResolve({ filter: new RegExp(`^(${names.join('|')})$`) }, ({ path }) =>
      ({ path: `${folder}/${fileOf(path)}`, external: true }));
  },
});

/** The plugin that loads a library on first use of an export: with the demo world, the server needs no YAML parser. */
const lazyLibrary = (folder, library) => ({
  name: `lazy ${library}`,
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^${library}$`) }, ({ path }) => ({ path, namespace: 'lazy' }));
    onLoad({ filter: /.*/, namespace: 'lazy' }, ({ path }) =>
      ({ contents: lateModule(path, `${folder}/${fileOf(path)}`) }));
    onResolve({ filter: /.*/, namespace: 'lazy' }, ({ path }) => ({ path, external: true }));
  },
});

/** The plugin that keeps the server in a separate bundle, which the launcher runs like the program. */
const externalServer = (folder) => ({
  name: 'external server',
  setup({ onResolve }) {
    onResolve({ filter: /\/server\/index\.js$/ }, () => ({ path: `${folder}/server.cjs`, external: true }));
  },
});

/** The plugins for the program. Paths are relative to the launcher, because the bundle uses its `require`. */
export const externalParts = [
  externalLibraries('../dist/parts', [...libraries, ...programLibraries, serverLibrary]),
  externalServer('../dist/parts'),
];

/** The same for a bundle with the server. */
export const includedServer = [
  includedLibsql, lazyLibrary('../dist/parts', 'yaml'),
  externalLibraries('../dist/parts', [...libraries, ...programLibraries]),
];

/** Exports the default export of the library if it has one, as an import of CommonJS expects. */
const contentsOf = (library) => `
  const library = require('${library}');
  module.exports = library.__esModule && library.default ? library.default : library;`;

const libraryPart = (folder, library) => build({
  ...shape,
  stdin: { contents: contentsOf(library), resolveDir: process.cwd() },
  outfile: `${folder}/${fileOf(library)}`,
  logLevel: 'error',
  conditions: ['module-sync'],
  // jq also logs to the console how it ended, which the program already gets as a result.
  drop: library.startsWith('jq-wasm') ? ['console'] : [],
});

const serverPart = (folder) => build({
  ...shape,
  ...wrapped,
  entryPoints: ['src/server/index.ts'],
  outfile: `${folder}/server.cjs`,
  external,
  plugins: [
    trimming, includedLibsql, lazyLibrary('../dist/parts', 'yaml'),
    externalLibraries('../dist/parts', libraries), asciiOnly,
  ],
});

/** Builds the server and the libraries into a folder, and returns what esbuild reports of each. */
export const buildParts = (folder) => {
  const all = [...libraries, ...programLibraries, serverLibrary];
  return Promise.all([serverPart(folder), ...all.map((library) => libraryPart(folder, library))]);
};
