import { writeSync } from 'node:fs';
import { startServer } from '../../../src/server/index.js';
import { acme } from '../../support/worlds.js';

/** A process that serves the world `acme`, from the file that it is given if any, and prints its address. */
const [data] = process.argv.slice(2);
const server = await startServer({ world: acme, ...(data !== undefined && { data }) });
writeSync(1, `${server.url}\n`);
