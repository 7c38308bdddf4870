import { writeSync } from 'node:fs';
import { startServer } from '../../../src/server/index.js';
import { acme } from '../../support/worlds.js';

/** A process that serves the world `acme` from the file it is given, and prints its address. */
const server = await startServer({ world: acme, data: process.argv[2]! });
writeSync(1, `${server.url}\n`);
