import type { Command } from 'commander';
import type { App } from '../app.js';
import type { Finding } from '../doctor/finding.js';
import { acting, verb } from '../flags/command.js';

/** By name, so that starting the program does not load the shape. */
const fields: readonly (keyof Finding)[] = ['check', 'state', 'message', 'remedy'];

export const doctorCommand = (app: App, summary: string): Command =>
  verb('doctor', summary, ['doctor', 'doctor --profile work', 'doctor --json=check,state,remedy'], fields)
    .action(acting<object>(async (flags) => (await import('../doctor/examine.js')).examine(app, flags)));
