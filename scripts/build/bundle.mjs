import { build } from 'esbuild';
import { ascii } from './ascii.mjs';
import { lateAreas } from './late-areas.mjs';
import { apart } from './parts.mjs';
import { external, shape, wrapped } from './shape.mjs';
import { trimming } from './trimming.mjs';
import { usedOfTypebox } from './used-of-typebox.mjs';

/** Each makes a call start sooner; docs/architecture.md has the figures. */
const plugins = { trimming, lateAreas, usedOfTypebox, ascii };

/**
 * Builds the program as one CommonJS file. What it imports lazily is part of the file and runs when it is used.
 * @param without names of plugins to leave out, to measure what they are good for
 */
export const bundle = (entry, outfile, without = []) => {
  const wanted = Object.keys(plugins).filter((name) => !without.includes(name)).map((name) => plugins[name]);
  return build({
    ...shape, ...wrapped, entryPoints: [entry], outfile, external, plugins: [...wanted, ...apart],
  });
};
