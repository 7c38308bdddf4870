import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { page, root } from './blocks.js';

/** The pages that people and agents read, by their paths: README, docs/ and the skill. */
export const pages: readonly string[] = ['README.md', 'skills/colloquy/SKILL.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)];

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
export const rewriteBlocks = (path: string, blocks: ReadonlyMap<string, string>): void => {
  const fenced = (block: string) => `\`\`\`console\n${block}\`\`\``;
  let text = page(path);
  for (const [before, after] of blocks) text = text.replace(fenced(before), () => fenced(after));
  writeFileSync(join(root, path), text);
};
