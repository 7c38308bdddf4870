import { build } from 'esbuild';
import { lateAreas } from './late-areas.mjs';
import { externalParts } from './parts.mjs';
import { external, shape, wrapped } from './shape.mjs';
import { trimming } from './trimming.mjs';
import { usedOfTypebox } from './used-of-typebox.mjs';

/** Plugins that reduce the start-up time; docs/architecture.md has the figures. */
const plugins = { trimming, lateAreas, usedOfTypebox };

/**
 * Builds the program as one CommonJS file, which includes lazily imported modules; they run on first use.
 * @param without names of plugins to leave out, to measure their effect
 */
export const bundle = (entry, outfile, without = []) => {
  const enabled = Object.keys(plugins).filter((name) => !without.includes(name)).map((name) => plugins[name]);
  return build({
    ...shape, ...wrapped, entryPoints: [entry], outfile, external, plugins: [...enabled, ...externalParts],
  });
};
