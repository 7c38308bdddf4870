import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

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

const docComments = / *\/\*\*[\s\S]*?\*\/\n?/g;
const inParentheses = /(?:\s+(?:\* )?)?\(behavior:[^)]*\)/g;
const bare = /behavior:[\s*]+[\w-]+\.[\w-]+(?:,[\s*]+[\w-]+\.[\w-]+)*/g;

/** The facts that comments cite have ids in the sources and in docs/behavior.md only. */
const withoutCitations = (text) => text.replaceAll(docComments, (comment) => {
  if (!comment.includes('behavior:')) return comment;
  const left = comment.replaceAll(inParentheses, '').replaceAll(bare, '');
  return /\w/.test(left) ? left : '';
});

/** Shapes are TypeBox schemas, which the package contains: users need the types of their values only. */
const ownSchema = {
  'contract/schema': `/** A JSON Schema. */
export interface TSchema {
    [keyword: string]: any;
    /** The type of valid values, for the compiler alone. */
    static: unknown;
}
export type Static<S extends TSchema> = S['static'];
`,
};

/** Without the shapes themselves: no entry exports them. */
const withoutShapes = (text) => {
  const importOfBuilders = /^import \* as Type from '@sinclair\/typebox';\n/m;
  if (!importOfBuilders.test(text)) return text;
  const { statements } = ts.createSourceFile('module.d.ts', text, ts.ScriptTarget.Latest);
  const kept = statements.map((statement) => text.slice(statement.getFullStart(), statement.end))
    .filter((statement) => !/\bType\.T/.test(statement));
  return `${kept.join('').replace(importOfBuilders, '').trimStart()}\n`;
};

/**
 * Copies the declarations of the entries, and those that they import, to another folder.
 * @param replaced texts of declarations, by path, to write instead
 */
export const declarations = (from, entries, to, replaced) => {
  const fileOf = (path) => join(from, `${path}.d.ts`);
  const textOf = (path) => ownSchema[path] ?? replaced[path] ??
    withoutCitations(withoutShapes(forOlderTargets(readFileSync(fileOf(path), 'utf8'))));
  for (const path of importedPaths(textOf, entries)) {
    const target = join(to, `${path}.d.ts`);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, textOf(path));
  }
};
