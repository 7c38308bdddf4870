import { build } from 'esbuild';
import { apart } from './parts.mjs';
import { trimming } from './trimming.mjs';

/** Loaded from node_modules where they are asked for: native code, and drivers that few need. */
const external = ['@napi-rs/keyring', 'libsql', 'pg', 'node:sqlite'];

/**
 * The program as one CommonJS file. What it imports lazily stays lazy: it is in the file, and runs when it is asked
 * for. The file is one function expression, as Node wraps modules, so that it can be compiled with a code cache.
 */
export const bundle = (entry, outfile) => build({
  entryPoints: [entry],
  outfile,
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  supported: { 'dynamic-import': false },
  external,
  plugins: [trimming, apart],
  define: { 'import.meta.url': 'undefined' },
  banner: { js: '(function (exports, require, module) {' },
  footer: { js: '})' },
  logLevel: 'warning',
  metafile: true,
});
