import { build } from 'esbuild';
import { ascii } from './ascii.mjs';
import { external, shape, wrapped } from './shape.mjs';
import { lateModule, trimming } from './trimming.mjs';

/**
 * Libraries that few calls need and that are larger than all the rest: each a file of its own, so that starting the
 * program does not read them.
 */
const libraries = ['conf', 'file-type', 'file-type/core', 'form-data', 'inquirer', 'jq-wasm/inline', 'marked', 're2js',
  'yaml'];

/** Libraries that the server needs at once and calls seldom; the server's bundle holds those that it uses. */
const ofCalls = ['@fastify/busboy', 'cli-table3'];

/** The file of one of them. */
export const fileOf = (library) => `${library.replace('@', '').replace('/', '-')}.cjs`;

/** Points what asks for one of some libraries at its file, below a folder. */
const librariesIn = (folder, names) => ({
  name: 'libraries apart',
  setup({ onResolve }) {
    onResolve({ filter: new RegExp(`^(${names.join('|')})$`) }, ({ path }) =>
      ({ path: `${folder}/${fileOf(path)}`, external: true }));
  },
});

/** Of one of the libraries: its file is read when one of its names is. The demo world needs no parser. */
const lateIn = (folder, library) => ({
  name: `${library} later`,
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^${library}$`) }, ({ path }) => ({ path, namespace: 'later' }));
    onLoad({ filter: /.*/, namespace: 'later' }, ({ path }) =>
      ({ contents: lateModule(path, `${folder}/${fileOf(path)}`) }));
    onResolve({ filter: /.*/, namespace: 'later' }, ({ path }) => ({ path, external: true }));
  },
});

/** The server is a bundle of its own that the launcher runs like the program. */
const bundlesIn = (folder) => ({
  name: 'bundles apart',
  setup({ onResolve }) {
    onResolve({ filter: /\/server\/index\.js$/ }, () => ({ path: `${folder}/server.cjs`, external: true }));
  },
});

/** What the program leaves to the files. Paths are as the launcher sees them: the bundle is given its `require`. */
export const apart = [librariesIn('../dist/parts', [...libraries, ...ofCalls]), bundlesIn('../dist/parts')];

/** A file exports the library's default where it has one: that is how an import takes CommonJS. */
const contentsOf = (library) => `
  const library = require('${library}');
  module.exports = library.__esModule && library.default ? library.default : library;`;

const libraryPart = (folder, library) => build({
  ...shape,
  stdin: { contents: contentsOf(library), resolveDir: process.cwd() },
  outfile: `${folder}/${fileOf(library)}`,
  logLevel: 'error',
  conditions: ['module-sync'],
  // jq says on the console how it ended, beside saying it to the program.
  drop: library.startsWith('jq-wasm') ? ['console'] : [],
});

const serverPart = (folder) => build({
  ...shape,
  ...wrapped,
  entryPoints: ['src/server/index.ts'],
  outfile: `${folder}/server.cjs`,
  external,
  plugins: [trimming, lateIn('../dist/parts', 'yaml'), librariesIn('../dist/parts', libraries), ascii],
});

/** Writes the files. */
export const buildParts = async (folder) => {
  const others = [...libraries, ...ofCalls].map((library) => libraryPart(folder, library));
  await Promise.all([serverPart(folder), ...others]);
};
