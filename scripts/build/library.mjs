import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { declarations } from './declarations.mjs';
import { modules } from './modules.mjs';
import { namedTypes } from './named-types.mjs';
import { operationTypes } from './operation-types.mjs';

const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');

/** The entry points of the package, as paths below src. */
const entries = ['index', 'server/index'];

const folders = { lib: 'dist/lib', esm: 'dist/esm', parts: 'dist/parts' };

/**
 * Builds the library. Its code for Node is in dist/lib only, as CommonJS, so that `import` and `require` share the same
 * classes and loading is faster than with ES modules. dist/esm re-exports it for `import`.
 * @param cacheFolder folder for incremental builds
 * @returns what esbuild reports
 */
export const library = async (cacheFolder) => {
  const types = join(cacheFolder, 'types');
  if (!existsSync(types)) rmSync(join(cacheFolder, 'library.tsbuildinfo'), { force: true });
  const child = spawn(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('the library does not compile');
  const [named, operations] = await Promise.all([namedTypes(), operationTypes()]);
  for (const folder of [folders.lib, folders.esm]) rmSync(folder, { recursive: true, force: true });
  declarations(types, entries, folders.lib, { named, operations });
  return modules(entries, folders);
};
