import { Type } from '@sinclair/typebox';
import type { Command } from 'commander';
import { Appearance } from '../../../contract/appearance.js';
import type { App } from '../../app.js';
import { readHistory, type RecordedChange } from '../../appearance/history.js';
import { openAppearance, type AppearanceService } from '../../appearance/live.js';
import { changeName, driftError, newestChange, planUndo, restore, type UndoPlan } from '../../appearance/undo.js';
import { Problem, usage } from '../../errors/failure.js';
import { defineCommand, handler } from '../../flags/command.js';
import { withListFlags, type ListFlags } from '../../flags/list.js';
import { consent, say, sayIfDryRun } from '../../io/messages.js';
import { changePrinter, type PrintChange } from '../../output/change-printer.js';
import { listPrinter, wholeList } from '../../output/list-printer.js';
import { fieldPrinter } from '../../output/record-printer.js';
import { fieldNames, type View } from '../../output/view.js';
import { timeText } from '../../views/cells.js';
import { changeLine } from './changes.js';

interface Input extends ListFlags {
  readonly list?: boolean;
  readonly force?: boolean;
}

export const appearanceUndoCommand = (app: App): Command =>
  withListFlags(defineCommand('undo', 'restore the appearance before the last change', [
    'appearance undo', 'appearance undo --list', 'appearance undo --force --yes',
  ], fieldNames(Appearance)))
    .option('--list', 'list the changes that can be undone, the newest first')
    .option('--force', 'restore fields too that were changed since')
    .action(handler<Input>((flags) => flags.list ? listChanges(app, flags) : appearanceUndo(app, flags)));

/** The changes in the history. */
const changeView: View<RecordedChange> = {
  columns: [
    { name: 'number', cell: ({ number }) => String(number) },
    { name: 'time', cell: ({ time }, display) => timeText(time, display) },
    { name: 'command', cell: ({ command }) => command },
    { name: 'state', cell: ({ state }) => state },
    { name: 'fields', cell: ({ fields }) => Object.keys(fields).join(', ') },
  ],
  id: ({ number }) => String(number),
  shape: Type.Object({
    number: Type.Integer(), time: Type.String(), command: Type.String(), state: Type.String(),
    fields: Type.Object({}),
  }),
  emptyText: 'no changes to undo',
};

const listChanges = async (app: App, input: Input): Promise<void> => {
  if (input.force) throw usage('--list and --force cannot be combined', 'remove one of them');
  const print = listPrinter(app, input, changeView);
  const service = await openAppearance(app, input);
  await print(wholeList((await readHistory(service)).toReversed()));
};

const appearanceUndo = async (app: App, input: Input): Promise<void> => {
  if (input.csvSafe) throw usage('--csv-safe requires --list');
  const print = changePrinter(app, input, fieldPrinter(app, input, Appearance));
  const service = await openAppearance(app, input);
  const change = await newestChange(service);
  if (change === null) {
    throw new Problem('failure', 'no change to undo', 'changes are recorded on the machine that makes them');
  }
  const plan = await planUndo(service, change);
  if (plan.drift.length > 0 && !input.force) {
    throw driftError(plan, 'pass --force to restore the former values anyway');
  }
  await undo(service, plan, print);
};

const undo = async (service: AppearanceService, plan: UndoPlan, print: PrintChange<object>): Promise<void> => {
  const { app, flags, url } = service;
  const { change, live, lost } = plan;
  const changes = { ...plan.restored, ...plan.overwritten };
  const fields = Object.keys(changes) as (keyof typeof changes)[];
  const lines = fields.map((field) => changeLine(live.fields, field, changes[field]));
  for (const line of lines) await (flags.dryRun ? sayIfDryRun(app, flags, `restore ${line}`) : announce(service, line));
  if (fields.length > 0) await consent(app, flags, `undo ${changeName(change)}`);
  if (flags.dryRun && fields.length === 0) return say(app, flags, 'nothing would change');
  const after = await restore(service, plan, changes);
  const done = [...lines.map((line) => `restored ${line}`), `undid ${changeName(change)}`].join('\n');
  await print(fields.length === 0 ? 'nothing changed' : done, after.fields, url);
  if (lost.length > 0) throw new Problem('failure', `not everything was restored: ${lost.join('; ')}`);
};

/** Shows the change before the question. */
const announce = async ({ app, flags }: AppearanceService, line: string): Promise<void> => {
  if (!flags.yes) await say(app, flags, line);
};
