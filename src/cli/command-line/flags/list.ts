import { Option, type Command } from 'commander';
import type { GlobalFlags } from './global.js';

export interface ListFlags extends GlobalFlags {
  readonly csvSafe?: boolean;
}

export const withListFlags = (command: Command): Command => command.addOption(
  new Option('--csv-safe', 'escape cells that a spreadsheet would run as formulas, with -o csv and tsv')
    .helpGroup('Output:'));
