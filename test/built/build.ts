import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { entry, folder, program, root, server } from './plugin.js';

/** The launcher's own way to run a bundle: a function that is given what it may require. */
const asModule = (bundled: string, names: readonly string[]): string => `
const { createRequire } = require('node:module');
const fromLauncher = createRequire(${JSON.stringify(join(root, 'bin', 'colloquy.cjs'))});
const required = (name) => name.endsWith('/server.cjs') ? require('./server.cjs') : fromLauncher(name);
const own = { exports: {} };
${bundled.trim().replace(/;$/, '')}(own.exports, required, own, ${JSON.stringify(join(root, 'bin'))});
module.exports = own.exports;
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
  writeFileSync(server, asModule(readFileSync(join(root, 'dist/server.cjs'), 'utf8'), Object.keys(ofServer)));
};
