import { imageFields } from '../../contract/appearance.js';
import { longestRequest, waitForWrite } from '../changes/journal.js';
import { counted } from '../../text/messages.js';
import { Problem } from '../command-line/failure.js';
import { say } from '../terminal/io/messages.js';
import { plainLine } from '../../text/plain.js';
import { clockText } from '../notes/views/note.js';
import { makeChange } from './change.js';
import {
  differing, isEquivalent, isImageField, isSame, liveValue, shownInSentence, type AppearanceChanges, type Field,
  type Value,
} from './values.js';
import {
  editHistory, isInEffect, isRecorded, isRecordedImage, isSameChange, markUndone, readHistory, recordedUpload,
  type FieldChange, type RecordedChange, type RecordedValue,
} from './history.js';
import { readLiveAppearance, type AppearanceService, type LiveAppearance } from './live.js';

interface Drift {
  readonly field: string;
  readonly expected: string;
  readonly live: string;
}

export interface UndoPlan {
  readonly change: RecordedChange;
  readonly live: LiveAppearance;
  readonly restored: AppearanceChanges;
  readonly overwritten: AppearanceChanges;
  readonly drift: readonly Drift[];
  readonly lost: readonly string[];
  /** Whether a request that got no response has been carried out. */
  readonly isMade: boolean;
}

/** @throws Problem if there is none, or it is undone already */
export const changeToUndo = async (service: AppearanceService, number?: number): Promise<RecordedChange> => {
  const history = await readHistory(service);
  const change = number === undefined ? history.findLast(isInEffect) : history.find((one) => one.number === number);
  if (change === undefined) {
    throw number === undefined
      ? new Problem('failure', 'no change to undo', 'run it on the machine that made the changes, which records them')
      : new Problem('failure', `the history has no change ${number}`,
        'run `colloquy appearance undo --list` for the numbers');
  }
  if (change.state !== 'undone') return change;
  const undo = history.findLast(({ undoes, state }) => undoes === change.number && state !== 'undone');
  throw new Problem('failure', `${changeName(service, change)} is undone already`, undo === undefined
    ? 'run `colloquy appearance undo --list` for the other changes'
    : `run \`colloquy appearance undo ${undo.number}\` to make it again`);
};

/** @throws Problem if the history no longer has the change, or has it in another state */
export const checkRecorded = async (service: AppearanceService, change: RecordedChange): Promise<void> => {
  const same = (await readHistory(service)).find((one) => isSameChange(one, change));
  if (same?.state === change.state) return;
  throw new Problem('failure', `the history no longer has ${changeName(service, change)} as it was; nothing was sent`,
    'run `colloquy appearance undo --list`, then try again');
};

const pause = 1_000;

/** In milliseconds. Few requests are carried out later, and the command can be run again. */
const longestWait = 8_000;

/**
 * If there is nothing to restore, reads again after a pause, because a replica of the service may lag behind.
 * @throws Problem while the service may still make the change
 */
export const planUndo = async (service: AppearanceService, change: RecordedChange): Promise<UndoPlan> => {
  const { app, flags } = service;
  const compare = () => compareWithLive(service, change);
  const plan = await compare();
  if (plan.isMade) return plan;
  await app.sleep(pause);
  const name = changeName(service, change);
  const isKnown = ({ isMade, drift }: UndoPlan) => isMade || drift.length > 0;
  const last = Math.min(endOf(change), app.now().getTime() + longestWait);
  const found = await waitForWrite(app, flags, { name, until: last }, compare, isKnown);
  if (isKnown(found) || !mayCome(service, change)) return found;
  throw stillOpen(service, change);
};

const endOf = ({ state, time, until }: RecordedChange): number =>
  until !== undefined ? Date.parse(until) : state === 'sent' ? Date.parse(time) + longestRequest : 0;

const mayCome = ({ app }: AppearanceService, change: RecordedChange): boolean => endOf(change) > app.now().getTime();

const stillOpen = (service: AppearanceService, change: RecordedChange): Problem => {
  const left = Math.ceil((endOf(change) - service.app.now().getTime()) / 1_000);
  const name = changeName(service, change);
  return new Problem('unavailable', `${name} is not in effect, but the service may still make it`,
    `run the command again in ${counted(left, 'second')}`);
};

const mayReturn = (service: AppearanceService, change: RecordedChange): boolean =>
  change.state === 'done' && mayCome(service, change);

/** @throws Problem after an undo if the service may make the change again, which is then still in the history */
export const checkUndone = (service: AppearanceService, change: RecordedChange): void => {
  if (mayReturn(service, change)) throw stillOpen(service, change);
};

const compareWithLive = async (service: AppearanceService, change: RecordedChange): Promise<UndoPlan> => {
  const live = await readLiveAppearance(service, imageFields.filter((field) => field in change.fields));
  const moved = (side: keyof FieldChange, isEqual: typeof isSame) => new Map(
    differing(Object.entries(change.fields).map(([field, values]) =>
      ({ field: field as Field, value: recordedValue(values[side]) })), (field) => liveValue(live, field), isEqual)
      .map((one) => [one.field, one]));
  const [changed, notBefore, notAfter] = [
    moved('before', isSame), moved('before', isEquivalent), moved('after', isEquivalent),
  ];
  const [restored, overwritten]: [[string, unknown][], [string, unknown][]] = [[], []];
  const drifted: Field[] = [];
  const lost: string[] = [];
  for (const field of changed.keys()) {
    const former = await formerValue(service, change.fields[field]!.before);
    if ('problem' in former) {
      lost.push(`${field} ${former.problem}`);
    } else if (!notAfter.has(field)) {
      restored.push([field, former.value]);
    } else if (notBefore.has(field)) {
      drifted.push(field);
      overwritten.push([field, former.value]);
    }
  }
  // With only a part of the change in place, the values are not from this change: the instance may be a new one.
  if (restored.length > 0) drifted.push(...[...notAfter.keys()].filter((field) => !changed.has(field)));
  const drift = drifted.map((field) => driftOf(notAfter.get(field)!, live));
  return {
    change, live, drift, lost, restored: Object.fromEntries(restored), overwritten: Object.fromEntries(overwritten),
    isMade: restored.length > 0 || notAfter.size === 0,
  };
};

const driftOf = ({ field, value, now }: ReturnType<typeof differing>[number], { images }: LiveAppearance): Drift => {
  const problem = isImageField(field) ? images[field]?.problem : null;
  const reason = typeof problem === 'string' ? `: ${plainLine(problem)}` : '';
  return { field, expected: shownInSentence(value), live: shownInSentence(now) + reason };
};

/** Marks the change as undone unless it may return; sends nothing if the values are there already. */
export const restore = async (
  service: AppearanceService, { change, live }: UndoPlan, changes: AppearanceChanges, command: string,
): Promise<LiveAppearance> => {
  const call = isRecorded(change) ? { command, undoes: change.number } : { command: null };
  const { after, recorded } = Object.keys(changes).length === 0 ? { after: live, recorded: null }
    : await makeChange(service, { ...call, before: live, changes, verify: 'read back' });
  if (mayReturn(service, change)) return after;
  // If this fails, the next undo finds the former values and sends nothing.
  await markUndone(service, change, recorded).catch(async (error: Error) => {
    await say(service.app, service.flags, `the history is not updated: ${error.message}`);
  });
  return after;
};

export interface HandedField {
  readonly field: string;
  readonly later: number;
}

/** When a later change is undone, it restores the values before both. Nothing is sent. */
export const handOver = (
  service: AppearanceService, change: RecordedChange, handed: readonly HandedField[],
): Promise<void> => editHistory(service, (changes) => changes.map((one): RecordedChange => {
  if (isSameChange(one, change)) return { ...one, state: 'undone' };
  const own = handed.filter(({ later }) => later === one.number)
    .map(({ field }) => [field, { ...one.fields[field]!, before: change.fields[field]!.before }] as const);
  return { ...one, fields: { ...one.fields, ...Object.fromEntries(own) } };
}));

export const driftError = (
  service: AppearanceService, { change, drift }: Pick<UndoPlan, 'change' | 'drift'>, hint: string,
): Problem => {
  const lines = drift.map(({ field, expected, live }) => `  ${field}: expected ${expected}, is ${live}`);
  const what = drift.length === 1 ? `${drift[0]!.field} has` : `${drift.length} fields have`;
  return new Problem('failure', `${what} changed since ${changeName(service, change)}`, [...lines, hint].join('\n'));
};

export const changeName = ({ app: { err } }: AppearanceService, { number, command, time }: RecordedChange): string =>
  `change ${number} (${command}, ${clockText(time, err)})`;

const recordedValue = (value: RecordedValue): Value => {
  if (value === null || typeof value !== 'object') return value;
  return isRecordedImage(value) ? { name: value.filename, size: null, sha256: value.sha256 }
    : { name: 'an unknown image', size: null, sha256: null };
};

/** An image cannot be removed (behavior: appearance.clear-image). */
const formerValue = async (
  service: AppearanceService, before: RecordedValue,
): Promise<{ readonly value: unknown } | { readonly problem: string }> => {
  if (before === null) return { problem: 'was not set before, and the service cannot remove an image' };
  if (typeof before !== 'object') return { value: before };
  if (!isRecordedImage(before)) return { problem: `could not be read before the change: ${plainLine(before.unread)}` };
  const value = await recordedUpload(service, before);
  return value ? { value } : { problem: 'cannot be restored: the file of the former image is missing or damaged' };
};
