import { imageFields, type Appearance, type ImageField } from '../../contract/appearance.js';
import { type Upload } from '../../contract/endpoint.js';
import { isUpload } from '../../wire/http.js';
import { isGatewayStatus } from '../../client/errors.js';
import { longestRequest, makeRecorded, type StepEntry } from '../changes/journal.js';
import { errorReason } from '../changes/report.js';
import { Problem } from '../command-line/failure.js';
import { say, withUploadProgress } from '../terminal/io/messages.js';
import { plainLine } from '../../text/plain.js';
import type { RecordedChange } from './history.js';
import {
  readLiveAppearance, sha256Of, withImages, type AppearanceService, type LiveAppearance, type LiveImage,
} from './live.js';
import {
  changedFields, differing, isEquivalent, isImageField, onlyChanged, shownInSentence, type AppearanceChanges,
  type Field, type Value,
} from './values.js';

interface ChangeRequest {
  /** As it is called: `appearance set`. Null for a change that is not recorded. */
  readonly command: string | null;
  readonly undoes?: number;
  readonly before: LiveAppearance | null;
  readonly changes: AppearanceChanges;
  /** `read back` compares the bytes of all uploaded images; `response` reads an image only if in doubt. */
  readonly verify: 'read back' | 'response';
}

/**
 * Changes the appearance with one request. If its outcome is unknown, it succeeded if the appearance read back is the
 * new one. The former values are recorded before the request is sent.
 * @throws Problem that names the fields with another value than requested; the errors of the client
 */
export const changeAppearance = async (service: AppearanceService, request: ChangeRequest): Promise<LiveAppearance> =>
  (await makeChange(service, request)).after;

export const makeChange = async (service: AppearanceService, request: ChangeRequest) => {
  const { changes } = request;
  const history = historyOf(service, request);
  const find = () => findStored(service, changes);
  const send = () => withUploads(service, changes, () => service.client.appearance.set(changes));
  const sent = await makeRecorded(service.app, history, changes, { send, find });
  const after = await verifyChange(service, request, sent!);
  await history.markVerified();
  return { after, recorded: history.recorded() };
};

/** The history as the journal of one change, which can also be undone if an entry cannot be written. */
const historyOf = (service: AppearanceService, request: ChangeRequest) => {
  let recorded: RecordedChange | null = null;
  const { changes: requests } = service.app.activity;
  const { length: earlier } = requests;
  // An attempt that got no response may be carried out after the one that did.
  const isAttemptOpen = () => requests.slice(earlier).some(({ outcome, status }) =>
    outcome === 'open' && (status === null || isGatewayStatus(status)));
  const update = async (values: Partial<RecordedChange>) => {
    if (recorded) await (await import('./history.js')).updateChange(service, recorded, values).catch(() => undefined);
  };
  return {
    recorded: () => recorded,
    add: async (entry: StepEntry<AppearanceChanges, Appearance>) => {
      const { type } = entry;
      if (type === 'start') recorded = await record(service, request);
      else if (type !== 'rejected' || isAttemptOpen()) {
        const left = isAttemptOpen() || (type === 'unknown' && entry.isRunning) ? longestRequest : 0;
        await update({ until: new Date(service.app.now().getTime() + left).toISOString() });
      } else if (recorded) {
        await (await import('./history.js')).forgetChange(service, recorded).catch(() => undefined);
      }
    },
    markVerified: () => update({ state: 'done' }),
  };
};

const record = async (service: AppearanceService, request: ChangeRequest): Promise<RecordedChange | null> => {
  const { command, undoes, before, changes } = request;
  if (command === null || service.flags.dryRun) return null;
  const { recordChange } = await import('./history.js');
  const call = { command, ...(undoes !== undefined && { undoes }) };
  return recordChange(service, call, before, onlyChanged(changes, await changedFields(before, changes)));
};

const verifyChange = async (
  service: AppearanceService, request: ChangeRequest, sent: Appearance,
): Promise<LiveAppearance> => {
  if (request.verify === 'read back') return readBack(service, request.changes);
  const problems = await responseProblems(service, request, sent);
  if (problems.length > 0) throw mismatch(problems);
  return withImages(service, sent, []);
};

/** A replica of the service may lag behind. The pause is in milliseconds. */
const attempts = { most: 3, pause: 1_000 };

const readBack = async (service: AppearanceService, changes: AppearanceChanges): Promise<LiveAppearance> => {
  for (let attempt = 1; ; attempt++) {
    const after = await readAfter(service, changes);
    const problems = await differences(changes, after);
    if (problems.length === 0) {
      await reportUnread(service, changes, after);
      return after;
    }
    if (attempt === attempts.most) throw mismatch(problems);
    await service.app.sleep(attempts.pause);
  }
};

const readAfter = async (service: AppearanceService, changes: AppearanceChanges): Promise<LiveAppearance> => {
  try {
    return await readLiveAppearance(service, uploadsIn(changes));
  } catch (cause) {
    if (service.app.signal.aborted) throw cause;
    const reason = errorReason(cause as Error);
    throw new Problem('unavailable', `the service reported success, but the appearance cannot be read back: ${reason}`,
      'check whether it was stored: colloquy appearance get', { cause });
  }
};

const uploadsIn = (changes: AppearanceChanges): ImageField[] => imageFields.filter((field) => isUpload(changes[field]));

/** Null unless the appearance has all values, with the bytes of all uploads. */
const findStored = async (
  service: AppearanceService, changes: AppearanceChanges,
): Promise<{ readonly created: Appearance } | null> => {
  const uploads = uploadsIn(changes);
  const live = await readLiveAppearance(service, uploads);
  if (!uploads.every((field) => live.images[field]?.isOwn)) return null;
  return (await differences(changes, live)).length === 0 ? { created: live.fields } : null;
};

const withUploads = <T>(
  { app, flags }: AppearanceService, changes: AppearanceChanges, work: () => Promise<T>,
): Promise<T> => {
  const bytes = Object.values(changes).filter(isUpload).reduce((sum, upload) => sum + upload.bytes.length, 0);
  return bytes === 0 || flags.dryRun ? work() : withUploadProgress(app, flags, bytes, work);
};

interface Difference {
  readonly field: string;
  readonly actual: string;
}

/** An image without bytes counts as stored if it is set. */
const differences = async (changes: AppearanceChanges, live: LiveAppearance): Promise<Difference[]> => {
  const found = textDifferences(changes, live.fields);
  for (const field of uploadsIn(changes)) {
    const image = live.images[field] ?? null;
    if (image === null) found.push({ field, actual: 'not set' });
    else if (image.isOwn && image.sha256 !== await sha256Of(changes[field]!.bytes)) {
      found.push({ field, actual: `another image, ${plainLine(image.address)}` });
    }
  }
  return found;
};

const textDifferences = (changes: AppearanceChanges, fields: Appearance): Difference[] => {
  const texts = (Object.entries(changes) as [Field, unknown][]).filter(([, value]) => !isUpload(value))
    .map(([field, value]) => ({ field, value: value as Value }));
  return differing(texts, (field) => fields[field], isEquivalent)
    .map(({ field, now }) => ({ field, actual: shownInSentence(now) }));
};

/** A service that reads an image as text responds with 200 and changes nothing. */
const responseProblems = async (
  service: AppearanceService, { before, changes }: ChangeRequest, after: Appearance,
): Promise<Difference[]> => {
  const found = textDifferences(changes, after);
  for (const field of uploadsIn(changes)) {
    if (!await isDropped(service, field, changes[field]!, before?.images[field], after[field])) continue;
    found.push({ field, actual: after[field] ? plainLine(after[field]) : 'not set' });
  }
  return found;
};

/**
 * Whether the service dropped the uploaded image, as happens when it reads the file as text. It chooses the name of a
 * stored image (behavior: appearance.image-path), so bytes are compared only if the URL is unchanged. An image that
 * cannot be fetched, such as one on another host, counts as stored, and so does one that is named after the file.
 */
const isDropped = async (
  service: AppearanceService, field: ImageField, { filename, bytes }: Upload, former: LiveImage | null | undefined,
  after: unknown,
): Promise<boolean> => {
  if (typeof after !== 'string' || after === '') return true;
  if (after !== former?.address) return false;
  const stored = await service.fetchImage(after);
  if (!('bytes' in stored) || !stored.isOwn || Buffer.from(stored.bytes).equals(bytes)) return false;
  if (!isNamedAfter(filename, after)) return true;
  // A service that encodes images may have made the same one again.
  if (former.bytes !== null && Buffer.from(stored.bytes).equals(former.bytes)) {
    await sayUnverified(service, field, 'the service serves the same image as before');
  }
  return false;
};

/** Ignores characters that services replace or encode. */
const isNamedAfter = (filename: string, address: string): boolean => {
  const name = address.split(/[?#]/, 1)[0]!.split('/').at(-1)!.replace(/%[0-9a-f]{2}/gi, ' ');
  return comparable(name) === comparable(filename);
};

/** A non-ASCII letter takes several bytes in a URL, but one or two characters in a name. */
const comparable = (name: string): string => name.normalize('NFC').replace(/[^A-Za-z0-9.]+/g, '_').toLowerCase();

const mismatch = (problems: readonly Difference[]): Problem => {
  const facts = problems.map(({ field, actual }) => `${field} is ${actual}`).join(', ');
  const isImage = problems.some(({ field }) => isImageField(field));
  return new Problem('failure', `the service reported success, but ${facts}`, isImage
    ? 'check whether a proxy in front of the service drops uploads'
    : 'check whether someone else changed the appearance at the same time: colloquy appearance get');
};

const reportUnread = async (
  service: AppearanceService, changes: AppearanceChanges, { images }: LiveAppearance,
): Promise<void> => {
  for (const field of uploadsIn(changes)) {
    const image = images[field];
    if (image?.isOwn) continue;
    const why = image?.problem ?? 'it is on another host, which may serve an older copy';
    await sayUnverified(service, field, why);
  }
};

const sayUnverified = ({ app, flags }: AppearanceService, field: ImageField, why: string): Promise<void> =>
  say(app, flags, `cannot verify the content of ${field}: ${plainLine(why)}`);
