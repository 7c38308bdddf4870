/**
 * Names the built manual pages in package.json while npm packs it, since npm links the pages of a list and not those
 * of a folder: `add` before, `remove` after.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const file = join(import.meta.dirname, '..', 'package.json');
const pages = () => readdirSync(join(import.meta.dirname, '../dist/man')).sort().map((name) => `./dist/man/${name}`);

const manifest = JSON.parse(readFileSync(file, 'utf8'));
const man = process.argv[2] === 'add' ? pages() : undefined;
writeFileSync(file, `${JSON.stringify({ ...manifest, man }, null, 2)}\n`);
