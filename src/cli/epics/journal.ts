import type { App } from '../app.js';
import { openJournal, recordedSteps, type StartedStep, type StepEntry, type StepJournal } from '../changes/journal.js';
import type { GlobalFlags } from '../command-line/flags.js';
import type { Parent } from '../service/targets/epic.js';
import type { DocumentFormat } from './document.js';
import type { CreatedEpic, EpicFacts } from './live.js';
import { applyStep, type Forest, type LinkStep } from './plan.js';

export interface RunSite {
  readonly app: App;
  readonly flags: GlobalFlags;
  readonly parent: Parent;
  readonly name: string;
  readonly journal: RunJournal;
}

export interface OpenWrite {
  readonly step: LinkStep;
  readonly before: readonly number[];
  /** By the clock of the service: older epics were not created by the write. */
  readonly since: number;
  /** By the clock of this program: the service has stopped working on the request. */
  readonly until: number;
}

/** Services stop a request after a minute; it can wait in a queue before that. */
const longestCreate = 90_000;

/** The other writes can be repeated, so less depends on them. */
const longestChange = 8_000;

/** How inexact the difference between the two clocks is, when the service has sent its time and when it has not. */
const inexactness = { known: 60_000, unknown: 600_000 } as const;

export const openWrite = ({ step, at, unanswered }: StartedStep<LinkStep>, before: readonly number[]): OpenWrite => {
  const { isRunning, ahead } = unanswered ?? { isRunning: true, ahead: null };
  const longest = step.action === 'create' ? longestCreate : longestChange;
  return {
    step, before,
    since: at.getTime() + (ahead ?? 0) - (ahead === null ? inexactness.unknown : inexactness.known),
    until: isRunning ? at.getTime() + longest : 0,
  };
};

/** The one new child with the title; an epic of unknown age counts as new. */
export const createdBy = (
  { step, before, since }: OpenWrite, children: readonly EpicFacts[],
): CreatedEpic | null => {
  if (step.action !== 'create') return null;
  const isNew = ({ id, title, created_at: at }: EpicFacts) => !before.includes(id)
    && title.trim() === step.title && (at === undefined || Date.parse(at) >= since);
  const [epic, ...more] = children.filter(isNew);
  if (!epic || more.length > 0) return null;
  return createdFrom(epic);
};

export const createdFrom = ({ id, iid, group_id, title, web_url: url }: EpicFacts): CreatedEpic =>
  ({ id, iid, group_id, title, url: url ?? null });

/** Whether the children show the write, which is not a create. */
export const isMadeIn = (step: Exclude<LinkStep, { action: 'create' }>, order: readonly number[]): boolean => {
  const at = order.indexOf(step.epic);
  if (step.action === 'unassign') return at < 0;
  if (step.action !== 'reorder' || at < 0) return at >= 0;
  return 'after' in step ? order[at - 1] === step.after : order[at + 1] === step.before;
};

export const parentIn = (step: LinkStep): number => step.action === 'unassign' ? step.from : step.parent;

export const runCommand = 'epics apply';

export interface RunHead {
  readonly version: 1;
  readonly file: string;
  readonly text: string;
  readonly prune: boolean;
  readonly format?: DocumentFormat | undefined;
  readonly allowOddTitles?: boolean;
  readonly strict?: boolean;
  readonly at: string;
  readonly command?: typeof runCommand;
  readonly top?: EpicFacts | null;
}

/** The links before the next steps, as far as the steps change them. */
interface LinksEntry {
  readonly type: 'links';
  readonly parents: readonly (readonly [epic: number, parent: number | null])[];
  readonly children: readonly (readonly [epic: number, children: readonly number[]])[];
  readonly epics: readonly EpicFacts[];
}

type RunEntry = StepEntry<LinkStep, CreatedEpic> | LinksEntry | { readonly type: 'end' };

export interface RecordedRun {
  readonly head: RunHead;
  readonly isFinished: boolean;
  readonly former: Forest;
  /** Several if it is unknown whether the last write was made. */
  readonly left: readonly Forest[];
  readonly created: ReadonlyMap<number, CreatedEpic>;
  readonly createdBelow: ReadonlyMap<number, number>;
  readonly unmade: readonly LinkStep[];
  readonly open: OpenWrite | null;
  readonly epics: ReadonlyMap<number, EpicFacts>;
}

export interface RunJournal extends Omit<StepJournal<RunHead, RunEntry>, 'read'> {
  /** Null if there is none. @throws Problem for a file of another program or version */
  readonly read: () => Promise<RecordedRun | null>;
}

export const openRunJournal = async (app: App, key: readonly string[]): Promise<RunJournal> => {
  const journal = await openJournal<RunHead, RunEntry>(app,
    { area: 'epics', key, isHead, hint: 'check the epics, then remove that file' });
  return {
    ...journal,
    read: async () => {
      const recorded = await journal.read();
      return recorded && recordedRun(recorded.head, recorded.entries);
    },
  };
};

const isHead = (value: unknown): value is RunHead => {
  const head = value as Partial<RunHead> | null;
  return head?.version === 1 && typeof head.text === 'string' && (head.command ?? runCommand) === runCommand;
};

const emptyForest = (): Forest => ({ parents: new Map(), children: new Map() });

const recordedRun = (head: RunHead, entries: readonly RunEntry[]): RecordedRun => {
  const former = emptyForest();
  const [least, most] = [emptyForest(), emptyForest()];
  const created = new Map<number, CreatedEpic>();
  const createdBelow = new Map<number, number>();
  const epics = new Map<number, EpicFacts>();
  const isFormer = (known: ReadonlyMap<number, unknown>) => ([epic]: readonly [number, unknown]) =>
    !known.has(epic) && !created.has(epic);
  const addLinks = ({ parents, children, epics: facts }: LinksEntry) => {
    for (const [epic, parent] of parents.filter(isFormer(former.parents))) former.parents.set(epic, parent);
    for (const [epic, list] of children.filter(isFormer(former.children))) former.children.set(epic, list);
    for (const forest of [least, most]) {
      for (const [epic, parent] of parents) forest.parents.set(epic, parent);
      for (const [epic, list] of children) forest.children.set(epic, list);
    }
    for (const epic of facts) epics.set(epic.id, epic);
  };
  const addStep = (step: LinkStep, epic: CreatedEpic | undefined) => {
    for (const forest of [least, most]) applyStep(forest, { ...step, epic: epic?.id ?? step.epic });
    if (!epic) return;
    created.set(epic.id, epic);
    createdBelow.set(epic.id, parentIn(step));
    epics.set(epic.id, { ...epic, parent_id: null });
  };
  const items = recordedSteps(entries);
  for (const item of items) {
    if (item.type === 'links') addLinks(item);
    else if (item.type === 'end' || item.status === 'not made') continue;
    else if (item.status === 'done') addStep(item.step, item.created);
    else applyStep(most, item.step);
  }
  const last = items.at(-1);
  const isOpen = (item: typeof last) => item?.type === 'step' && item.status === 'open';
  return {
    head, former, created, createdBelow, epics,
    unmade: items.flatMap((item) => item.type === 'step' && item.status === 'not made' ? [item.step] : []),
    left: items.some(isOpen) ? [least, most] : [least],
    open: last?.type === 'step' && isOpen(last) ? openWrite(last, least.children.get(parentIn(last.step)) ?? []) : null,
    isFinished: last?.type === 'end',
  };
};

export const linksEntry = (
  forest: Forest, epics: ReadonlyMap<number, EpicFacts>, steps: readonly LinkStep[], earlier: RecordedRun | null,
): LinksEntry => {
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

export const factsOf = ({ id, iid, group_id, parent_id, title, web_url, created_at }: EpicFacts): EpicFacts => ({
  id, iid, group_id, parent_id, title,
  ...(web_url !== undefined && { web_url }), ...(created_at !== undefined && { created_at }),
});
