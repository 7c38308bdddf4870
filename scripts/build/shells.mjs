import { readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';

const { code } = transformSync(readFileSync('src/cli/completions/shells.ts', 'utf8'), { loader: 'ts', format: 'esm' });

/** The supported shells with the file names of their completion scripts, as the program has them. */
export const { shells } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
