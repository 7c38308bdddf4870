import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './program.js';

const built = join(root, 'dist', 'standalone', `colloquy-${process.platform}-${process.arch}`);
const stamp = join(root, 'node_modules', '.cache', 'colloquy', 'stamp');

/** The standalone program of this platform if `npm run standalone` has made it of the program as it is built now. */
export const standaloneProgram = (): string | undefined =>
  existsSync(built) && existsSync(stamp) && statSync(built).mtimeMs > statSync(stamp).mtimeMs ? built : undefined;

const folder = join(root, 'node_modules', '.cache', 'colloquy', 'tests of the standalone program, für alle');

/** Where tests find it: a path with spaces and umlauts, and a folder with all programs of the path but those of Node. */
export const standalonePlaces = { program: join(folder, 'colloquy'), path: join(folder, 'bin') };
