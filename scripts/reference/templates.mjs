import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = 'templates';

/** A step of a job that is a script: the line with its file name, and the block below it. */
const step = /^( *)# templates\/([a-z]+\.sh)\n\1- \|\n(?:\1 {2}.*\n)*/gm;

/**
 * The component for GitLab with the scripts that stand in it. A component is one file and cannot read others; the
 * action for GitHub runs the scripts themselves.
 */
export const component = () => {
  const used = new Set();
  const text = readFileSync(join(folder, 'colloquy.yml'), 'utf8').replace(step, (_, indent, file) => {
    used.add(file);
    const lines = readFileSync(join(folder, file), 'utf8').trimEnd().split('\n');
    const block = [`# ${folder}/${file}`, '- |', ...lines.map((line) => `  ${line}`)];
    return block.map((line) => `${indent}${line}\n`).join('');
  });
  const unused = readdirSync(folder).filter((file) => file.endsWith('.sh') && !used.has(file));
  if (unused.length > 0) throw new Error(`templates/colloquy.yml does not run ${unused.join(', ')}`);
  return text;
};
