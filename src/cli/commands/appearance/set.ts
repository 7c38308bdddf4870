import type { Command } from 'commander';
import type { Client } from '../../../client/methods.js';
import { Appearance } from '../../../contract/appearance.js';
import { contract } from '../../../contract/contract.js';
import { isUpload, type ParamsOf, type Upload } from '../../../contract/endpoint.js';
import type { App } from '../../app.js';
import { open } from '../../connection/session.js';
import { Problem, usage } from '../../errors/failure.js';
import { defineCommand, handler } from '../../flags/command.js';
import { flagFor, flagName, isFile, optionName } from '../../flags/field.js';
import type { GlobalFlags } from '../../flags/global.js';
import { sayIfDryRun } from '../../io/messages.js';
import { withUploadProgress } from '../../io/progress.js';
import { readText } from '../../io/streams.js';
import { changePrinter } from '../../output/change-printer.js';
import { fieldPrinter } from '../../output/record-printer.js';
import { fieldNames } from '../../output/view.js';
import { settingsOf } from '../../settings/settings.js';
import { changedFields, changeLine } from './changes.js';
import { imageFrom, isDropped, isStoredAt } from './image.js';

type Changes = ParamsOf<typeof contract.appearance.set>;
type Field = keyof Changes;
type Image = 'logo' | 'header_logo' | 'favicon';
type Input = GlobalFlags & Readonly<Record<string, unknown>>;

const { params } = contract.appearance.set;
const fields = Object.keys(params) as Field[];
const images = fields.filter((field): field is Image => isFile(params[field].shape));

/** Fields whose text can also be read from a file. */
const longTexts: readonly Field[] = [
  'description', 'new_project_guidelines', 'profile_image_guidelines', 'header_message', 'footer_message',
];

export const appearanceSetCommand = (app: App): Command => {
  const command = defineCommand('set', 'change the given fields of the appearance', [
    'appearance set --title "Acme" --logo logo.png',
    'appearance set --description-file welcome.md --email-header-and-footer=false',
    "appearance set --header-message '' --dry-run",
  ], fieldNames(Appearance));
  for (const field of fields) {
    command.addOption(flagFor(field, params[field]));
    if (!longTexts.includes(field)) continue;
    command.option(`--${flagName(field)}-file <path>`, 'file to read the text from, - for standard input');
  }
  return command.action(handler<Input>((flags) => appearanceSet(app, flags)));
};

const appearanceSet = async (app: App, input: Input): Promise<void> => {
  const print = changePrinter(app, input, fieldPrinter(app, input, Appearance));
  const changes = await changesFrom(app, input);
  if (Object.keys(changes).length === 0) {
    throw usage('no field to change given',
      `pass at least one of: ${fields.map((field) => `--${flagName(field)}`).join(' ')}`);
  }
  const settings = await settingsOf(app, input);
  const client = await open(app, input, settings);
  const before = await appearanceBefore(app, client);
  const address = settings.url?.href ?? null;
  const stored = await storedImages(app, input, before, changes);
  const changed = changedFields(before, changes).filter((field) => !stored.includes(field));
  if (before && changed.length === 0) return print('nothing changed', before, address);
  const lines = changed.map((field) => changeLine(before, field, changes[field as Field]));
  for (const line of lines) await sayIfDryRun(app, input, `change ${line}`);
  const uploads = images.filter((field) => isUpload(changes[field]));
  const answer = await sendChanges(app, input, changes, () => client.appearance.set(changes));
  for (const field of uploads) await checkStored(app, input, field, changes[field]!, before?.[field], answer[field]);
  await print(lines.map((line) => `changed ${line}`).join('\n'), answer, address);
};

/** The images that the service has already. */
const storedImages = async (
  app: App, input: Input, before: Appearance | null, changes: Changes,
): Promise<readonly string[]> => {
  const stored: string[] = [];
  for (const field of images) {
    const [upload, address] = [changes[field], before?.[field]];
    if (upload && address && await isStoredAt(app, input, address, upload.bytes)) stored.push(field);
  }
  return stored;
};

/** In milliseconds; the change is made without the previous values after that. */
const lookupTimeout = 2_000;

/** The appearance before the change; null if the service does not return it, since writing may still be allowed. */
const appearanceBefore = (app: App, client: Client): Promise<Appearance | null> =>
  client.appearance.get({}, { signal: AbortSignal.timeout(lookupTimeout) }).catch((error: unknown) => {
    if (app.signal.aborted) throw error;
    return null;
  });

const sendChanges = <T>(app: App, input: Input, changes: Changes, send: () => Promise<T>): Promise<T> => {
  const uploads = Object.values(changes).filter(isUpload);
  const bytes = uploads.reduce((sum, upload) => sum + upload.bytes.length, 0);
  return uploads.length === 0 || input.dryRun ? send() : withUploadProgress(app, input, bytes, send);
};

const changesFrom = async (app: App, input: Input): Promise<Changes> => {
  const given: [Field, unknown][] = [];
  for (const field of fields) {
    const value = input[optionName(field)];
    const path = input[`${optionName(field)}File`];
    if (value !== undefined && path !== undefined) {
      throw usage(`--${flagName(field)} and --${flagName(field)}-file cannot be combined`, 'remove one of them');
    }
    if (typeof path === 'string') given.push([field, await readText(app, path)]);
    else if (value !== undefined) given.push([field, await valueOf(app, field, value)]);
  }
  return Object.fromEntries(given);
};

const valueOf = (app: App, field: Field, value: unknown): unknown => {
  if ((images as Field[]).includes(field)) return imageFrom(app, String(value));
  if (field.endsWith('_color')) checkColor(`--${flagName(field)}`, String(value));
  return value;
};

/** @throws Problem for a color without `#`; the service judges all others */
const checkColor = (flag: string, value: string): void => {
  if (!/^(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(value)) return;
  throw usage(`invalid color ${JSON.stringify(value)} for ${flag}`, `write it with #, in quotes: ${flag} '#${value}'`);
};

/** A service that reads an image as text responds with 200 and changes nothing. */
const checkStored = async (
  app: App, input: Input, field: Image, file: Upload, before: unknown, after: unknown,
): Promise<void> => {
  if (!await isDropped(app, input, file, before, after)) return;
  const stored = typeof after === 'string' && after !== '' ? after : 'not set';
  throw new Problem('failure', `the service reported success, but ${field} is ${stored}`,
    'check whether a proxy in front of the service drops uploads');
};
