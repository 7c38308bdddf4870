import { readFileSync } from 'node:fs';
import { relative, resolve, dirname } from 'node:path';

const exported = /^export (?:declare )?(?:(async )?(function\*?|class|abstract class|const|let|enum) (\w+)(.*)|(\{|\*).*)$/gm;

/** The values that a module exports: null if some are not declared where they are exported. */
const exportsOf = (text) => {
  const values = [];
  for (const [line, , kind, name, rest] of text.matchAll(exported)) {
    if (!kind) { if (!/^export (type|interface)/.test(line)) return null; continue; }
    const isFunction = kind.startsWith('function') || kind === 'const' && /^ = (async )?(<|\(|\w+ =>)/.test(rest);
    values.push({ name, isFunction });
  }
  return values;
};

const functions = (values, file) => `
  let loaded;
  const load = () => loaded ??= require(${JSON.stringify(file)});
  ${values.map(({ name }) => `export const ${name} = (...args) => load().${name}(...args);`).join('\n')}`;

const getters = (values, file) => `
  let loaded;
  const load = () => loaded ??= require(${JSON.stringify(file)});
  module.exports = { ${values.map(({ name }) => `get ${name}() { return load().${name}; }`).join(', ')} };`;

export const lateModules = (files) => {
  const late = new Set(files.map((file) => resolve(file)));
  return {
    name: 'late modules',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.\.?\/.*\.js$/ }, ({ path, kind, resolveDir, namespace }) => {
        if (kind !== 'import-statement' || namespace !== 'file') return undefined;
        const file = resolve(resolveDir, path.replace(/\.js$/, '.ts'));
        return late.has(file) && exportsOf(readFileSync(file, 'utf8')) ? { path: file, namespace: 'late' } : undefined;
      });
      onLoad({ filter: /.*/, namespace: 'late' }, ({ path }) => {
        const values = exportsOf(readFileSync(path, 'utf8'));
        const source = values.every(({ isFunction }) => isFunction) ? functions : getters;
        return { contents: source(values, path), resolveDir: dirname(path) };
      });
    },
  };
};
