import * as Type from '@sinclair/typebox';
import { Argument } from 'commander';
import { Appearance, imageFields } from '../../../contract/appearance.js';
import type { App } from '../../app.js';
import {
  type AppearanceChanges, checkUnmoved, differenceLines, differencesOf, liveValue,
} from '../../appearance/values.js';
import { type AppearanceService, openAppearance, readLiveAppearance } from '../../appearance/live.js';
import { readHistory, withInstanceLock, type RecordedChange } from '../../appearance/history.js';
import {
  changeName, changeToUndo, checkRecorded, checkUndone, driftError, planUndo, restore, type UndoPlan,
} from '../../appearance/undo.js';
import { agree, nothingChanged, onService } from '../../changes/run.js';
import { Problem, usage } from '../../command-line/failure.js';
import { defineCommand, handler } from '../../command-line/command.js';
import { checkedBy, type ListFlags, withListFlags } from '../../command-line/flags.js';
import { changedPart, changePrinter, fieldPrinter, type PrintChange } from '../../terminal/output/record-printer.js';
import { listPrinter, wholeList } from '../../terminal/output/list-printer.js';
import { fieldNames, type View } from '../../terminal/output/view.js';
import { timeText } from '../../notes/views/note.js';

interface Input extends ListFlags {
  readonly list?: boolean;
  readonly force?: boolean;
  readonly number?: number;
}

export const appearanceUndoCommand = (app: App) =>
  withListFlags(defineCommand('undo', 'Restore the appearance before the last change', [
    'appearance undo', 'appearance undo --list', 'appearance undo 3 --force --yes',
  ], fieldNames(Appearance)))
    .addArgument(new Argument('[number]', 'number of the change in the list; the last one that is in effect by default')
      .argParser(checkedBy((text) => /^[1-9]\d{0,8}$/.test(text), 'pass the number of a change, see undo --list')))
    .option('--list', 'list the changes and undos, the newest first')
    .option('--force', 'restore fields too that were changed since')
    .action(handler<Input>((flags, number) => {
      const input: Input = { ...flags, ...(number !== undefined && { number: Number(number) }) };
      return flags.list ? listChanges(app, input) : appearanceUndo(app, input);
    }));

const changeView: View<ListedChange> = {
  columns: [
    { name: 'number', cell: ({ number }) => String(number) },
    { name: 'time', cell: ({ time }, display) => timeText(time, display) },
    { name: 'command', cell: ({ command, undoes }) => undoes === null ? command : `${command} (undoes ${undoes})` },
    { name: 'state', cell: ({ state }) => state },
    { name: 'fields', cell: ({ fields }) => Object.keys(fields).join(', ') },
  ],
  id: ({ number }) => String(number),
  shape: Type.Object({
    number: Type.Integer(), time: Type.String(), command: Type.String(), state: Type.String(),
    undoes: Type.Union([Type.Integer(), Type.Null()]), fields: Type.Object({}),
  }),
  emptyText: 'no changes to undo',
};

type ListedChange = ReturnType<typeof listed>;

const listed = ({ number, time, command, state, undoes, fields }: RecordedChange) =>
  ({ number, time, command, state, undoes: undoes ?? null, fields });

const listChanges = async (app: App, input: Input): Promise<void> => {
  if (input.force) throw usage('--list and --force cannot be combined', 'remove one of them');
  if (input.number !== undefined) throw usage('--list takes no number', 'remove the number or --list');
  const print = listPrinter(app, input, changeView);
  const service = await openAppearance(app, input);
  await print(wholeList((await readHistory(service)).toReversed().map(listed)));
};

const appearanceUndo = async (app: App, input: Input): Promise<void> => {
  if (input.csvSafe) throw usage('--csv-safe requires --list');
  const print = changePrinter(app, input, (on) => fieldPrinter(on, input, Appearance));
  const service = await openAppearance(app, input);
  const plan = await planUndo(service, await changeToUndo(service, input.number));
  if (plan.drift.length > 0 && !input.force) {
    throw driftError(service, plan, 'pass --force to restore the former values anyway');
  }
  await undo(service, plan, print);
};

const undo = async (service: AppearanceService, plan: UndoPlan, print: PrintChange<object>): Promise<void> => {
  const { app, flags, url } = service;
  const { change, live, lost } = plan;
  const changes = { ...plan.restored, ...plan.overwritten };
  const fields = Object.keys(changes) as (keyof typeof changes)[];
  const what = changeName(service, change);
  if (fields.length > 0) {
    const differences = await differencesOf(live, changes);
    await agree(app, flags, { lines: await differenceLines(differences), action: `undo ${what}` });
  }
  if (flags.dryRun && fields.length === 0) {
    return print(nothingChanged(flags), changedPart(app, flags, live.fields, fields), url);
  }
  const after = await withInstanceLock(service, async () => {
    await checkUnchanged(service, plan, fields);
    return restore(service, plan, changes, 'appearance undo');
  });
  const said = fields.length === 0 ? 'nothing changed' : `undid ${what}${onService(app, flags)}`;
  await print(said, changedPart(app, flags, after.fields, fields), url);
  checkUndone(service, change);
  if (lost.length > 0) throw new Problem('failure', `not everything was restored: ${lost.join('; ')}`);
};

/** The history and the appearance can change while the user thinks. @throws Problem if they did */
const checkUnchanged = async (
  service: AppearanceService, { change, live }: UndoPlan, fields: readonly (keyof AppearanceChanges)[],
): Promise<void> => {
  const { flags } = service;
  if (flags.dryRun) return;
  await checkRecorded(service, change);
  if (flags.yes || fields.length === 0) return;
  const now = await readLiveAppearance(service, imageFields.filter((field) => fields.includes(field)));
  checkUnmoved(fields.map((field) => ({ field, value: liveValue(live, field) })), now, 'it was shown');
};
