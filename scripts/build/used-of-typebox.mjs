import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const types = join(dirname(createRequire(import.meta.url).resolve('@sinclair/typebox')), '..', 'esm', 'type');

const sources = () => readdirSync('src', { recursive: true }).filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(join('src', file), 'utf8'));

/** The source of a module with the type builders that the program uses, each loaded on first use. */
const contents = () => {
  const names = new Set(sources().flatMap((text) => [...text.matchAll(/\bType\.(\w+)/g)].map(([, name]) => name)));
  const builders = [...names].sort().map((name) => {
    const file = JSON.stringify(join(types, name.toLowerCase(), 'index.mjs'));
    return `get ${name}() { return loaded.${name} ??= require(${file}).${name}; }`;
  });
  const namespace = (name, ...file) =>
    `get ${name}() { return loaded.${name} ??= require(${JSON.stringify(join(types, ...file))}); }`;
  return `
    const loaded = {};
    module.exports = {
      ${namespace('FormatRegistry', 'registry', 'format.mjs')},
      ${namespace('KindGuard', 'guard', 'kind.mjs')},
      Type: { ${builders.join(', ')} },
    };`;
};

/** The esbuild plugin that includes only the used parts of TypeBox: loading all takes a tenth of a short command. */
export const usedOfTypebox = {
  name: 'used of typebox',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@sinclair\/typebox$/ }, ({ path }) => ({ path, namespace: 'used' }));
    onLoad({ filter: /.*/, namespace: 'used' }, () => ({ contents: contents(), resolveDir: process.cwd() }));
  },
};
