import { writeFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { lateContract } from './late-contract.mjs';
import { onlyCommands } from './commands.mjs';
import { lateNamespaces } from './namespaces.mjs';
import { externalParts, includedLibraries } from './parts.mjs';
import { external, shape, wrapped } from './shape.mjs';
import { trimming } from './trimming.mjs';

/** Plugins that reduce the start-up time; docs/architecture.md has the figures. */
const plugins = [trimming, lateContract];

/** What differs between the bundles of the program. `serve` and --sandbox take the server from a bundle of its own. */
const contents = {
  cli: externalParts,
  reads: [onlyCommands('reads'), ...externalParts],
  writes: [onlyCommands('writes'), ...externalParts],
  serve: [onlyCommands('serve'), ...externalParts],
  server: includedLibraries,
};

/** The names of the bundles of the program: `cli` has all commands, the next three are smaller. */
export const bundleNames = Object.keys(contents);

/** @param name one of `bundleNames` */
export const entryOf = (name) => name === 'server' ? 'src/server/index.ts' : 'src/cli/main.ts';

/** What esbuild leaves in templates and regular expressions: a text of ASCII is read and compiled faster. */
export const escaped = (code) =>
  code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * Builds a part of the program as one CommonJS file, which includes lazily imported modules; they run on first use.
 * @param name one of `bundleNames`: which commands it has
 * @param without names of plugins or text steps to leave out, to measure their effect
 * @returns what esbuild reports
 */
export const bundle = async (entry, outfile, { name = 'cli', without = [] } = {}) => {
  const isUsed = (step) => !without.includes(step.name);
  const result = await build({
    ...shape, ...wrapped, entryPoints: [entry], outfile, external, write: false,
    plugins: [...plugins, ...contents[name]].filter(isUsed),
  });
  const text = [escaped, lateNamespaces].filter(isUsed).reduce((code, step) => step(code), result.outputFiles[0].text);
  await writeFile(outfile, text);
  return result;
};
