import { build } from 'esbuild';
import { ascii } from './ascii.mjs';
import { lateAreas } from './late-areas.mjs';
import { apart } from './parts.mjs';
import { external, shape, wrapped } from './shape.mjs';
import { trimming } from './trimming.mjs';
import { usedOfTypebox } from './used-of-typebox.mjs';

/**
 * The program as one CommonJS file. What it imports lazily stays lazy: it is in the file, and runs when it is asked
 * for.
 */
export const bundle = (entry, outfile) => build({
  ...shape,
  ...wrapped,
  entryPoints: [entry],
  outfile,
  external,
  plugins: [trimming, lateAreas, usedOfTypebox, ...apart, ascii],
});
