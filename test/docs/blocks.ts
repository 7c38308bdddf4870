import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { programScript } from '../support/program.js';

export const root = join(import.meta.dirname, '..', '..');

/** The text of a page, by its path from the root of the repository. */
export const page = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The code blocks of a page in one language. */
export const blocksOf = (path: string, language: string): string[] =>
  [...page(path).matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].filter((match) => match[1] === language).map((match) => match[2]!);

/** The TypeScript examples in the doc comments of a source file, with the declaration that follows each comment. */
export const commentExamples = (path: string): { readonly of: string; readonly block: string }[] =>
  [...page(path).matchAll(/\/\*\*\n((?: \*.*\n)*?) \*\/\nexport (?:const|class|interface) (\w+)/g)].flatMap(([, comment, name]) => {
    const text = comment!.replace(/^ \* ?/gm, '');
    return [...text.matchAll(/^@example\n```ts\n([\s\S]*?)^```$/gm)].map((match) => ({ of: name!, block: match[1]! }));
  });

/** A temporary project that has the package installed, with `colloquy` in its folder. */
export interface Project {
  readonly folder: string;
  readonly write: (file: string, content: string | Uint8Array) => void;
  readonly remove: () => void;
}

/** @param needs further packages that the code in the project imports */
export const newProject = (needs: readonly string[] = []): Project => {
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-docs-'));
  const write = (file: string, content: string | Uint8Array) => writeFileSync(join(folder, file), content);
  for (const [name, target] of [['colloquy', root], ...needs.map((name) => [name, join(root, 'node_modules', name)])]) {
    const link = join(folder, 'node_modules', name!);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(target!, link);
  }
  write('package.json', '{"type":"module"}');
  write('colloquy', programScript);
  chmodSync(join(folder, 'colloquy'), 0o755);
  return { folder, write, remove: () => rmSync(folder, { recursive: true }) };
};
