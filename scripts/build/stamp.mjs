import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A digest of everything a build depends on, the running Node included: the code cache fits no other. */
export const stampOf = (places) => {
  const hash = createHash('sha256').update(`${process.version} ${process.arch} ${process.platform}`);
  for (const file of places.flatMap(filesOf).sort()) hash.update(`\0${file}\0`).update(readFileSync(file));
  return hash.digest('hex');
};

const filesOf = (place) => statSync(place).isFile() ? [place]
  : readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
