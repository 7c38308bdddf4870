import * as Type from '@sinclair/typebox';
import { Argument } from 'commander';
import { counted } from '../../../text/messages.js';
import type { App } from '../../app.js';
import { checkChanges, reportValues } from '../../appearance/checks.js';
import { type Difference, differencesOf, differenceText, shown, onlyChanged } from '../../appearance/values.js';
import {
  allowOutsideFlag, cannotClear, checkedDocument, type ImagePlaces, keepImage, readAppearanceDocument, wantedFrom,
} from '../../appearance/document.js';
import { openAppearance, readLiveAppearance } from '../../appearance/live.js';
import { Problem } from '../../command-line/failure.js';
import { defineCommand, handler } from '../../command-line/command.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { say } from '../../terminal/io/messages.js';
import { painter } from '../../terminal/io/style.js';
import { chosenFormat } from '../../terminal/output/format.js';
import { listPrinter, wholeList } from '../../terminal/output/list-printer.js';
import { fieldNames, type View } from '../../terminal/output/view.js';

interface Input extends GlobalFlags, ImagePlaces {
  readonly strict?: boolean;
}

const differenceView: View<Difference> = {
  columns: [
    { name: 'field', cell: ({ field }) => field, tone: () => 'strong' },
    { name: 'live', cell: ({ live }) => shown(live), minWidth: 12 },
    { name: 'wanted', cell: ({ wanted }) => shown(wanted), minWidth: 12 },
  ],
  id: ({ field }) => field,
  shape: Type.Object({ field: Type.String(), live: Type.Unknown(), wanted: Type.Unknown() }),
  emptyText: 'nothing differs',
};

export const appearanceDiffCommand = (app: App) =>
  defineCommand('diff', 'Compare the appearance with a YAML file; exit with code 8 if it differs', [
    'appearance diff appearance.yaml',
    'appearance diff appearance.yaml --strict --json=field',
  ], fieldNames(differenceView.shape))
    .addArgument(new Argument('<path>', 'exported file, - for standard input'))
    .option(...allowOutsideFlag)
    .option('--strict', 'treat warnings about values as errors')
    .action(handler<Input>((flags, path) => appearanceDiff(app, flags, path)));

const appearanceDiff = async (app: App, input: Input, path: string): Promise<void> => {
  const print = listPrinter(app, input, differenceView);
  const document = await checkedDocument(app, await readAppearanceDocument(app, path), input);
  const live = await readLiveAppearance(await openAppearance(app, input));
  const wanted = wantedFrom(document, live);
  const differences = await differencesOf(live, wanted.values, wanted.removals);
  const removals = wanted.removals.map(({ field, at }) =>
    ({ level: 'warning', message: `${at}: \`apply\` ${cannotClear(field)}`, hint: keepImage }) as const);
  const changes = onlyChanged(wanted.values, differences.map(({ field }) => field));
  const findings = [...wanted.warnings, ...removals, ...await checkChanges(changes, live.fields)];
  await reportValues(app, input, findings, input.strict);
  if (chosenFormat(input) !== null) await print(wholeList(differences));
  else await app.out.write(await differenceText(differences, await painter(app.out.colors)));
  if (differences.length === 0) {
    return say(app, input, `nothing differs${wanted.warnings.length > 0 ? ' that can be changed' : ''}`);
  }
  throw new Problem('pending', counted(differences.length, 'field differs', 'fields differ'),
    differences.length === removals.length ? keepImage : 'change it with `colloquy appearance apply`');
};
