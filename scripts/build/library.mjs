import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { declarations } from './declarations.mjs';
import { modules } from './modules.mjs';

const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');

/** What the package exports, as paths below src. */
const entries = ['index', 'server/index'];

const folders = { lib: 'dist/lib', esm: 'dist/esm', parts: 'dist/parts' };

/**
 * The library. Its code stands once, as CommonJS with its types in dist/lib: a class is the same whichever way it is
 * loaded, and it loads sooner than as ES modules. In dist/esm is what `import` takes: the names of dist/lib, and the
 * types once more, because the types of TypeBox that they name differ for `import` and `require`.
 * @param records the folder that keeps what the next build needs
 */
export const library = async (records) => {
  const types = join(records, 'types');
  if (!existsSync(types)) rmSync(join(records, 'library.tsbuildinfo'), { force: true });
  const child = spawn(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('the library does not compile');
  for (const folder of [folders.lib, folders.esm]) {
    rmSync(folder, { recursive: true, force: true });
    declarations(types, entries, folder);
  }
  await modules(entries, folders);
};
