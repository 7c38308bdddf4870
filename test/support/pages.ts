import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** The pages that people read: README and docs/. */
export const pages: readonly string[] = ['README.md',
  ...readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)];

export const pageText = (page: string): string => readFileSync(join(root, page), 'utf8');

/** The code blocks of a page in one language. */
export const blocksOf = (page: string, language: string): readonly string[] =>
  [...pageText(page).matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter((match) => match[1] === language).map((match) => match[2]!);

export interface ShownCommand {
  /** The line after the prompt, with the lines that continue it. */
  readonly command: string;
  /** What stands below it; empty when the page shows no output. */
  readonly output: string;
}

/** The commands of a console block, each with the output below it. */
export const commandsOf = (block: string): readonly ShownCommand[] => block.split(/^\$ /m).slice(1).map((text) => {
  const [, command, output] = /^((?:.*\\\n)*.*)\n?([\s\S]*)$/.exec(text.trimEnd())!;
  return { command: command!, output: output! };
});

/** Whether an output is the shown one, in which `…` stands for any part of a line. */
export const isShown = (shown: string, actual: string): boolean => {
  const pattern = shown.split('…').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('.*');
  return new RegExp(`^${pattern}$`).test(actual);
};

/** Replaces console blocks of a page. */
export const rewriteBlocks = (page: string, blocks: ReadonlyMap<string, string>): void => {
  let text = pageText(page);
  for (const [before, after] of blocks) text = text.replace(`\`\`\`console\n${before}\`\`\``, () => `\`\`\`console\n${after}\`\`\``);
  writeFileSync(join(root, page), text);
};
