import { imageFields, type ImageField } from '../../contract/appearance.js';
import { type Upload } from '../../contract/endpoint.js';
import { isUpload } from '../../wire/http.js';
import { isObject, jsonOrNull } from '../../wire/json.js';
import type { StateFolder } from '../app.js';
import { Problem } from '../command-line/failure.js';
import { orUnwritable, stateKey } from '../state/folders.js';
import { say } from '../terminal/io/messages.js';
import { writeProblem } from '../terminal/io/streams.js';
import { plainLine } from '../../text/plain.js';
import type { AppearanceChanges, Field } from './values.js';
import { sha256Of, type AppearanceService, type LiveAppearance } from './live.js';

export interface RecordedImage {
  readonly sha256: string;
  readonly filename: string;
  readonly content_type: string | null;
}

export type RecordedValue = string | boolean | null | RecordedImage | { readonly unread: string };

export interface FieldChange {
  readonly before: RecordedValue;
  readonly after: RecordedValue;
}

export interface RecordedChange {
  readonly number: number;
  readonly time: string;
  readonly command: string;
  /** `sent` until it is verified; it may be stored or not. */
  readonly state: 'sent' | 'done' | 'undone';
  readonly undoes?: number;
  /** The service no longer works on the request then; unknown if the program was stopped before it ended. */
  readonly until?: string;
  readonly fields: Readonly<Record<string, FieldChange>>;
}

interface HistoryFile {
  readonly version: 1;
  readonly url: string;
  readonly changes: readonly RecordedChange[];
}

const maxChanges = 10;

const maxOthers = 20;

export const isRecordedImage = (value: RecordedValue): value is RecordedImage =>
  typeof value === 'object' && value !== null && 'sha256' in value;

export const readHistory = async ({ app, url }: AppearanceService): Promise<readonly RecordedChange[]> =>
  url === null ? [] : readChanges(app.state, await folderOf(url), url);

/** Says on stderr if that fails. @returns null if the change was not recorded, as in the sandbox */
export const recordChange = async (
  service: AppearanceService, call: Pick<RecordedChange, 'command' | 'undoes'>, before: LiveAppearance | null,
  changes: AppearanceChanges,
): Promise<RecordedChange | null> => {
  const { app, flags, url } = service;
  if (url === null) return null;
  try {
    const fields: Record<string, FieldChange> = {};
    const images = new Map<string, Uint8Array>();
    for (const field of Object.keys(changes) as Field[]) {
      fields[field] = await changeRecord(field, before, changes, images);
    }
    return await addChange(service, url, { ...call, fields }, images);
  } catch (error) {
    if (app.signal.aborted) throw error;
    const why = error instanceof Problem ? error.message : writeProblem(error);
    await say(app, flags, `cannot record this change, so \`appearance undo\` will not be possible: ${why}`);
    return null;
  }
};

const changeRecord = async (
  field: Field, live: LiveAppearance | null, changes: AppearanceChanges, files: Map<string, Uint8Array>,
): Promise<FieldChange> => {
  const value = changes[field];
  const after = isUpload(value) ? await recordImage(value, files) : value ?? '';
  if (live === null) return { before: { unread: 'the service did not return it' }, after };
  if (!isUpload(value)) return { before: live.fields[field] ?? '', after };
  const image = live.images[field as ImageField] ?? null;
  if (image === null) return { before: null, after };
  if (image.bytes === null) return { before: { unread: image.problem ?? 'it was not read' }, after };
  return { before: await recordImage({ ...image, bytes: image.bytes }, files), after };
};

const recordImage = async (
  image: Pick<Upload, 'filename' | 'bytes'> & { readonly content_type?: string | null },
  files: Map<string, Uint8Array>,
): Promise<RecordedImage> => {
  const { filename, bytes, content_type = null } = image;
  const sha256 = await sha256Of(bytes);
  files.set(sha256, bytes);
  return { sha256, filename, content_type };
};

const addChange = async (
  { app }: AppearanceService, url: string, change: Pick<RecordedChange, 'command' | 'undoes' | 'fields'>,
  images: ReadonlyMap<string, Uint8Array>,
): Promise<RecordedChange> => {
  const state = app.state;
  const folder = await folderOf(url);
  return state.locked(folder, async () => {
    const changes = await readChanges(state, folder, url);
    for (const [sha256, bytes] of images) await state.write(imagePath(folder, sha256), bytes);
    const number = (changes.at(-1)?.number ?? 0) + 1;
    const added: RecordedChange = { number, time: app.now().toISOString(), ...change, state: 'sent' };
    await writeHistory(state, folder, url, withoutOldest([...changes, added]));
    return added;
  });
};

/** A plain undo undoes the newest of these. */
export const isInEffect = ({ state, undoes }: RecordedChange): boolean => state !== 'undone' && undoes === undefined;

/** Keeps the last changes in effect, and the last others that are not older than all of them. */
const withoutOldest = (changes: readonly RecordedChange[]): readonly RecordedChange[] => {
  const inEffect = changes.filter(isInEffect).slice(-maxChanges);
  const first = inEffect.length < maxChanges ? 0 : inEffect[0]!.number;
  const others = changes.filter((one) => !isInEffect(one) && one.number > first).slice(-maxOthers);
  return changes.filter((one) => inEffect.includes(one) || others.includes(one));
};

/** Changes that are not in the history have the number 0. */
export const isRecorded = ({ number }: RecordedChange): boolean => number > 0;

/** A new history uses the numbers of a deleted one again, so the number is not enough. */
export const isSameChange = (one: RecordedChange, other: RecordedChange): boolean =>
  one.number === other.number && one.time === other.time && one.command === other.command;

export const editHistory = async (
  { app, url }: AppearanceService, edit: (changes: readonly RecordedChange[]) => readonly RecordedChange[],
): Promise<void> => {
  if (url === null) return;
  const state = app.state;
  const folder = await folderOf(url);
  await orUnwritable(`the history ${state.pathOf(historyPath(folder))}`, () => state.locked(folder, async () => {
    await writeHistory(state, folder, url, edit(await readChanges(state, folder, url)));
  }));
};

/** Runs a function while no other process of this user runs one for the same instance. */
export const withInstanceLock = async <T>(
  { app, flags, url }: AppearanceService, work: () => Promise<T>,
): Promise<T> => {
  if (url === null || flags.dryRun) return work();
  const state = app.state;
  const folder = `${await folderOf(url)}/running`;
  return state.locked(folder, work, work);
};

export const updateChange = (
  service: AppearanceService, change: RecordedChange, values: Partial<Pick<RecordedChange, 'state' | 'until'>>,
): Promise<void> => editHistory(service,
  (changes) => changes.map((one) => isSameChange(one, change) ? { ...one, ...values } : one));

/**
 * If it was an undo, the change that it undid is in effect again.
 * @param undo the change that undid it, if one was recorded; of others, the outcome is known now
 */
export const markUndone = (
  service: AppearanceService, change: RecordedChange, undo: RecordedChange | null,
): Promise<void> => editHistory(service, (changes) => {
  if (!changes.some((one) => isSameChange(one, change))) return changes;
  const isEarlier = (one: RecordedChange) =>
    one.undoes === change.number && one.state !== 'undone' && one.number !== undo?.number;
  const known = undo === null ? changes.map((one) => isEarlier(one) ? { ...one, state: 'done' as const } : one)
    : changes.filter((one) => !isEarlier(one));
  return withState(known, change.number, 'undone');
});

const withState = (
  changes: readonly RecordedChange[], number: number, state: 'done' | 'undone',
): readonly RecordedChange[] => {
  const undone = changes.find((one) => one.number === number)?.undoes;
  const marked = changes.map((one) => one.number === number ? { ...one, state } : one);
  return undone === undefined ? marked : withState(marked, undone, state === 'undone' ? 'done' : 'undone');
};

export const forgetChange = (service: AppearanceService, change: RecordedChange): Promise<void> =>
  editHistory(service, (changes) => changes.filter((one) => !isSameChange(one, change)));

export const recordedUpload = async (
  { app, url }: AppearanceService, { sha256, filename, content_type: type }: RecordedImage,
): Promise<Upload | null> => {
  const bytes = url === null ? null : await app.state.read(imagePath(await folderOf(url), sha256));
  if (bytes === null || await sha256Of(bytes) !== sha256) return null;
  return { filename, bytes, ...(type !== null && { content_type: type }) };
};

const folderOf = async (url: string): Promise<string> => `appearance/${await stateKey(url)}`;

const historyPath = (folder: string) => `${folder}/changes.json`;
const imagesFolder = (folder: string) => `${folder}/images`;
const imagePath = (folder: string, sha256: string) => `${imagesFolder(folder)}/${sha256}`;

const writeHistory = async (
  state: StateFolder, folder: string, url: string, changes: readonly RecordedChange[],
): Promise<void> => {
  const file: HistoryFile = { version: 1, url, changes };
  await state.write(historyPath(folder), `${JSON.stringify(file, null, 2)}\n`);
  const used = new Set(changes.flatMap(({ fields }) => Object.values(fields))
    .flatMap(({ before, after }) => [before, after]).filter(isRecordedImage).map(({ sha256 }) => sha256));
  for (const name of await state.names(imagesFolder(folder))) {
    if (!used.has(name)) await state.remove(`${imagesFolder(folder)}/${name}`);
  }
};

const readChanges = async (state: StateFolder, folder: string, url: string): Promise<readonly RecordedChange[]> => {
  const bytes = await state.read(historyPath(folder));
  if (bytes === null) return [];
  const file = jsonOrNull(Buffer.from(bytes).toString());
  if (isHistory(file) && file.url === url) return file.changes;
  const what = isHistory(file) ? `of another service, ${plainLine(file.url)}` : 'damaged';
  throw new Problem('failure', `the history in ${state.pathOf(historyPath(folder))} is ${what}`,
    'remove the file to start a new history');
};

const isHistory = (file: unknown): file is HistoryFile =>
  isObject(file) && file['version'] === 1 && typeof file['url'] === 'string'
  && Array.isArray(file['changes']) && file['changes'].every(isChange);

const isChange = (change: unknown): boolean =>
  isObject(change) && Number.isInteger(change['number']) && typeof change['time'] === 'string'
  && typeof change['command'] === 'string' && ['sent', 'done', 'undone'].includes(String(change['state']))
  && (change['undoes'] === undefined || Number.isInteger(change['undoes']))
  && isObject(change['fields']) && Object.entries(change['fields']).every(([field, one]) =>
    isObject(one) && isValue(field, one['before']) && isValue(field, one['after']));

const isValue = (field: string, value: unknown): boolean => (isObject(value) && typeof value['unread'] === 'string')
  || ((imageFields as readonly string[]).includes(field) ? value === null || (isObject(value) && isImage(value))
    : typeof value === 'string' || typeof value === 'boolean');

const isImage = ({ sha256, filename }: Readonly<Record<string, unknown>>): boolean =>
  /^[0-9a-f]{64}$/.test(String(sha256)) && typeof filename === 'string';
