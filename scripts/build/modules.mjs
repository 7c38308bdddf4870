import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, posix, relative } from 'node:path';
import { build } from 'esbuild';
import { escaped } from './bundle.mjs';
import { lateAreas } from './late-contract.mjs';
import { fileOf } from './parts.mjs';

/** `import()` becomes a lazy `require`, because not every CommonJS host supports `import()`; Jest does not. */
const shape = {
  bundle: true, platform: 'node', target: 'node20', supported: { 'dynamic-import': false },
  logLevel: 'warning', metafile: true,
};

/** Small packages, which are inlined into the modules that import them. */
const inlined = new Set(['diff', 'rou3']);

/** Packages that are loaded from node_modules. */
const installed = new Set(['libsql']);

const relativeTo = (folder, file) => {
  const path = posix.relative(folder, file);
  return path.startsWith('.') ? path : `./${path}`;
};

const spaced = (pattern) => new RegExp(pattern.replaceAll('~', '\\s*'));

/** What esbuild puts before each module, and how the exports of an entry become getters. */
const prelude = spaced('^("use strict";)~(var __(?:create|defProp)=[^]*?\\b__toCommonJS~=~mod~=>[^;]*;)');
const exported = spaced('\\bvar (\\w+_exports)~=~\\{~\\};__export~\\(~\\1~,~(\\{[^}]*\\})~\\);'
  + '~module~\\.~exports~=~__toCommonJS~\\(~\\1~\\);');
const knownHelpers = new Set(['create', 'defProp', 'getOwnPropDesc', 'getOwnPropNames', 'getProtoOf', 'hasOwnProp',
  'esm', 'export', 'copyProps', 'toESM', 'toCommonJS']);
const usedHelpers = ['__esm', '__export', '__exported', '__plain', '__toCommonJS', '__toESM'];

/**
 * What modules share. At its end, each replaces the getters that esbuild exports with plain values, because every call
 * between modules would use them.
 */
const shared = (helpers) => `"use strict";${helpers}
const __exported=getters=>{let all={};__export(all,getters);return __toCommonJS(all)};
const __plain=module=>{module.exports=Object.defineProperty({...module.exports},"__esModule",{value:!0})};
module.exports={${usedHelpers}};
`;

/** Moves esbuild's helpers into one file: a copy in each module would take an eighth of them. */
const sharedHelpers = (lib) => ({
  name: 'shared helpers',
  setup({ onEnd }) {
    onEnd(({ errors, metafile }) => {
      if (errors.length > 0) return;
      const found = Object.keys(metafile.outputs).map((file) => {
        const text = readFileSync(file, 'utf8');
        const [whole, strict, helpers] = prelude.exec(text) ?? [];
        const names = [...(helpers ?? '').matchAll(/\b__(\w+)\s*=[^=>]/g)].map(([, one]) => one);
        if (!exported.test(text) || names.length === 0 || names.some((one) => !knownHelpers.has(one))) {
          throw new Error(`${file} begins unexpectedly`);
        }
        const code = text.slice(whole.length).replace(exported, 'module.exports=__exported($2);');
        const used = usedHelpers.filter((one) => code.includes(`${one}(`));
        const path = relativeTo(posix.dirname(file), posix.join(lib, 'helpers.js'));
        writeFileSync(file, escaped(`${strict}var {${used}}=require("${path}");${code}`));
        return helpers;
      });
      const all = found.reduce((one, other) => (other.length > one.length ? other : one));
      writeFileSync(join(lib, 'helpers.js'), shared(all));
    });
  },
});

const isOurs = (file) => !relative('src', file).startsWith('..');

/** The path of the part with a package, relative to a folder. */
const partFrom = (folder, library, parts) => relativeTo(folder, posix.join(parts, fileOf(library)));

/** The layers that one entry uses alone. They are in the file of that entry: reading a hundred files takes longer. */
const ownLayers = { client: 'index', server: 'server/index' };

const layerOf = (path) => Object.keys(ownLayers).find((layer) => path.startsWith(`${layer}/`));

const belowSource = (file) => relative('src', file).replaceAll('\\', '/');

const isOfBoth = (file) => layerOf(belowSource(file)) === undefined;

/** The folder of the file that has the code of a module, both below src. */
const folderOf = (module) => posix.dirname(ownLayers[layerOf(module)] ?? module);

/**
 * Keeps the modules that both entries use in files of their own, so that there is one copy of each: imports of them are
 * not bundled. Packages are those that the program's parts contain.
 */
const separateModules = (lib, parts) => ({
  name: 'separate modules',
  setup({ onResolve }) {
    onResolve({ filter: /.*/ }, ({ kind, path, importer, resolveDir }) => {
      if (kind === 'entry-point' || inlined.has(path) || !isOurs(importer)) return undefined;
      const folder = folderOf(belowSource(importer));
      if (!path.startsWith('.')) {
        const isPart = !path.startsWith('node:') && !installed.has(path);
        return { path: isPart ? partFrom(posix.join(lib, folder), path, parts) : path, external: true };
      }
      const module = belowSource(join(resolveDir, path));
      return layerOf(module) ? undefined : { path: relativeTo(folder, module), external: true };
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
  minify: true,
  plugins: [{
    name: 'packages in modules of their own',
    setup({ onResolve }) {
      const names = Object.keys(clientPackages).join('|');
      onResolve({ filter: new RegExp(`^(?:${names})$`) }, ({ path }) => ({ path: `./${path}.js`, external: true }));
    },
  }],
});

/** Packages of the client, with what their ES modules export. A bundler leaves out or separates what is not used. */
const clientPackages = {
  undici: 'const { Agent, buildConnector } = module.exports',
  'form-data': 'default module.exports',
};

/** The name of a variable for a module of Node. */
const nameOf = (path) => path.replace(/\W/g, '_');

/** A package as an ES module: what it requires of Node is imported. A module that Node 20 lacks is not there. */
const writePackage = async (name, { esm, parts }) => {
  const text = await readFile(join(parts, fileOf(name)), 'utf8');
  const required = [...new Set([...text.matchAll(/require\("([\w:/]+)"\)/g)].map(([, path]) => path))].sort();
  const known = required.filter((path) => path !== 'node:sqlite');
  await writeFile(join(esm, `${name}.js`), `${known.map((path) => `import ${nameOf(path)} from '${path}';\n`).join('')}
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
export ${clientPackages[name]};
`);
};

/** Writes the packages of the client for bundlers, once the parts are built. */
export const writeClientPackages = (esm, parts) =>
  Promise.all(Object.keys(clientPackages).map((name) => writePackage(name, { esm, parts })));

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
    ...shape, format: 'cjs', outbase: 'src', outdir: lib,
    entryPoints: [...new Set([...entries.map((entry) => `src/${entry}.ts`), ...files.filter(isOfBoth)])],
    minifyWhitespace: true, minifySyntax: true, lineLimit: 160,
    plugins: [lateAreas, separateModules(lib, parts), sharedHelpers(lib)], footer: { js: '__plain(module);' },
  });
  writeFileSync(join(lib, 'package.json'), '{ "type": "commonjs" }\n');
  await writeClientModule(folders.esm);
  for (const entry of entries) writeEntry(entry, names[`src/${entry}.ts`], folders);
  return result;
};
