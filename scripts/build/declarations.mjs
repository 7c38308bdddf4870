import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const imported = /(?:from |import\()['"](\.[^'"]+)\.js['"]/g;

/** The paths of all declarations that the entries import, without extension. */
const importedPaths = (textOf, entries) => {
  const found = new Set(entries.map((entry) => join(entry)));
  for (const path of found) {
    for (const [, next] of textOf(path).matchAll(imported)) found.add(join(dirname(path), next));
  }
  return [...found];
};

/** Programs for ES2020 do not have the type of the options of errors. */
const forOlderTargets = (text) => text.replace(/\bErrorOptions\b/g, '{ cause?: unknown }');

/**
 * Copies the declarations of the entries, and those that they import, to another folder.
 * @param replaced texts of declarations, by path, to write instead
 */
export const declarations = (from, entries, to, replaced) => {
  const fileOf = (path) => join(from, `${path}.d.ts`);
  const textOf = (path) => replaced[path] ?? forOlderTargets(readFileSync(fileOf(path), 'utf8'));
  for (const path of importedPaths(textOf, entries)) {
    const target = join(to, `${path}.d.ts`);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, textOf(path));
  }
};
