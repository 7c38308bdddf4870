import { build } from 'esbuild';
import { lateAreas } from './late-areas.mjs';
import { apart } from './parts.mjs';
import { external, shape } from './shape.mjs';
import { trimming } from './trimming.mjs';
import { usedOfTypebox } from './used-of-typebox.mjs';

/**
 * The program as one CommonJS file. What it imports lazily stays lazy: it is in the file, and runs when it is asked
 * for. The file is one function expression, as Node wraps modules, so that it can be compiled with a code cache.
 */
export const bundle = (entry, outfile) => build({
  ...shape,
  entryPoints: [entry],
  outfile,
  external,
  plugins: [trimming, lateAreas, usedOfTypebox, ...apart],
  banner: { js: '(function (exports, require, module, __dirname) {' },
  footer: { js: '})' },
});
