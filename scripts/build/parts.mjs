import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { includedLibsql } from './libsql.mjs';
import { shape } from './shape.mjs';
import { lateModule } from './trimming.mjs';

const require = createRequire(createRequire(import.meta.url).resolve('form-data'));

/** Large libraries that few commands need; each is a separate file, so that the program does not read it at start. */
const libraries = ['conf', 'entities/decode', 'file-type/core', 'form-data', 'jq-wasm/inline', 'marked', 'pg', 're2js',
  'undici', 'yaml'];

/** Libraries that only the program needs. */
const programLibraries = ['@modelcontextprotocol/server', 'cli-table3', 'hast-util-from-html', 'hast-util-sanitize',
  'hast-util-to-html', 'image-size', 'inquirer', 'saxes', 'sugar-high'];

/** The program seldom compares texts; the server does at its start. */
const diffLibrary = 'diff';

/** A library of the server, whose bundles include it. */
const serverLibrary = '@fastify/busboy';

/** What the modules of the library share; the program's bundles have their own copy, without what they do not use. */
const shapesLibrary = '@sinclair/typebox';

/** Entries of a library that are in the same file as another: they share what they load. */
const sharing = {
  '@sinclair/typebox/value': shapesLibrary,
  '@modelcontextprotocol/server/stdio': '@modelcontextprotocol/server',
  'sugar-high/core': 'sugar-high',
  'sugar-high/lang': 'sugar-high',
};

/** The file name of a library. */
export const fileOf = (library) => `${(sharing[library] ?? library).replace('@', '').replace('/', '-')}.cjs`;

/** The plugin that resolves imports of libraries to their files in a folder. */
const externalLibraries = (folder, names) => ({
  name: 'external libraries',
  setup({ onResolve }) {
    onResolve({ filter: new RegExp(`^(${names.join('|')})$`) }, ({ path }) =>
      ({ path: `${folder}/${fileOf(path)}`, external: true }));
  },
});

/**
 * The plugin that loads a library on first use of an export: with the demo world, the server needs no YAML parser, and
 * few comments have entities of HTML.
 */
const lazyLibrary = (folder, library) => ({
  name: `lazy ${library}`,
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^${library}$`) }, ({ path }) => ({ path, namespace: 'lazy' }));
    onLoad({ filter: new RegExp(`^${library}$`), namespace: 'lazy' }, ({ path }) =>
      ({ contents: lateModule(path, `${folder}/${fileOf(path)}`) }));
    onResolve({ filter: /^\.\.\/dist\/parts\//, namespace: 'lazy' }, ({ path }) => ({ path, external: true }));
  },
});

/** The plugin that takes the server from its bundle, which the launcher runs like the program. */
const externalServer = (file) => ({
  name: 'external server',
  setup({ onResolve }) {
    onResolve({ filter: /\/server\/index\.js$/ }, () => ({ path: file, external: true }));
  },
});

/** The plugins for the program. Paths are relative to the launcher, because the bundle uses its `require`. */
export const externalParts = [
  lazyLibrary('../dist/parts', diffLibrary), lazyLibrary('../dist/parts', 'entities/decode'),
  externalLibraries('../dist/parts', [...libraries, ...programLibraries, ...Object.keys(sharing), serverLibrary]),
  externalServer('../dist/server.cjs'),
];

/** The same for the server. */
export const includedLibraries = [
  includedLibsql, lazyLibrary('../dist/parts', 'entities/decode'), lazyLibrary('../dist/parts', 'yaml'),
  externalLibraries('../dist/parts', [...libraries, ...programLibraries]),
];

/** Libraries of which only some exports are used. */
const usedExports = {
  // The index of undici also has fetch, a cache and web sockets.
  undici: `exports.Agent = require('undici/lib/dispatcher/agent');
    exports.buildConnector = require('undici/lib/core/connect');`,
  '@modelcontextprotocol/server': `export { Server } from '@modelcontextprotocol/server';
    export { StdioServerTransport } from '@modelcontextprotocol/server/stdio';`,
  [diffLibrary]: `export { diffArrays, structuredPatch } from '${diffLibrary}';`,
  'sugar-high': `export { parse } from 'sugar-high/core'; export { languages } from 'sugar-high/lang';`,
  // Shapes are made when modules are loaded, so a type that is missing here fails in any test of the library.
  [shapesLibrary]: `export {
      Array, Boolean, Composite, FormatRegistry, Integer, KindGuard, Literal, Null, Number, Object, Optional, Partial,
      Record, String, Union, Unknown, Unsafe,
    } from '${shapesLibrary}';
    import { Errors, ValueErrorType } from '${shapesLibrary}/errors';
    import { Check } from '${shapesLibrary}/value';
    export { ValueErrorType };
    export const Value = { Check, Errors };`,
};

/** Exports the default export of the library if it has one, as an import of CommonJS expects. */
const contentsOf = (library) => usedExports[library] ?? `
  const library = require('${library}');
  module.exports = library.__esModule && library.default ? library.default : library;`;

/**
 * Assertions about upgrades say so: without a text, Node shows the source code, which is minified here, and the client
 * recognizes an unwanted status 101 by it.
 */
const namedAssertions = {
  name: 'named assertions',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]undici[\\/]lib[\\/]dispatcher[\\/]client-h1\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const contents = text.replace(/\bassert\((!?[\w.]*upgrade\b[^()]*)\)$/gm, `assert($1, 'upgrade')`);
      if (contents === text) throw new Error(`${path} has no assertions about upgrades`);
      return { contents };
    });
  },
};

/**
 * Validators of JSON Schema that are not used: conf gets no schema, and the protocol's server checks answers to forms,
 * which no tool asks for; it has a smaller one for that.
 */
const smallValidators = {
  name: 'small validators',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^ajv(?:-formats|\/dist\/2020\.js)$/ }, ({ path, importer }) =>
      /[\\/]node_modules[\\/]conf[\\/]/.test(importer) ? { path, namespace: 'unused validator' } : undefined);
    onLoad({ filter: /.*/, namespace: 'unused validator' }, () =>
      ({ contents: 'export const Ajv2020 = undefined; export default undefined;' }));
    onLoad({ filter: /[\\/]@modelcontextprotocol[\\/]server[\\/]dist[\\/]ajvProvider-[\w-]+\.mjs$/ }, ({ path }) => ({
      contents: `export { CfWorkerJsonSchemaValidator as n } from '@modelcontextprotocol/server/validators/cf-worker';`,
      resolveDir: dirname(path),
    }));
  },
};

/** The prompts that the program asks with. Of the others, the editor alone has 300 kB of encodings. */
const usedPrompts = ['confirm', 'input', 'password', 'search'];
const otherPrompts = ['checkbox', 'editor', 'expand', 'number', 'rawlist', 'select'];

const promptsOfProgram = {
  name: 'prompts of the program',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@inquirer\/prompts$/ }, ({ path, importer, resolveDir }) =>
      /[\\/]inquirer[\\/]dist[\\/]index\.js$/.test(importer)
        ? { path, namespace: 'used prompts', pluginData: resolveDir } : undefined);
    onLoad({ filter: /.*/, namespace: 'used prompts' }, ({ pluginData: resolveDir }) => ({
      contents: `export { ${usedPrompts}, Separator } from '@inquirer/prompts';
        export const ${otherPrompts.map((name) => `${name} = undefined`)};`,
      resolveDir,
    }));
  },
};

/** Base64 of WebAssembly, of which Brotli leaves a quarter: jq, and the two parsers of HTTP. */
const compressedWebAssembly = {
  name: 'compressed WebAssembly',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/](jq-wasm[\\/]dist[\\/]inline\.c?m?js|llhttp[\\/]llhttp\w*-wasm\.js)$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const contents = text.replace(/(["'])(AGFzbQ[\w+/=]{50000,})\1/, (_, quote, wasm) => {
        const packed = brotliCompressSync(Buffer.from(wasm, 'base64')).toString('base64');
        return `require('node:zlib').brotliDecompressSync(Buffer.from('${packed}', 'base64')).toString('base64')`;
      });
      if (contents === text) throw new Error(`${path} contains no WebAssembly`);
      return { contents };
    });
  },
};

/** Extensions of files that people upload. mime-types has a thousand more, which nothing here needs. */
const uploadedFiles = [
  'avif', 'bmp', 'gif', 'ico', 'jpeg', 'jpg', 'png', 'svg', 'webp',
  'csv', 'gz', 'html', 'json', 'log', 'md', 'mp4', 'pdf', 'tar', 'txt', 'webm', 'xml', 'yaml', 'yml', 'zip',
];

const typesOfNames = {
  name: 'types of names',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]mime-db[\\/]db\.json$/ }, () => {
      const { types } = require('mime-types');
      const found = {};
      for (const extension of uploadedFiles) {
        (found[types[extension]] ??= { extensions: [] }).extensions.push(extension);
      }
      return { contents: JSON.stringify(found), loader: 'json' };
    });
  },
};

const libraryPart = (folder, library) => build({
  ...shape,
  stdin: { contents: contentsOf(library), resolveDir: process.cwd() },
  outfile: `${folder}/${fileOf(library)}`,
  logLevel: 'error',
  conditions: ['module-sync'],
  // Of pg; only `pg.native` loads it.
  external: ['pg-native'],
  plugins: [compressedWebAssembly, namedAssertions, promptsOfProgram, smallValidators, typesOfNames],
  // jq also logs to the console how it ended, which the program already gets as a result.
  drop: library.startsWith('jq-wasm') ? ['console'] : [],
});

/** Builds the libraries into a folder, and returns what esbuild reports of each. */
export const buildParts = (folder) => {
  const all = [...libraries, ...programLibraries, diffLibrary, serverLibrary, shapesLibrary];
  return Promise.all(all.map((library) => libraryPart(folder, library)));
};
