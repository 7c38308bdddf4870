import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A digest of all inputs of a build, including the version of Node, which the code cache depends on. */
export const stampOf = (paths) => {
  const hash = createHash('sha256').update(`${process.version} ${process.arch} ${process.platform}`);
  for (const file of paths.flatMap(filesOf).sort()) hash.update(`\0${file}\0`).update(readFileSync(file));
  return hash.digest('hex');
};

const filesOf = (path) => statSync(path).isFile() ? [path]
  : readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
