import { createRequire } from 'node:module';
import { build } from 'esbuild';

const outfile = 'node_modules/.cache/colloquy/program.cjs';

/** The tree of commands with every verb loaded, and what belongs to it. Nothing of it is run. */
export const wholeProgram = async () => {
  const contents = `
    export { examplesOf } from './src/cli/flags/command.js';
    export { globalOptions } from './src/cli/flags/global.js';
    export { wholeProgram } from './src/cli/program.js';`;
  await build({
    stdin: { contents, resolveDir: process.cwd(), loader: 'ts' },
    outfile, bundle: true, platform: 'node', format: 'cjs', packages: 'external', logLevel: 'warning',
  });
  const parts = createRequire(import.meta.url)(`${process.cwd()}/${outfile}`);
  const version = '';
  return { root: await parts.wholeProgram({ version }), examplesOf: parts.examplesOf, globals: parts.globalOptions() };
};
