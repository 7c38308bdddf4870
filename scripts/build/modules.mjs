import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, posix, relative } from 'node:path';
import { build } from 'esbuild';
import { lateAreas } from './late-contract.mjs';
import { fileOf } from './parts.mjs';

/** Replaces the getters that esbuild exports with plain values, because every call between modules would use them. */
const plainExports = `module.exports = Object.defineProperty({ ...module.exports }, '__esModule', { value: true });`;

/** `import()` becomes a lazy `require`, because not every CommonJS host supports `import()`; Jest does not. */
const shape = {
  bundle: true, platform: 'node', target: 'node20', supported: { 'dynamic-import': false }, charset: 'utf8',
  logLevel: 'warning', metafile: true,
};

/** Small packages, which are inlined into the modules that import them. */
const inlined = new Set(['diff', 'rou3']);

/** Packages that are loaded from node_modules. */
const installed = new Set(['libsql']);

const isOurs = (file) => !relative('src', file).startsWith('..');

/** The path of the part with a package, relative to a folder. */
const partFrom = (folder, library, parts) => {
  const path = posix.relative(folder, posix.join(parts, fileOf(library)));
  return path.startsWith('.') ? path : `./${path}`;
};

const folderOf = (importer, lib) => posix.join(lib, posix.dirname(relative('src', importer).replaceAll('\\', '/')));

/** Keeps each module in its own file: imports are not bundled. Packages are those that the program's parts contain. */
const separateModules = (lib, parts) => ({
  name: 'separate modules',
  setup({ onResolve }) {
    onResolve({ filter: /.*/ }, ({ kind, path, importer }) => {
      if (kind === 'entry-point' || inlined.has(path) || !isOurs(importer)) return undefined;
      const isPart = !/^(\.|node:)/.test(path) && !installed.has(path);
      return { path: isPart ? partFrom(folderOf(importer, lib), path, parts) : path, external: true };
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
  writeFileSync(file.replace(/js$/, 'd.ts'), `export * from '${code}';\n`);
  writeFileSync(file, `export {\n${names.map((name) => `  ${name},\n`).join('')}} from '${code}';\n`);
};

/**
 * Writes the client as one ES module, for bundlers: they can leave out what a program does not use, and need no
 * `require` in their result. In a bundle only one of both copies exists, so that its classes are the same for all.
 */
const writeClientModule = (esm) => build({
  ...shape, supported: {}, format: 'esm', entryPoints: ['src/index.ts'], outfile: join(esm, 'bundle.js'),
  minifyWhitespace: true,
  plugins: [{
    name: 'undici in a module of its own',
    setup({ onResolve }) {
      onResolve({ filter: /^undici$/ }, () => ({ path: './undici.js', external: true }));
    },
  }],
});

/** The name of a variable for a module of Node. */
const nameOf = (path) => path.replace(/\W/g, '_');

/** undici as an ES module: what it requires of Node is imported. A module that Node 20 lacks is not there. */
export const writeUndiciModule = async (esm, parts) => {
  const text = await readFile(join(parts, fileOf('undici')), 'utf8');
  const required = [...new Set([...text.matchAll(/require\("([\w:/]+)"\)/g)].map(([, path]) => path))].sort();
  const known = required.filter((path) => path !== 'node:sqlite');
  await writeFile(join(esm, 'undici.js'), `${known.map((path) => `import ${nameOf(path)} from '${path}';\n`).join('')}
const builtins = {
${known.map((path) => `  '${path}': ${nameOf(path)},\n`).join('')}};
const require = (name) => {
  if (Object.hasOwn(builtins, name)) return builtins[name];
  throw new Error(\`\${name} is not loaded\`);
};
const module = { exports: {} };
((exports) => {
${text.trim()}
})(module.exports);
export const { Agent, buildConnector } = module.exports;
`);
};

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
    minifyWhitespace: true, minifySyntax: true, lineLimit: 160,
    plugins: [lateAreas, separateModules(lib, parts)], footer: { js: plainExports },
  });
  writeFileSync(join(lib, 'package.json'), '{ "type": "commonjs" }\n');
  await writeClientModule(folders.esm);
  for (const entry of entries) writeEntry(entry, names[`src/${entry}.ts`], folders);
  return result;
};
