import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** By noun. A larger bundle starts more slowly, even if most of it is not run; docs/architecture.md has the figure. */
const frequent = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'bin', 'frequent.json'), 'utf8'));

/** Some files have several commands: `resolve.ts` also has `unresolve`. */
const isFrequent = (path) => {
  const [, noun, verb] = /\/([a-z]+)\/([a-z]+)\.js$/.exec(path) ?? [];
  return frequent[noun]?.includes(verb) ?? false;
};

/** Where `help` loads long topics; it runs from the bundle with all commands. */
const isTopics = (file) => /[\\/]src[\\/]cli[\\/]help[\\/]topics\.ts$/.test(file);

/** The plugin that leaves commands out of a bundle: all but `serve`, or those that are not frequent. */
export const withoutCommands = (which) => ({
  name: 'without commands',
  setup({ onResolve, onLoad }) {
    const isLeftOut = (path) => which === 'all' ? path !== './commands/serve.js' : !isFrequent(path);
    onResolve({ filter: /^\.\/commands\/[a-z-]+(\/[a-z]+)?\.js$/ }, ({ path, kind }) =>
      kind === 'dynamic-import' && isLeftOut(path) ? { path, namespace: 'left out' } : undefined);
    onResolve({ filter: /^\.\/[a-z-]+\.js$|\.json$/ }, ({ path, kind, importer }) =>
      kind === 'dynamic-import' && isTopics(importer) ? { path, namespace: 'left out' } : undefined);
    onLoad({ filter: /.*/, namespace: 'left out' }, ({ path }) =>
      ({ contents: `throw new Error(${JSON.stringify(`this bundle has no ${path}`)});` }));
  },
});
