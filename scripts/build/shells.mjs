import { readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';

const source = readFileSync('src/cli/help/completions/shells.ts', 'utf8');
const { code } = transformSync(source, { loader: 'ts', format: 'esm' });

/** The supported shells with the file names of their completion scripts, as the program has them. */
export const { shells } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
