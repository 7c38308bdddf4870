import { createRequire } from 'node:module';
import { build } from 'esbuild';

const outfile = 'node_modules/.cache/colloquy/program.cjs';

/** The command tree with all subcommands loaded, and the tables of the help topics. */
export const wholeProgram = async () => {
  const contents = `
    export { exampleLines, fieldsPrintedBy } from './src/cli/command-line/command.js';
    export { globalOptions } from './src/cli/command-line/flags.js';
    export { manualPages } from './src/cli/help/manual.js';
    export { exitCodes, variables } from './src/cli/help/texts.js';
    export { topics } from './src/cli/help/topics.js';
    export { reportTools } from './src/cli/notes/findings/tools.js';
    export { wholeProgram } from './src/cli/program.js';`;
  await build({
    stdin: { contents, resolveDir: process.cwd(), loader: 'ts' },
    outfile, bundle: true, platform: 'node', format: 'cjs', packages: 'external', logLevel: 'warning',
  });
  const { wholeProgram: load, globalOptions, ...parts } = createRequire(import.meta.url)(`${process.cwd()}/${outfile}`);
  return { ...parts, root: await load({ program: { version: '' } }), globals: globalOptions() };
};
