import { readFileSync } from 'node:fs';
import { startServer, type World } from '../../../src/server/index.js';

/** A process that serves the store and the world named by its arguments, and prints its address. */
const [data, world] = process.argv.slice(2) as [string, string];

const { url } = await startServer({ data, world: JSON.parse(readFileSync(world, 'utf8')) as World });
process.stdout.write(`${url}\n`);
