import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cachesOf } from './commands.mjs';

const warm = fileURLToPath(new URL('./warm.cjs', import.meta.url));

/**
 * Writes the V8 code caches of bundles in `dist`, after commands and the server have run.
 * @param node the Node that the caches are for
 */
export const writeCaches = (bundles, node = process.execPath) =>
  Promise.all(bundles.flatMap((bundle) => cachesOf(bundle).map((cache) =>
    promisify(execFile)(node, [warm, bundle, cache], { maxBuffer: Infinity }))));
