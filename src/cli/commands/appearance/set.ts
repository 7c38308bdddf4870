import { Appearance, imageFields } from '../../../contract/appearance.js';
import { contract } from '../../../contract/contract.js';
import { isUpload } from '../../../wire/http.js';
import { counted } from '../../../text/messages.js';
import type { App } from '../../app.js';
import { changeAppearance } from '../../appearance/change.js';
import { checkChanges, rejectErrors, reportValues } from '../../appearance/checks.js';
import { largestImage, uploadOf } from '../../appearance/images.js';
import {
  type AppearanceService, type LiveAppearance, openAppearance, withImages,
} from '../../appearance/live.js';
import {
  type AppearanceChanges, differenceLines, differencesFrom, type Field, fields, isImageField, onlyChanged,
} from '../../appearance/values.js';
import { nothingChanged, onService, sayPlanned } from '../../changes/run.js';
import { defineCommand, handler, withEmptyValues } from '../../command-line/command.js';
import { withoutSecrets } from '../../terminal/io/secrets.js';
import { usage } from '../../command-line/failure.js';
import { flagFor, flagName, type GlobalFlags, optionName } from '../../command-line/flags.js';
import { sayPlan } from '../../terminal/io/messages.js';
import { readLimited, readText } from '../../terminal/io/streams.js';
import { changedPart, changePrinter, fieldPrinter } from '../../terminal/output/record-printer.js';
import { fieldNames } from '../../terminal/output/view.js';

type Input = GlobalFlags & Readonly<Record<string, unknown>>;

const { params } = contract.appearance.set;

const longTexts: readonly Field[] = [
  'description', 'new_project_guidelines', 'profile_image_guidelines', 'header_message', 'footer_message',
  'member_guidelines',
];

export const appearanceSetCommand = (app: App) => {
  const command = defineCommand('set', 'Change the given fields of the appearance', [
    'appearance set --title "Acme" --logo logo.png',
    'appearance set --description-file welcome.md --email-header-and-footer=false',
    "appearance set --header-message '' --dry-run",
  ], fieldNames(Appearance));
  for (const field of fields) {
    command.addOption(flagFor(field, params[field]));
    if (!longTexts.includes(field)) continue;
    command.option(`--${flagName(field)}-file <path>`, 'file to read the text from, - for standard input');
  }
  withEmptyValues(command, ...fields.filter((field) => !isImageField(field)).map((field) => `--${flagName(field)}`));
  command.option('--strict', 'treat warnings about values as errors');
  return command.action(handler<Input>((flags) => appearanceSet(app, flags)));
};

const appearanceSet = async (app: App, input: Input): Promise<void> => {
  const print = changePrinter(app, input, (on) => fieldPrinter(on, input, Appearance));
  const changes = await changesFrom(app, input);
  if (Object.keys(changes).length === 0) {
    throw usage('no field to change given', ['pass at least one of:', ...optionLines()].join('\n'));
  }
  await rejectErrors(app, input, changes, fieldFlag);
  const service = await openAppearance(app, input);
  const before = await appearanceBefore(service, changes);
  const differences = await differencesFrom(before, changes);
  const changed = differences.map(({ field }) => field);
  if (before && changed.length === 0) {
    return print(nothingChanged(input), changedPart(app, input, before.fields, []), service.url);
  }
  const findings = await checkChanges(onlyChanged(changes, changed), before?.fields ?? null, fieldFlag);
  await reportValues(app, input, findings, input.strict === true);
  const lines = await differenceLines(differences);
  const count = counted(changed.length, 'field');
  if (input.dryRun) await sayPlan(app, input, lines);
  await sayPlanned(app, input, `change ${count}`);
  const after = await changeAppearance(service, { command: 'appearance set', before, changes, verify: 'response' });
  const record = changedPart(app, input, after.fields, changed);
  const shown = lines.map(({ text }) => `${text}\n`).join('');
  await print(`${shown}changed ${count}${onService(app, input)}`, record, service.url);
};

const optionLines = (): string[] => {
  const isColor = (field: Field) => field.endsWith('_color');
  const groups = {
    images: fields.filter(isImageField), colors: fields.filter(isColor),
    others: fields.filter((field) => !isImageField(field) && !isColor(field)),
  };
  return Object.entries(groups).map(([kind, names]) => `  ${kind}: ${names.map(fieldFlag).join(' ')}`);
};

const fieldFlag = (field: Field): string => `--${flagName(field)}`;

/** In milliseconds; the change is made without the previous values after that. */
const lookupTimeout = 2_000;

/** The appearance before the change; null if the service does not return it, since writing may still be allowed. */
const appearanceBefore = async (
  service: AppearanceService, changes: AppearanceChanges,
): Promise<LiveAppearance | null> => {
  const uploads = imageFields.filter((field) => isUpload(changes[field]));
  const signal = AbortSignal.timeout(lookupTimeout);
  const before = await service.client.appearance.get({}, { signal }).catch((error: unknown) => {
    if (service.app.signal.aborted) throw error;
    return null;
  });
  return before && withImages(service, before, uploads);
};

const changesFrom = async (app: App, input: Input): Promise<AppearanceChanges> => {
  const given: [Field, unknown][] = [];
  for (const field of fields) {
    const value = input[optionName(field)];
    const path = input[`${optionName(field)}File`];
    if (value !== undefined && path !== undefined) {
      throw usage(`--${flagName(field)} and --${flagName(field)}-file cannot be combined`, 'remove one of them');
    }
    if (typeof path === 'string') {
      given.push([field, await withoutSecrets(app, input, await readText(app, path), path)]);
    } else if (value !== undefined) given.push([field, await fieldValue(app, field, value)]);
  }
  return Object.fromEntries(given);
};

/** The media type of an image comes from its content, or from the suffix for SVG. */
const fieldValue = async (app: App, field: Field, value: unknown): Promise<unknown> => {
  if (!isImageField(field)) return value;
  const path = String(value);
  return uploadOf(path.split(/[\\/]/).at(-1)!, await readLimited(app, path, largestImage));
};
