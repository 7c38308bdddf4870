import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const types = join(dirname(createRequire(import.meta.url).resolve('@sinclair/typebox')), '..', 'esm', 'type');

const sources = () => ['contract', 'wire', 'client', 'cli', 'diff'].flatMap((folder) =>
  readdirSync(join('src', folder), { recursive: true }).filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join('src', folder, file), 'utf8')));

/** The makers of types that the program's sources name, each loaded when it is first called for. */
const contents = () => {
  const names = new Set(sources().flatMap((text) => [...text.matchAll(/\bType\.(\w+)/g)].map(([, name]) => name)));
  const makers = [...names].sort().map((name) => {
    const file = JSON.stringify(join(types, name.toLowerCase(), 'index.mjs'));
    return `get ${name}() { return made.${name} ??= require(${file}).${name}; }`;
  });
  return `
    const made = {};
    module.exports = {
      get KindGuard() { return made.KindGuard ??= require(${JSON.stringify(join(types, 'guard', 'kind.mjs'))}); },
      Type: { ${makers.join(', ')} },
    };`;
};

/** The esbuild plugin that takes of TypeBox what the program uses: loading all of it takes a tenth of a short call. */
export const usedOfTypebox = {
  name: 'used of typebox',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@sinclair\/typebox$/ }, ({ path }) => ({ path, namespace: 'used' }));
    onLoad({ filter: /.*/, namespace: 'used' }, () => ({ contents: contents(), resolveDir: process.cwd() }));
  },
};
