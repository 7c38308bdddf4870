import { writeSync } from 'node:fs';
import type { Dialect } from '../../../src/contract/endpoint.js';
import { startServer } from '../../../src/server/index.js';
import { acme } from '../../support/worlds.js';

/** A process that serves the world `acme`, from the file that it is given if any, in a dialect, and prints its address. */
const [data, dialect] = process.argv.slice(2) as [string?, Dialect?];
const server = await startServer({ world: acme, ...(data !== undefined && { data }), ...(dialect !== undefined && { dialect }) });
writeSync(1, `${server.url}\n`);
