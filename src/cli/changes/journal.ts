import { jsonOrNull } from '../../wire/json.js';
import type { App } from '../app.js';
import { Problem } from '../command-line/failure.js';
import { stateKey } from '../state/folders.js';
import { writeProblem } from '../terminal/io/streams.js';

/** Of the last run of a command on one object: the head, then one entry per line. */
export interface StepJournal<H, E> {
  readonly path: string;
  /** Null if there is no run. @throws Problem for a file of another program or version */
  readonly read: () => Promise<{ readonly head: H; readonly entries: readonly E[] } | null>;
  /** Starts the record of a new run in place of the last one. */
  readonly begin: (head: H) => Promise<void>;
  readonly add: (entry: E) => Promise<void>;
  readonly remove: () => Promise<void>;
  /** While no other process uses the journal. */
  readonly locked: <T>(work: () => Promise<T>) => Promise<T>;
}

interface JournalPlace<H> {
  readonly area: string;
  /** Tells the object from all others. */
  readonly key: readonly string[];
  readonly isHead: (value: unknown) => value is H;
  readonly hint: string;
}

/** Keeps nothing. */
export const noJournal = {
  path: '', read: async () => null, begin: async () => undefined, add: async () => undefined,
  remove: async () => undefined, locked: <T>(work: () => Promise<T>): Promise<T> => work(),
};

/** Ignores a cut line of a killed run: its request was not sent, or has an unknown outcome. */
export const openJournal = async <H, E>(
  app: App, { area, key, isHead, hint }: JournalPlace<H>,
): Promise<StepJournal<H, E>> => {
  const state = await app.state();
  const folder = `${area}/${await stateKey(JSON.stringify(key))}`;
  const name = `${folder}/run.ndjson`;
  const path = state.pathOf(name);
  return {
    path,
    read: async () => {
      const bytes = await state.read(name);
      if (bytes === null) return null;
      const [head, ...lines] = new TextDecoder().decode(bytes).split('\n').map((line): unknown => jsonOrNull(line));
      if (isHead(head)) return { head, entries: lines.filter((line) => line !== null) as E[] };
      throw new Problem('failure', `${path} is not a journal of this version`, hint);
    },
    begin: (head) => orUnwritable(path, () => state.write(name, JSON.stringify(head))),
    add: (entry) => orUnwritable(path, () => state.append(name, `\n${JSON.stringify(entry)}`)),
    remove: () => state.remove(name),
    locked: (work) => state.locked(folder, work, (error) => orUnwritable(path, () => Promise.reject(error))),
  };
};

/** Without a journal, a run that stops could not be continued or undone, so nothing is sent. */
const orUnwritable = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (cause) {
    throw new Problem('failure', `cannot write the journal ${path}: ${writeProblem(cause)}`,
      'set XDG_STATE_HOME to a writable folder', { cause });
  }
};
