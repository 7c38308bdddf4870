import { Argument } from 'commander';
import { Appearance } from '../../../contract/appearance.js';
import { counted } from '../../../text/messages.js';
import type { App } from '../../app.js';
import { changeAppearance } from '../../appearance/change.js';
import { checkUnmoved, type Difference, differenceLines, differencesOf, onlyChanged } from '../../appearance/values.js';
import { checkChanges, rejectErrors, reportValues } from '../../appearance/checks.js';
import {
  allowOutsideFlag, cannotClear, checkedDocument, type ImagePlaces, isPlan, keepImage, parseAppearance,
  readDocumentText, type WantedAppearance, wantedFrom,
} from '../../appearance/document.js';
import {
  type AppearanceService, type LiveAppearance, openAppearance, readLiveAppearance,
} from '../../appearance/live.js';
import { writeFiles } from '../../terminal/io/named-files.js';
import { agree, nothingChanged, onService } from '../../changes/run.js';
import { withoutSecrets } from '../../terminal/io/secrets.js';
import { usage } from '../../command-line/failure.js';
import { defineCommand, handler } from '../../command-line/command.js';
import { dryRunOption, type GlobalFlags } from '../../command-line/flags.js';
import { say, sayPlan } from '../../terminal/io/messages.js';
import { printAs } from '../../terminal/output/format.js';
import { changedPart, changePrinter, fieldPrinter } from '../../terminal/output/record-printer.js';
import { fieldNames } from '../../terminal/output/view.js';

interface Input extends GlobalFlags, ImagePlaces {
  readonly savePlan?: string;
  readonly strict?: boolean;
}

export const appearanceApplyCommand = (app: App) =>
  defineCommand('apply', 'Change the appearance to that of a YAML file or a saved plan', [
    'appearance apply appearance.yaml',
    'appearance apply appearance.yaml --save-plan plan.json',
    'appearance apply plan.json --yes',
  ], fieldNames(Appearance))
    .addArgument(new Argument('<path>', 'exported file or saved plan, - for standard input'))
    .option('--save-plan <path>', 'save the changes to a file instead of making them; `apply` makes them later')
    .addOption(dryRunOption('print the plan and the request instead of making changes'))
    .option(...allowOutsideFlag)
    .option('--strict', 'treat warnings about values as errors')
    .action(handler<Input>((flags, path) => appearanceApply(app, flags, path)));

const appearanceApply = async (app: App, input: Input, path: string): Promise<void> => {
  const print = changePrinter(app, input, (on) => fieldPrinter(on, input, Appearance));
  const source = await readSource(app, input, path);
  const service = await openAppearance(app, input);
  const live = await readLiveAppearance(service);
  const planned = await planFrom(service, live, await source(service, live), input.strict);
  const { differences, changes } = planned;
  if (input.savePlan !== undefined) return savePlan(service, planned, input.savePlan);
  const changed = differences.map(({ field }) => field);
  if (changed.length === 0) return print(nothingChanged(input), changedPart(app, input, live.fields, []), service.url);
  await confirm(service, differences);
  const request = { command: 'appearance apply', before: live, changes, verify: 'read back' } as const;
  const after = await changeAppearance(service, request);
  const record = changedPart(app, input, after.fields, changed);
  await print(`changed ${counted(changed.length, 'field')}${onService(app, input)}`, record, service.url);
};

type Source = (service: AppearanceService, live: LiveAppearance) => Promise<WantedAppearance>;

/** Reads a document with its images, or a plan, before any request. @throws Problem if it is invalid */
const readSource = async (app: App, input: Input, path: string): Promise<Source> => {
  const text = await readDocumentText(app, path);
  if (!isPlan(text)) {
    const document = await checkedDocument(app, await parseAppearance(text, path), input);
    return async (_, live) => wantedFrom(document, live);
  }
  const { checkPlan, readPlan } = await import('../../appearance/plan.js');
  const plan = await readPlan(text, path);
  const values = await withoutSecrets(app, input, plan.values, path);
  await rejectErrors(app, input, values);
  return async ({ url }, live) => {
    const isMade = (await differencesOf(live, values)).length === 0;
    checkPlan(plan, live, url, isMade);
    return { values, removals: [], warnings: [] };
  };
};

type Planned = Awaited<ReturnType<typeof planFrom>>;

const planFrom = async (
  { app, flags }: AppearanceService, live: LiveAppearance, wanted: WantedAppearance, strict?: boolean,
) => {
  const [removal] = wanted.removals;
  if (removal !== undefined) {
    throw usage(`${removal.at}: ${cannotClear(removal.field)}`, keepImage);
  }
  const differences = await differencesOf(live, wanted.values, wanted.removals);
  const changes = onlyChanged(wanted.values, differences.map(({ field }) => field));
  await reportValues(app, flags, [...wanted.warnings, ...await checkChanges(changes, live.fields)], strict);
  return { differences, changes };
};

/** @throws Problem if the appearance changed while the user thought, or the user declines */
const confirm = async (service: AppearanceService, differences: readonly Difference[]): Promise<void> => {
  const { app, flags } = service;
  await agree(app, flags, {
    lines: await differenceLines(differences),
    action: `change ${counted(differences.length, 'field')}`, changes: differences,
    recheck: async () => {
      const expected = differences.map(({ field, live }) => ({ field, value: live }));
      checkUnmoved(expected, await readLiveAppearance(service), 'it was shown');
    },
  });
};

const savePlan = async (
  service: AppearanceService, { differences, changes }: Planned, path: string,
): Promise<void> => {
  const { app, flags, url } = service;
  const { planText } = await import('../../appearance/plan.js');
  const text = planText(url, differences, changes);
  await sayPlan(app, flags, await differenceLines(differences));
  if (path === '-') return app.out.write(text);
  await writeFiles(app, flags, [{ path, content: text }]);
  await printAs(app, flags, JSON.parse(text), () => '');
  const { length } = differences;
  const what = length === 0 ? 'nothing would change'
    : `would change ${counted(length, 'field')}${onService(app, flags)}`;
  await say(app, flags, flags.dryRun ? what : `saved the plan to ${path}: ${what}`);
};
