import type { App } from '../app.js';
import type { PrintedResult } from '../service/doctor/checks.js';
import { defineCommand, handler } from '../command-line/command.js';

/** Listed here so that start-up does not load the schema. */
const fields: readonly (keyof PrintedResult)[] = ['check', 'state', 'message', 'hint'];

export const doctorCommand = (app: App, summary: string) =>
  defineCommand('doctor', summary, ['doctor', 'doctor --profile work', 'doctor --json=check,state,hint'], fields)
    .action(handler<object>(async (flags) => (await import('../service/doctor/examine.js')).runDoctor(app, flags)));
