import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const caches = fileURLToPath(new URL('../node_modules/.cache', import.meta.url));

/** Loads a TypeScript module of the project from its source, by its path from the root. It checks no types. */
export const loadTypeScript = async (path) => {
  mkdirSync(caches, { recursive: true });
  const folder = mkdtempSync(join(caches, 'colloquy-module-'));
  const bundle = join(folder, 'module.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL(`../${path}`, import.meta.url))], outfile: bundle, bundle: true,
    platform: 'node', format: 'esm', packages: 'external', logLevel: 'error',
  });
  const module = await import(pathToFileURL(bundle));
  rmSync(folder, { recursive: true });
  return module;
};
