import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
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

/** Programs for ES2020 do not have the type of the options of errors, TypeScript before 5.7 none of kinds of memory. */
const forOlderPrograms = (text) => text.replace(/\bErrorOptions\b/g, '{ cause?: unknown }')
  .replace(/<ArrayBuffer(?:Like)?>/g, '');

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

const specifierOf = (path, target) => {
  const specifier = relative(dirname(path), target);
  return `${specifier.startsWith('.') ? '' : './'}${specifier}.js`;
};

const inferred =
  /^(export )?(?:interface|type) (\w+) (?:extends|=) Type\.Static<typeof \w+>(?:;| \{\s*\})/gm;

/** Takes named types from their declarations instead of from the shapes that they are inferred from. */
const withNamedTypes = (path, text, named) => {
  const homeOf = new Map(Object.entries(named).flatMap(([home, declared]) =>
    [...declared.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => [name, home])));
  const homes = new Set();
  const derived = text
    .replace(/^((?:ex|im)port type )\{([^}]+)\} from '\.[^']+';\n/gm, (whole, words, list) => {
      const names = list.split(',').map((name) => name.trim()).filter(Boolean);
      const home = homeOf.get(names[0]);
      if (!home || names.some((name) => homeOf.get(name) !== home)) return whole;
      return `${words}{ ${names.join(', ')} } from '${specifierOf(path, home)}';\n`;
    })
    .replace(inferred, (_, exported, name) => {
      if (!homeOf.has(name)) throw new Error(`src/${path}.ts: write out the type ${name}, whose shape has no $id`);
      homes.add(homeOf.get(name));
      return `${exported ?? ''}type ${name} = Derived.${name};`;
    });
  return [...homes].map((home) => `import type * as Derived from '${specifierOf(path, home)}';\n`).join('') + derived;
};

/** An entry also exports the named types that are part of others alone. */
const withAllNamedTypes = (path, text, named) => Object.keys(named)
  .filter((home) => text.includes(specifierOf(path, home)))
  .reduce((all, home) => `${all}export type * from '${specifierOf(path, home)}';\n`, text);

/**
 * Copies the declarations of the entries, and those that they import, to another folder.
 * @param named declarations of the types that the sources infer from shapes, by path
 * @param operations declarations to write instead of others, by path
 */
export const declarations = (from, entries, to, { named, operations }) => {
  const compiled = (path) => forOlderPrograms(readFileSync(join(from, `${path}.d.ts`), 'utf8'));
  const changed = (path) => withoutCitations(withoutShapes(withNamedTypes(path, compiled(path), named)));
  const textOf = (path) => ownSchema[path] ?? named[path] ?? operations[path] ??
    (entries.includes(path) ? withAllNamedTypes(path, changed(path), named) : changed(path));
  for (const path of importedPaths(textOf, entries)) {
    const target = join(to, `${path}.d.ts`);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, textOf(path));
  }
};
