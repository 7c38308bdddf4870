import { build } from 'esbuild';
import { lateContract } from './late-contract.mjs';
import { withoutCommands } from './commands.mjs';
import { externalParts, includedServer } from './parts.mjs';
import { asciiOnly, external, shape, wrapped } from './shape.mjs';
import { trimming } from './trimming.mjs';

/** Plugins that reduce the start-up time; docs/architecture.md has the figures. */
const plugins = { trimming, lateContract };

/**
 * What differs between the bundles of the program: `serve` starts faster from one file with the server, which the
 * others take from it.
 */
const contents = {
  cli: externalParts,
  frequent: [withoutCommands('rare'), ...externalParts],
  serve: [withoutCommands('all'), ...includedServer],
};

/** The names of the bundles of the program: `cli` has all commands, the others are smaller. */
export const bundleNames = Object.keys(contents);

const withServer = (entry) => `
  export const main = (...given) => require('./${entry}').main(...given);
  export const server = () => require('./src/server/index.ts');`;

const entryOf = (name, entry) => name === 'serve'
  ? { stdin: { contents: withServer(entry), resolveDir: process.cwd() } } : { entryPoints: [entry] };

/**
 * Builds the program as one CommonJS file, which includes lazily imported modules; they run on first use.
 * @param name one of `bundleNames`: which commands it has
 * @param without names of plugins to leave out, to measure their effect
 * @returns what esbuild reports
 */
export const bundle = (entry, outfile, { name = 'cli', without = [] } = {}) => {
  const enabled = Object.keys(plugins).filter((plugin) => !without.includes(plugin)).map((plugin) => plugins[plugin]);
  return build({
    ...shape, ...wrapped, ...entryOf(name, entry), outfile, external,
    plugins: [...enabled, ...contents[name], asciiOnly],
  });
};
