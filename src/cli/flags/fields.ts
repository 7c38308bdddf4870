import type { TSchema } from '@sinclair/typebox';
import type { Command } from 'commander';
import { fieldNames } from '../output/view.js';

/** Lists in a command's help what `--json` may name. */
export const withFields = ({ shape }: { readonly shape: TSchema }, command: Command): Command =>
  command.addHelpText('after', () => `\nFields for --json:\n${lines(fieldNames(shape))}`);

const widest = 78;

const lines = (names: readonly string[]): string => {
  const rows: string[] = [];
  for (const name of names) {
    const last = rows.at(-1);
    if (last !== undefined && last.length + name.length + 2 <= widest) rows[rows.length - 1] = `${last}, ${name}`;
    else rows.push(`  ${name}`);
  }
  return `${rows.map((row, i) => i < rows.length - 1 ? `${row},` : row).join('\n')}\n`;
};
