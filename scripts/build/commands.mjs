import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Verbs by noun, by code cache, by bundle. A larger one starts more slowly, even if most of it is not run;
 * docs/architecture.md has the figures.
 */
const bundles = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'bin', 'bundles.json'), 'utf8'));

/** Some files have several commands: `resolve.ts` also has `unresolve`. */
const isIn = (bundle, path) => {
  const [, noun, verb] = /\/([a-z]+)\/([a-z]+)\.js$/.exec(path) ?? [];
  if (bundle === 'serve') return path === './commands/serve.js';
  return Object.values(bundles[bundle]).some((commands) => commands[noun]?.includes(verb));
};

/** The names of the code caches of a bundle. */
export const cachesOf = (bundle) => Object.keys(bundles[bundle] ?? { [bundle]: 'all' });

/** Where `help` loads long topics; it runs from the bundle with all commands. */
const isTopics = (file) => /[\\/]src[\\/]cli[\\/]help[\\/]topics\.ts$/.test(file);

/** The plugin that leaves the other commands out of a bundle. */
export const onlyCommands = (bundle) => ({
  name: 'only commands',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\/commands\/[a-z-]+(\/[a-z]+)?\.js$/ }, ({ path, kind }) =>
      kind === 'dynamic-import' && !isIn(bundle, path) ? { path, namespace: 'left out' } : undefined);
    onResolve({ filter: /^\.\/[a-z-]+\.js$|\.json$/ }, ({ path, kind, importer }) =>
      kind === 'dynamic-import' && isTopics(importer) ? { path, namespace: 'left out' } : undefined);
    onLoad({ filter: /.*/, namespace: 'left out' }, ({ path }) =>
      ({ contents: `throw new Error(${JSON.stringify(`this bundle has no ${path}`)});` }));
  },
});
