import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vitest/config';

export const root = join(import.meta.dirname, '../..');
export const folder = join(root, 'node_modules/.cache/colloquy/built');

/** What tests import, and what they get in its place: the program bundled for them, and the server that is built. */
export const program = join(folder, 'program.cjs');
export const server = join(folder, 'server.cjs');
export const entry = join(import.meta.dirname, 'entry.ts');
const ofProgram = [...readFileSync(entry, 'utf8').matchAll(/from '\.\.\/\.\.\/(src\/.+)\.js'/g)].map(([, path]) => path!);

/** It reads the names of what it replaces. */
const builder = join(import.meta.dirname, 'build.ts');

/** Gives tests the built code where they import the program or the server. */
export const builtCode = (): Plugin => ({
  name: 'built code',
  enforce: 'pre',
  resolveId(source, importer) {
    if (!importer?.startsWith(join(root, 'test')) || importer === builder) return null;
    if (!source.startsWith('.')) return null;
    const path = join(importer, '..', source).slice(root.length + 1).replace(/\.js$/, '');
    if (ofProgram.includes(path)) return { id: program, external: true };
    return path === 'src/server/index' ? { id: server, external: true } : null;
  },
});
