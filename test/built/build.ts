import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vitest/config';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'node_modules/.cache/colloquy/built');

/** What tests import, and what they get in its place: the program bundled for them, and the server that is built. */
const program = join(folder, 'program.cjs');
const server = join(folder, 'server.cjs');
const entry = join(import.meta.dirname, 'entry.ts');
const ofProgram = [...readFileSync(entry, 'utf8').matchAll(/from '\.\.\/\.\.\/(src\/.+)\.js'/g)].map(([, path]) => path!);

/** Gives tests the built code where they import the program or the server. */
export const builtCode = (): Plugin => ({
  name: 'built code',
  enforce: 'pre',
  resolveId(source, importer) {
    if (!importer?.startsWith(join(root, 'test')) || importer === import.meta.filename) return null;
    if (!source.startsWith('.')) return null;
    const path = join(importer, '..', source).slice(root.length + 1).replace(/\.js$/, '');
    if (ofProgram.includes(path)) return { id: program, external: true };
    return path === 'src/server/index' ? { id: server, external: true } : null;
  },
});

/** The launcher's own way to run a bundle: a function that is given what it may require. */
const asModule = (bundled: string, names: readonly string[], exported = 'own.exports'): string => `
const { createRequire } = require('node:module');
const fromLauncher = createRequire(${JSON.stringify(join(root, 'bin', 'colloquy.cjs'))});
const required = (name) => name.endsWith('/serve.cjs') ? { server: () => require('./server.cjs') } : fromLauncher(name);
const own = { exports: {} };
${bundled.trim().replace(/;$/, '')}(own.exports, required, own, ${JSON.stringify(join(root, 'bin'))});
module.exports = ${exported};
0 && (module.exports = { ${names.join(', ')} });
`;

interface Builder { readonly bundle: (entry: string, outfile: string) => Promise<unknown> }

/** Builds both before the tests run. */
export const setup = async (): Promise<void> => {
  mkdirSync(folder, { recursive: true });
  process.chdir(root);
  const { bundle } = await import(pathToFileURL('scripts/build/bundle.mjs').href) as Builder;
  await bundle(entry, program);
  const [ofEntry, ofServer] = await Promise.all([import('./entry.js'), import('../../src/server/index.js')]);
  writeFileSync(program, asModule(readFileSync(program, 'utf8'), Object.keys(ofEntry)));
  writeFileSync(server, asModule(readFileSync(join(root, 'dist/serve.cjs'), 'utf8'), Object.keys(ofServer), 'own.exports.server()'));
};
