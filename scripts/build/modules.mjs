import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { build } from 'esbuild';
import { fileOf } from './parts.mjs';

/**
 * What a module exports as plain values, once it has run: esbuild has two getters before each, which every call from
 * module to module would go through.
 */
const plain = `module.exports = Object.defineProperty({ ...module.exports }, '__esModule', { value: true });`;

/** Nothing is loaded by `import()`: not every host of CommonJS has it, Jest has not. What is lazy stays lazy. */
const shape = {
  bundle: true, platform: 'node', target: 'node20', supported: { 'dynamic-import': false }, charset: 'utf8',
  logLevel: 'warning',
};

/** Packages of ES modules alone, which Node 20.18 can't require: one is small and written into the module that asks. */
const small = 'rou3';
/** The other is CommonJS among the program's parts. */
const large = 'file-type/core';

const isOurs = (file) => !relative('src', file).startsWith('..');

/** Where a module finds a part, as seen from its own place. */
const partFrom = (importer, lib, parts) => posix.relative(
  posix.join(lib, posix.dirname(relative('src', importer).replaceAll('\\', '/'))), posix.join(parts, fileOf(large)));

/** Every module stays a file of its own, and what it imports stays where it is. */
const apart = (lib, parts) => ({
  name: 'modules apart',
  setup({ onResolve }) {
    onResolve({ filter: /.*/ }, ({ kind, path, importer }) => {
      if (kind === 'entry-point' || path === small || !isOurs(importer)) return undefined;
      return { path: path === large ? partFrom(importer, lib, parts) : path, external: true };
    });
  },
});

/** The modules that the entries lead to, and by entry the names it exports. */
const survey = async (entries) => {
  const { metafile } = await build({
    ...shape, format: 'esm', packages: 'external', write: false, metafile: true,
    entryPoints: entries.map((entry) => `src/${entry}.ts`), outdir: '.',
  });
  const names = Object.values(metafile.outputs).map((output) => [output.entryPoint, output.exports]);
  return { files: Object.keys(metafile.inputs), names: Object.fromEntries(names) };
};

/** What `import` takes of an entry. */
const writeEntry = (entry, names, { lib, esm }) => {
  const file = join(esm, `${entry}.js`);
  const code = posix.join(posix.relative(posix.join(esm, posix.dirname(entry)), lib), `${entry}.js`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `export {\n${names.map((name) => `  ${name},\n`).join('')}} from '${code}';\n`);
};

/**
 * Writes the library's modules as CommonJS into `lib`, and into `esm` the entries as ES modules that hand on the names.
 * @param folders with `parts`, where the program's parts are
 */
export const modules = async (entries, folders) => {
  const { lib, parts } = folders;
  const { files, names } = await survey(entries);
  await build({
    ...shape, format: 'cjs', entryPoints: files, outbase: 'src', outdir: lib,
    plugins: [apart(lib, parts)], footer: { js: plain },
  });
  writeFileSync(join(lib, 'package.json'), '{ "type": "commonjs" }\n');
  for (const entry of entries) writeEntry(entry, names[`src/${entry}.ts`], folders);
};
