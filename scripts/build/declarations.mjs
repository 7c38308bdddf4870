import { cpSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const imported = /(?:from |import\()['"](\.[^'"]+)\.js['"]/g;

/** The paths that the entries lead to, without their ending. */
const reached = (from, entries) => {
  const found = new Set(entries.map((entry) => join(entry)));
  for (const path of found) {
    const text = readFileSync(join(from, `${path}.d.ts`), 'utf8');
    for (const [, next] of text.matchAll(imported)) found.add(join(dirname(path), next));
  }
  return [...found];
};

/** Copies the declarations that a user of the entries meets, from a folder that holds all to another. */
export const declarations = (from, entries, to) => {
  for (const path of reached(from, entries)) cpSync(join(from, `${path}.d.ts`), join(to, `${path}.d.ts`));
};
