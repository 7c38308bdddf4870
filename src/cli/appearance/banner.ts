import { readDuration, readInstant } from '../../wire/time-text.js';
import { unlessAborted } from '../../wire/time.js';
import type { App } from '../app.js';
import { errorReason } from '../changes/report.js';
import { Problem, usage } from '../command-line/failure.js';
import { say, showingProgress } from '../terminal/io/messages.js';
import { makeChange } from './change.js';
import {
  type FieldChange, isInEffect, isRecorded, isSameChange, readHistory, type RecordedChange, withInstanceLock,
} from './history.js';
import { type AppearanceService, instanceName, type LiveAppearance, readLiveAppearance } from './live.js';
import {
  changeName, checkUndone, driftError, type HandedField, handOver, planUndo, restore, type UndoPlan,
} from './undo.js';
import { type AppearanceChanges, isSameText, onlyChanged } from './values.js';

/** As recorded in the history; the end of one banner may hand its former text to another. */
const command = 'appearance banner';

/** How long a service may take after an interruption, in milliseconds. */
const endingTime = 1_500;

/** The program with a late signal: what has begun is finished after Ctrl-C if it takes little time, without pauses. */
export const finishing = (app: App): App => {
  const late = new AbortController();
  app.signal.addEventListener('abort', () => {
    AbortSignal.timeout(endingTime).addEventListener('abort', () => late.abort(app.signal.reason));
  }, { once: true });
  return { ...app, signal: late.signal, sleep: (milliseconds) => app.sleep(milliseconds).catch(() => undefined) };
};

/** Two banners of one user do not start or end at the same time. */
export const showBanner = (
  service: AppearanceService, changes: AppearanceChanges, onPlan: (before: LiveAppearance) => Promise<boolean>,
) => unlessAborted(withInstanceLock(service, async () => {
  const before = await readLiveAppearance(service, []);
  if (!await onPlan(before)) return null;
  const time = service.app.now().toISOString();
  const { after, recorded } = await makeChange(service, { command, before, changes, verify: 'read back' });
  const unrecorded: RecordedChange = {
    number: 0, time, command, state: 'done', fields: changedFields(before, changes),
  };
  return { after, change: recorded ?? unrecorded };
}), service.app.signal);

const changedFields = ({ fields }: LiveAppearance, changes: AppearanceChanges): Record<string, FieldChange> =>
  Object.fromEntries(Object.entries(changes)
    .map(([field, after]): [string, FieldChange] =>
      [field, { before: (fields[field as keyof typeof changes] ?? ''), after: after as string }])
    .filter(([, { before, after }]) => before !== after));

/** Waits for a time, with a countdown on a terminal. Rejects if the program is interrupted. */
export const waitUntil = (app: App, { flags }: AppearanceService, end: number): Promise<void> =>
  showingProgress(app, flags, async (progress) => {
    const step = app.err.isTerminal ? 1_000 : 60_000;
    for (let left = end - app.now().getTime(); left > 0; left = end - app.now().getTime()) {
      await progress.show(`restoring the former text in ${countdown(left)}; Ctrl-C restores it now`);
      await app.sleep(Math.min(left, step));
    }
  });

export const countdown = (milliseconds: number): string => {
  const seconds = Math.ceil(milliseconds / 1_000);
  const [h, m, s] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return `${h}:${String(m).padStart(2, '0')}:${String(s).padStart(2, '0')}`;
};

/**
 * Restores the texts from before a banner, except those of a later banner: its end restores the texts from before both.
 * @throws Problem if something else changed the texts, or the service fails or takes too long after an interruption
 */
export const endBanner = async (service: AppearanceService, shown: RecordedChange): Promise<void> => {
  const { signal } = service.app;
  try {
    await unlessAborted(withInstanceLock(service, () => restoreTexts(service, shown)), signal);
  } catch (cause) {
    if (cause instanceof Problem && cause.code === 'failure') throw cause;
    const reason = signal.aborted ? 'restoring the former text took too long' : errorReason(cause as Error);
    throw mayBeShown(reason, cause);
  }
};

const mayBeShown = (reason: string, cause: unknown): Problem =>
  new Problem('unavailable', `the banner may still be shown: ${reason}`,
    'run `colloquy appearance undo` to restore the former text', { cause });

/** A banner that is interrupted after its request has no end. */
export const problemOfShowing = ({ app: { signal, activity } }: AppearanceService, error: unknown): unknown =>
  signal.aborted && activity.changes.length > 0 ? mayBeShown('the request for it took too long', error) : error;

const restoreTexts = async (service: AppearanceService, shown: RecordedChange): Promise<void> => {
  const history = isRecorded(shown) ? await readHistory(service) : [];
  const change = recordOf(service, shown, history);
  if (change.state === 'undone') return say(service.app, service.flags, restoredAlready);
  const plan = await planUndo(service, change);
  const handed = handedFields(plan, history);
  const isOwn = (field: string) => !handed.some((one) => one.field === field);
  const unknown = plan.drift.filter(({ field }) => isOwn(field));
  if (unknown.length > 0) throw driftError(service, { change, drift: unknown }, advice);
  await restore(service, plan, onlyChanged(plan.restored, Object.keys(plan.restored).filter(isOwn)), command);
  if (handed.length > 0) await handOver(service, change, handed);
  else checkUndone(service, change);
  await say(service.app, service.flags, message(plan, handed, instanceName(service)));
};

const restoredAlready = 'the former text is restored already';
const advice = 'restore the former text yourself if needed';

/** An undo may have changed it since. @throws Problem if the history was removed: nobody knows what happened since */
const recordOf = (
  service: AppearanceService, shown: RecordedChange, history: readonly RecordedChange[],
): RecordedChange => {
  const change = history.find((one) => isSameChange(one, shown));
  if (change !== undefined) return change;
  const isTooOld = history.length > 0 && history.every(({ number }) => number > shown.number);
  if (isTooOld || !isRecorded(shown)) return shown;
  throw new Problem('failure', `the history no longer has ${changeName(service, shown)}; nothing was changed`, advice);
};

const message = ({ restored }: UndoPlan, handed: readonly HandedField[], host: string): string => {
  if (handed.length > 0) return 'another banner is shown; its end restores the former text';
  return Object.keys(restored).length === 0 ? restoredAlready : `restored the former text of ${host}`;
};

/** Fields that a later banner replaced, which is still shown; several banners can have the same text. */
const handedFields = ({ change, drift, live }: UndoPlan, history: readonly RecordedChange[]): HandedField[] => {
  const banners = history.filter((one) => one.number > change.number && isInEffect(one) && one.command === command);
  const bannerWith = (field: string, side: keyof FieldChange, text: unknown) => banners.find(({ fields }) =>
    fields[field] !== undefined && isSameText(fields[field][side], text));
  return Object.entries(change.fields).flatMap(([field, { after }]) => {
    const isReplaced = drift.some((one) => one.field === field)
      || bannerWith(field, 'after', live.fields[field as keyof typeof live.fields]) !== undefined;
    const later = isReplaced ? bannerWith(field, 'before', after) : undefined;
    return later ? [{ field, later: later.number }] : [];
  });
};

/** Nobody could distinguish the end of such a banner from that of the other. */
export const alreadyShown = (): Problem => new Problem('failure', 'the banner is already shown',
  'use another text, or `colloquy appearance undo` to remove it first');

const longest = 31_622_400_000;

interface EndTime {
  readonly at: number;
  /** Whether the given time has passed: then it is the same time of a later day. */
  readonly isMoved: boolean;
}

/** `2h`, a time in ISO 8601 with zone, or `22:00`. @throws Problem, even beyond a year */
export const endTimeOf = (until: string | undefined, duration: string | undefined, now: Date): EndTime | null => {
  if (until !== undefined && duration !== undefined) {
    throw usage('--until and --for cannot be combined', 'use only one of them');
  }
  if (until === undefined && duration === undefined) return null;
  const given = duration === undefined ? bannerTime(until!, now) : now.getTime() + lengthOf(duration);
  if (given - now.getTime() > longest) throw usage('the banner would be shown for more than 366 days');
  return given > now.getTime() ? { at: given, isMoved: false } : { at: nextDay(given, now), isMoved: true };
};

/** @throws Problem for a time that names a day that has passed */
export const checkEnd = (until: string | undefined, end: EndTime | null): void => {
  if (end === null || !end.isMoved || clockTime.test(until ?? '')) return;
  throw usage(`--until ${until} is in the past`, 'give a time in the future, or a duration with --for');
};

const nextDay = (given: number, now: Date): number => {
  const time = new Date(given);
  time.setFullYear(now.getFullYear(), now.getMonth(), now.getDate());
  if (time.getTime() <= now.getTime()) time.setDate(time.getDate() + 1);
  return time.getTime();
};

const lengthOf = (text: string): number => {
  const length = readDuration(text) ?? 0;
  if (length > 0) return length;
  throw usage(`invalid value ${JSON.stringify(text)} for --for`, 'use a duration such as 90s, 30m, 2h, 1h30m or 1d');
};

const bannerTime = (text: string, now: Date): number => {
  const clock = clockTime.exec(text);
  if (clock && Number(clock[1]) < 24 && Number(clock[2]) < 60) {
    return new Date(now).setHours(Number(clock[1]), Number(clock[2]), 0, 0);
  }
  const instant = readInstant(text);
  if (instant && /(?:Z|[+-]\d\d(?::?\d\d)?)$/i.test(text) && !instant.isDay) return Date.parse(instant.iso);
  throw usage(`invalid value ${JSON.stringify(text)} for --until`, instant
    ? 'add the time and its zone: 2026-05-01T22:00Z, 2026-05-01T22:00+02:00'
    : 'use a local time such as 22:00, or a time in ISO 8601 such as 2026-05-01T22:00+02:00');
};

const clockTime = /^(\d{1,2}):(\d{2})$/;
