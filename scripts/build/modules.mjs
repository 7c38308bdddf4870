import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { build } from 'esbuild';
import { fileOf } from './parts.mjs';

/** Replaces the getters that esbuild exports with plain values, because every call between modules would use them. */
const plainExports = `module.exports = Object.defineProperty({ ...module.exports }, '__esModule', { value: true });`;

/** `import()` becomes a lazy `require`, because not every CommonJS host supports `import()`; Jest does not. */
const shape = {
  bundle: true, platform: 'node', target: 'node20', supported: { 'dynamic-import': false }, charset: 'utf8',
  logLevel: 'warning', metafile: true,
};

/** A small ESM-only package, which Node 20.18 cannot require; it is inlined into the module that imports it. */
const inlined = 'rou3';
/** A large ESM-only package, which the program's parts contain as CommonJS. */
const converted = 'file-type/core';

const isOurs = (file) => !relative('src', file).startsWith('..');

/** The path of the converted package, relative to a module. */
const partFrom = (importer, lib, parts) => posix.relative(
  posix.join(lib, posix.dirname(relative('src', importer).replaceAll('\\', '/'))),
  posix.join(parts, fileOf(converted)));

/** Keeps each module in its own file: imports are not bundled. */
const separateModules = (lib, parts) => ({
  name: 'separate modules',
  setup({ onResolve }) {
    onResolve({ filter: /.*/ }, ({ kind, path, importer }) => {
      if (kind === 'entry-point' || path === inlined || !isOurs(importer)) return undefined;
      return { path: path === converted ? partFrom(importer, lib, parts) : path, external: true };
    });
  },
});

/** The modules that the entries import, and the exported names of each entry. */
const survey = async (entries) => {
  const { metafile } = await build({
    ...shape, format: 'esm', packages: 'external', write: false,
    entryPoints: entries.map((entry) => `src/${entry}.ts`), outdir: '.',
  });
  const names = Object.values(metafile.outputs).map((output) => [output.entryPoint, output.exports]);
  return { files: Object.keys(metafile.inputs), names: Object.fromEntries(names) };
};

/** Writes the ES module of an entry, which re-exports the CommonJS module. */
const writeEntry = (entry, names, { lib, esm }) => {
  const file = join(esm, `${entry}.js`);
  const code = posix.join(posix.relative(posix.join(esm, posix.dirname(entry)), lib), `${entry}.js`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `export {\n${names.map((name) => `  ${name},\n`).join('')}} from '${code}';\n`);
};

/**
 * Writes the client as one ES module, for bundlers: they can leave out what a program does not use, and need no
 * `require` in their result. In a bundle only one of both copies exists, so that its classes are the same for all.
 */
const writeClientModule = (esm) => build({
  ...shape, supported: {}, format: 'esm', packages: 'external', entryPoints: ['src/index.ts'],
  outfile: join(esm, 'bundle.js'),
});

/**
 * Writes the modules of the library as CommonJS to `lib`, and ES modules that re-export the entries to `esm`, with one
 * of the whole client for bundlers.
 * @param folders `lib`, `esm`, and `parts` with the program's parts
 * @returns what esbuild reports of `lib`
 */
export const modules = async (entries, folders) => {
  const { lib, parts } = folders;
  const { files, names } = await survey(entries);
  const result = await build({
    ...shape, format: 'cjs', entryPoints: files, outbase: 'src', outdir: lib,
    plugins: [separateModules(lib, parts)], footer: { js: plainExports },
  });
  writeFileSync(join(lib, 'package.json'), '{ "type": "commonjs" }\n');
  await writeClientModule(folders.esm);
  for (const entry of entries) writeEntry(entry, names[`src/${entry}.ts`], folders);
  return result;
};
