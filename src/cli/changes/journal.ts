import {
  ApiError, ConnectionError, isDamaged, isOutcomeUnknown, isRejected, isSlow, type UnknownOutcome,
} from '../../client/errors.js';
import { readHttpDate } from '../../wire/http.js';
import { isObject, jsonOrNull } from '../../wire/json.js';
import type { App } from '../app.js';
import { Problem } from '../command-line/failure.js';
import type { GlobalFlags } from '../command-line/flags.js';
import { orUnwritable, stateKey } from '../state/folders.js';
import { showingProgress } from '../terminal/io/messages.js';

/** The journal of the last run of a command on one object has the head, then one entry per line. */
export interface StepJournal<H, E> {
  readonly path: string;
  /** Null if there is no run. @throws Problem for a file of another program or version */
  readonly read: () => Promise<{ readonly head: H; readonly entries: readonly E[] } | null>;
  readonly begin: (head: H) => Promise<void>;
  readonly add: (entry: E) => Promise<void>;
  readonly remove: () => Promise<void>;
  readonly locked: <T>(work: () => Promise<T>) => Promise<T>;
}

interface JournalPlace<H, E> {
  readonly area: string;
  readonly key: readonly string[];
  readonly isHead: (value: unknown) => value is H;
  readonly isEntry: (value: unknown) => value is E;
  readonly hint: string;
}

export const noJournal = {
  path: '', read: async () => null, begin: async () => undefined, add: async () => undefined,
  remove: async () => undefined, locked: <T>(work: () => Promise<T>): Promise<T> => work(),
};

/** Ignores a cut line of a killed run: its request was not sent, or has an unknown outcome. */
export const openJournal = async <H, E>(
  app: App, { area, key, isHead, isEntry, hint }: JournalPlace<H, E>,
): Promise<StepJournal<H, E>> => {
  const state = app.state;
  const folder = `${area}/${await stateKey(JSON.stringify(key))}`;
  const name = `${folder}/run.ndjson`;
  const path = state.pathOf(name);
  // Without a journal, a run that stops could not be continued or undone, so nothing is sent.
  const orStop = <T>(work: () => Promise<T>) => orUnwritable(`the journal ${path}`, work);
  return {
    path,
    read: async () => {
      const bytes = await state.read(name);
      if (bytes === null) return null;
      const [head, ...lines] = new TextDecoder().decode(bytes).split('\n').map((line): unknown => jsonOrNull(line));
      const entries: readonly unknown[] = lines.filter((line) => line !== null);
      if (isHead(head) && entries.every(isEntry)) return { head, entries };
      throw new Problem('failure', `${path} is not a journal of this version`, hint);
    },
    begin: (head) => orStop(() => state.write(name, JSON.stringify(head))),
    add: (entry) => orStop(() => state.append(name, `\n${JSON.stringify(entry)}`)),
    remove: () => state.remove(name),
    locked: (work) => state.locked(folder, work, (error) => orStop(() => Promise.reject(error))),
  };
};

interface Unanswered {
  /** The service did not respond itself. */
  readonly isRunning: boolean;
  /** In milliseconds; null if no response had the service's time. */
  readonly ahead: number | null;
}

/** `C` is the new object of a step that creates one. */
export type StepEntry<S, C> =
  | { readonly type: 'start'; readonly step: S; readonly at: string }
  | { readonly type: 'done'; readonly created?: C }
  | { readonly type: 'rejected' }
  | ({ readonly type: 'unknown' } & Unanswered)
  /** The create of unknown outcome has made nothing, and will make nothing. */
  | { readonly type: 'absent' };

export interface StartedStep<S> {
  readonly step: S;
  readonly at: Date;
  /** Null if the program was stopped before the request ended. */
  readonly unanswered: Unanswered | null;
}

interface Sending<S, C> {
  readonly send: (step: S) => Promise<C | null>;
  /** Null if it does not show that the step was made. */
  readonly find: (started: StartedStep<S>) => Promise<{ readonly created: C | null } | null>;
}

/** The waits between looks for a write that may still be carried out. */
export const looks = [0, 500, 1_000, 2_000, 4_000] as const;

/**
 * Yields the entry of the step before it is sent, and that of its outcome afterwards. A step of unknown outcome is
 * looked for and never repeated here. @returns the new object of a step that creates one
 */
export async function* recordStep<S, C>(
  app: Pick<App, 'now' | 'sleep'>, step: S, { send, find }: Sending<S, C>,
): AsyncGenerator<StepEntry<S, C>, C | null, void> {
  const at = app.now();
  yield { type: 'start', step, at: at.toISOString() };
  let created: C | null;
  try {
    created = await send(step);
  } catch (error) {
    if (!isOutcomeUnknown(error)) {
      // After a damaged response that is no success, such as a redirect, nothing was carried out.
      if (isRejected(error) || isDamaged(error)) yield { type: 'rejected' };
      throw error;
    }
    const unanswered = unansweredBy(error, app.now());
    yield { type: 'unknown', ...unanswered };
    const found = await search(app, unanswered.isRunning, () => find({ step, at, unanswered })).catch(() => null);
    if (found === null) throw error;
    ({ created } = found);
  }
  yield { type: 'done', ...(created !== null && { created }) };
  return created;
}

/** @param isRunning whether the service may still carry it out */
export const search = async <T>(
  app: Pick<App, 'sleep'>, isRunning: boolean, find: () => Promise<T | null>,
): Promise<T | null> => {
  for (const wait of isRunning ? looks : [0]) {
    if (wait > 0) await app.sleep(wait);
    const found = await find();
    if (found) return found;
  }
  return null;
};

/** Services stop a request after a minute; it can wait in a queue before that. */
export const longestRequest = 90_000;

interface LateWrite {
  readonly name: string;
  /** By the clock of this program: the service has stopped working on the request. */
  readonly until: number;
}

/** Looks until the write of unknown outcome shows or the service can no longer make it. */
export const waitForWrite = <T>(
  app: App, flags: GlobalFlags, { name, until }: LateWrite, look: () => Promise<T>, isMade: (seen: T) => boolean,
): Promise<T> => showingProgress(app, flags, async (progress) => {
  for (let count = 1; ; count++) {
    const seen = await look();
    const left = until - app.now().getTime();
    if (isMade(seen) || !(left > 0)) return seen;
    await progress.show(`waiting for ${name}, whose request got no response: ${Math.ceil(left / 1_000)} s …`);
    await app.sleep(Math.min(left, looks[count] ?? looks.at(-1)!));
  }
});

export const makeRecorded = async <S, C>(
  app: Pick<App, 'now' | 'sleep'>, journal: Pick<StepJournal<never, StepEntry<S, C>>, 'add'>, step: S,
  sending: Sending<S, C>,
): Promise<C | null> => {
  const entries = recordStep(app, step, sending);
  for (;;) {
    const next = await entries.next();
    if (next.done) return next.value;
    await journal.add(next.value);
  }
};

const unansweredBy = (error: UnknownOutcome, now: Date): Unanswered => {
  const served = error instanceof ApiError ? readHttpDate(error.headers['date']) : NaN;
  return {
    isRunning: error instanceof ConnectionError || isSlow(error),
    ahead: Number.isNaN(served) ? null : served - now.getTime(),
  };
};

interface RecordedStep<S, C> extends StartedStep<S> {
  readonly type: 'step';
  readonly status: 'done' | 'not made' | 'open';
  readonly created?: C;
}

/** Other entries of the journal may stand between the steps. */
export const recordedSteps = <S, C, O extends { readonly type: string }>(
  entries: readonly (StepEntry<S, C> | O)[],
): (RecordedStep<S, C> | O)[] => {
  const items: (RecordedStep<S, C> | O)[] = [];
  for (const entry of entries) {
    const last = items.at(-1);
    if (!isStepEntry(entry)) items.push(entry);
    else if (entry.type === 'start') {
      items.push({ type: 'step', step: entry.step, at: new Date(entry.at), unanswered: null, status: 'open' });
    } else if (isStep(last) && last.status === 'open') items[items.length - 1] = concluded(last, entry);
  }
  return items;
};

const concluded = <S, C>(
  step: RecordedStep<S, C>, entry: Exclude<StepEntry<S, C>, { type: 'start' }>,
): RecordedStep<S, C> => {
  if (entry.type === 'unknown') return { ...step, unanswered: entry };
  if (entry.type !== 'done') return { ...step, status: 'not made' };
  return { ...step, status: 'done', ...(entry.created !== undefined && { created: entry.created }) };
};

const stepEntries: readonly string[] = ['start', 'done', 'rejected', 'unknown', 'absent'];

/** @param number the property that each step has */
export const isEntryOfStep = (value: Readonly<Record<string, unknown>>, number: string): boolean => {
  const { type, step, at } = value;
  if (type !== 'start') return stepEntries.includes(String(type));
  return isObject(step) && typeof step[number] === 'number' && !Number.isNaN(Date.parse(String(at)));
};

const isStepEntry = <S, C>(entry: StepEntry<S, C> | { readonly type: string }): entry is StepEntry<S, C> =>
  stepEntries.includes(entry.type);

const isStep = <S, C>(item: RecordedStep<S, C> | { readonly type: string } | undefined): item is RecordedStep<S, C> =>
  item?.type === 'step';
