import { build } from 'esbuild';
import { lateAreas } from './late-areas.mjs';
import { externalParts, includedServer } from './parts.mjs';
import { asciiOnly, external, shape, wrapped } from './shape.mjs';
import { trimming } from './trimming.mjs';
import { usedOfTypebox } from './used-of-typebox.mjs';

/** Plugins that reduce the start-up time; docs/architecture.md has the figures. */
const plugins = { trimming, lateAreas, usedOfTypebox };

/**
 * Builds the program as one CommonJS file, which includes lazily imported modules; they run on first use.
 * @param without names of plugins to leave out, to measure their effect
 * @param withServer whether to include the server: `serve` starts faster from one file than from two
 */
export const bundle = (entry, outfile, { without = [], withServer = false } = {}) => {
  const enabled = Object.keys(plugins).filter((name) => !without.includes(name)).map((name) => plugins[name]);
  const parts = withServer ? includedServer : externalParts;
  return build({
    ...shape, ...wrapped, entryPoints: [entry], outfile, external, plugins: [...enabled, ...parts, asciiOnly],
  });
};
