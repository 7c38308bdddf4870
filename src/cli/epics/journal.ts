import { jsonOrNull } from '../../wire/json-object.js';
import type { App, StateFolder } from '../app.js';
import { Problem } from '../command-line/errors/failure.js';
import { stateKey } from '../state/folders.js';
import type { DocumentFormat } from './formats.js';
import { applyStep, type Forest, type Step } from './forest.js';
import type { EpicFacts } from './live.js';
import { openWrite, parentIn, type OpenWrite, type Unanswered } from './open-write.js';

/** The command that writes these journals. */
export const runCommand = 'epics apply';

/** How a run was started. */
export interface RunHead {
  readonly version: 1;
  /** The file as it was named, and its text. */
  readonly file: string;
  readonly text: string;
  readonly prune: boolean;
  readonly format?: DocumentFormat | undefined;
  readonly allowOddTitles?: boolean;
  /** The start of the run. */
  readonly at: string;
  readonly command?: typeof runCommand;
  /** The epic at the top; null if the service has no lookup of epics. */
  readonly top?: EpicFacts | null;
}

/** A new epic. */
export interface CreatedEpic {
  readonly id: number;
  readonly iid: number;
  readonly group_id: number;
  readonly title: string;
  readonly url: string | null;
}

type Entry =
  /** The links before the next steps, as far as the steps change them. */
  | {
    readonly type: 'links';
    readonly parents: readonly (readonly [epic: number, parent: number | null])[];
    readonly children: readonly (readonly [epic: number, children: readonly number[]])[];
    readonly epics: readonly EpicFacts[];
  }
  | { readonly type: 'start'; readonly step: Step; readonly at: string }
  | { readonly type: 'done'; readonly created?: CreatedEpic }
  | { readonly type: 'rejected' }
  /** The write got no usable response. */
  | ({ readonly type: 'unknown' } & Unanswered)
  /** The create of unknown outcome has made no epic, and will make none. */
  | { readonly type: 'absent' }
  | { readonly type: 'end' };

/** What a journal says about a run. */
export interface RecordedRun {
  readonly head: RunHead;
  readonly isFinished: boolean;
  /** The links before the run. */
  readonly former: Forest;
  /** The links that the run left: several if it is unknown whether the last write was made. */
  readonly left: readonly Forest[];
  readonly created: ReadonlyMap<number, CreatedEpic>;
  /** The last write, if its outcome is unknown. */
  readonly open: OpenWrite | null;
  readonly epics: ReadonlyMap<number, EpicFacts>;
}

/** The journal of the runs on one epic: every write is recorded before it is sent, and its outcome afterwards. */
export interface RunJournal {
  readonly path: string;
  /** The last run; null if there is none. @throws Problem for a file of another program or version */
  readonly read: () => Promise<RecordedRun | null>;
  /** Starts the record of a new run in place of the last one. */
  readonly begin: (head: RunHead) => Promise<void>;
  readonly add: (entry: Entry) => Promise<void>;
  readonly remove: () => Promise<void>;
  /** Runs a function while no other process uses the journal. */
  readonly locked: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Opens the journal for an epic of a service. @param key tells the epic from all others */
export const openJournal = async (app: App, key: readonly string[]): Promise<RunJournal> => {
  return journalIn(await app.state(), `epics/${await stateKey(JSON.stringify(key))}`);
};

/** Keeps nothing. */
export const noJournal: RunJournal = {
  path: '', read: async () => null, begin: async () => undefined, add: async () => undefined,
  remove: async () => undefined, locked: (work) => work(),
};

const journalIn = (state: StateFolder, folder: string): RunJournal => {
  const name = `${folder}/run.ndjson`;
  const path = state.pathOf(name);
  const add = (entry: Entry) => orUnwritable(path, () => state.append(name, `\n${JSON.stringify(entry)}`));
  return {
    path,
    read: async () => {
      const bytes = await state.read(name);
      return bytes === null ? null : recordedRun(new TextDecoder().decode(bytes), path);
    },
    begin: (head) => orUnwritable(path, () => state.write(name, JSON.stringify(head))),
    add,
    remove: () => state.remove(name),
    locked: (work) => state.locked(folder, work, (error) => orUnwritable(path, () => Promise.reject(error))),
  };
};

/** Without a journal, a run that stops could not be continued or undone, so nothing is sent. */
const orUnwritable = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new Problem('failure', `cannot write the journal ${path} (${code ?? message})`,
      'set XDG_STATE_HOME to a writable folder', { cause });
  }
};

/**
 * Parses a journal, whose entries start with a line feed. A line that was cut off when a run was killed is ignored: its
 * request was not sent, or has an unknown outcome.
 * @throws Problem unless the text is a journal of this version
 */
export const recordedRun = (text: string, path: string): RecordedRun => {
  const [head, ...entries] = text.split('\n').map(jsonOrNull) as [RunHead | null, ...(Entry | null)[]];
  if (head?.version !== 1 || typeof head.text !== 'string' || (head.command ?? runCommand) !== runCommand) {
    throw new Problem('failure', `${path} is not a journal of this version`, 'check the epics, then remove that file');
  }
  return replay(head, entries.filter((entry) => entry !== null));
};

const emptyForest = (): Forest => ({ parents: new Map(), children: new Map() });

const replay = (head: RunHead, entries: readonly Entry[]): RecordedRun => {
  const former = emptyForest();
  /** The links if no write of unknown outcome was made, and if all of them were. */
  const [least, most] = [emptyForest(), emptyForest()];
  const created = new Map<number, CreatedEpic>();
  const epics = new Map<number, EpicFacts>();
  const isFormer = (known: ReadonlyMap<number, unknown>) => ([epic]: readonly [number, unknown]) =>
    !known.has(epic) && !created.has(epic);
  const addLinks = ({ parents, children, epics: facts }: Extract<Entry, { type: 'links' }>) => {
    for (const [epic, parent] of parents.filter(isFormer(former.parents))) former.parents.set(epic, parent);
    for (const [epic, list] of children.filter(isFormer(former.children))) former.children.set(epic, list);
    for (const forest of [least, most]) {
      for (const [epic, parent] of parents) forest.parents.set(epic, parent);
      for (const [epic, list] of children) forest.children.set(epic, list);
    }
    for (const epic of facts) epics.set(epic.id, epic);
  };
  const addStep = (step: Step, epic: CreatedEpic | undefined) => {
    for (const forest of [least, most]) applyStep(forest, { ...step, epic: epic?.id ?? step.epic });
    if (!epic) return;
    created.set(epic.id, epic);
    epics.set(epic.id, { ...epic, parent_id: null });
  };
  let started: Started | null = null;
  let isUnsure = false;
  const conclude = (step: Step, next: Entry | null) => {
    if (next?.type === 'done') return addStep(step, next.created);
    if (next && ['unknown', 'rejected', 'absent'].includes(next.type)) return;
    applyStep(most, step);
    isUnsure = true;
  };
  for (const entry of [...entries, null]) {
    if (started) conclude(started.step, entry);
    if (entry?.type === 'links') addLinks(entry);
    if (entry) started = startedBy(entry, started);
  }
  return {
    head, former, created, epics, left: isUnsure ? [least, most] : [least], open: started && openIn(started, least),
    isFinished: entries.at(-1)?.type === 'end',
  };
};

interface Started {
  readonly step: Step;
  readonly at: string;
  readonly unanswered: Unanswered | null;
}

/** The write that has no outcome after an entry. */
const startedBy = (entry: Entry, started: Started | null): Started | null => {
  if (entry.type === 'start') return { step: entry.step, at: entry.at, unanswered: null };
  return entry.type === 'unknown' && started ? { ...started, unanswered: entry } : null;
};

const openIn = ({ step, at, unanswered }: Started, { children }: Forest): OpenWrite =>
  openWrite(step, new Date(at), children.get(parentIn(step)) ?? [], unanswered);

/** The entry for the links that some steps change, with everything that the run changed before. */
export const linksEntry = (
  forest: Forest, epics: ReadonlyMap<number, EpicFacts>, steps: readonly Step[], earlier: RecordedRun | null,
): Entry => {
  const moved = new Set(steps.map(({ epic }) => epic));
  const parents = new Set(steps.flatMap((step) => [
    ...'parent' in step ? [step.parent] : [], ...'from' in step ? [step.from] : [],
  ]));
  for (const run of earlier ? [earlier.former, ...earlier.left] : []) {
    for (const epic of run.parents.keys()) moved.add(epic);
    for (const epic of run.children.keys()) parents.add(epic);
  }
  const facts = [...epics.values()].filter(({ id }) => moved.has(id) || parents.has(id)).map(factsOf);
  return {
    type: 'links',
    parents: [...forest.parents].filter(([epic]) => moved.has(epic)),
    children: [...forest.children].filter(([epic]) => parents.has(epic)),
    epics: facts,
  };
};

/** The properties of an epic by which it is recognized later. */
export const factsOf = ({ id, iid, group_id, parent_id, title, web_url, created_at }: EpicFacts): EpicFacts => ({
  id, iid, group_id, parent_id, title,
  ...(web_url !== undefined && { web_url }), ...(created_at !== undefined && { created_at }),
});
