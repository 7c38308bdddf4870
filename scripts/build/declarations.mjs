import { cpSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const imported = /(?:from |import\()['"](\.[^'"]+)\.js['"]/g;

/** The paths of all declarations that the entries import, without extension. */
const importedPaths = (from, entries) => {
  const found = new Set(entries.map((entry) => join(entry)));
  for (const path of found) {
    const text = readFileSync(join(from, `${path}.d.ts`), 'utf8');
    for (const [, next] of text.matchAll(imported)) found.add(join(dirname(path), next));
  }
  return [...found];
};

/** Copies the declarations of the entries, and those that they import, to another folder. */
export const declarations = (from, entries, to) => {
  for (const path of importedPaths(from, entries)) cpSync(join(from, `${path}.d.ts`), join(to, `${path}.d.ts`));
};
