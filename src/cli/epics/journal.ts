import { ApiError } from '../../client/errors.js';
import type { Epic } from '../../contract/epics.js';
import { plainLine } from '../../text/plain.js';
import { isObject } from '../../wire/json.js';
import type { App } from '../app.js';
import {
  isEntryOfStep, longestRequest, openJournal, recordedSteps, type StartedStep, type StepEntry, type StepJournal,
  waitForWrite,
} from '../changes/journal.js';
import { Problem } from '../command-line/failure.js';
import type { GlobalFlags } from '../command-line/flags.js';
import { nullIfUnsupported } from '../service/connection/unsupported.js';
import type { Parent } from '../service/targets/epic.js';
import { say } from '../terminal/io/messages.js';
import type { DocumentFormat } from './document.js';
import { isSameTitle } from './document-nodes.js';
import type { CreatedEpic, EpicFacts, LiveReader } from './live.js';
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

/** Writes other than creates can be repeated, so less depends on them. */
const longestChange = 8_000;

/** How inexact the difference between the two clocks is, when the service has sent its time and when it has not. */
const inexactness = { known: 60_000, unknown: 600_000 } as const;

export const openWrite = ({ step, at, unanswered }: StartedStep<LinkStep>, before: readonly number[]): OpenWrite => {
  const { isRunning, ahead } = unanswered ?? { isRunning: true, ahead: null };
  const longest = step.action === 'create' ? longestRequest : longestChange;
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
  /** Parents that could not be read. Earlier versions did not record them. */
  readonly hidden?: readonly (readonly [epic: number, path: Parent['path']])[];
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
  readonly hidden: ReadonlyMap<number, Parent['path']>;
}

export interface RunJournal extends Omit<StepJournal<RunHead, RunEntry>, 'read'> {
  /** Null if there is none. @throws Problem for a file of another program or version */
  readonly read: () => Promise<RecordedRun | null>;
}

export const openRunJournal = async (app: App, key: readonly string[]): Promise<RunJournal> => {
  const journal = await openJournal<RunHead, RunEntry>(app,
    { area: 'epics', key, isHead, isEntry, hint: 'check the epics, then remove that file' });
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

const isEntry = (value: unknown): value is RunEntry => isObject(value) && (value['type'] === 'end'
  || (value['type'] === 'links' && ['parents', 'children', 'epics'].every((name) => Array.isArray(value[name])))
  || isEntryOfStep(value, 'epic'));

const emptyForest = (): Forest => ({ parents: new Map(), children: new Map() });

const recordedRun = (head: RunHead, entries: readonly RunEntry[]): RecordedRun => {
  const former = emptyForest();
  const [least, most] = [emptyForest(), emptyForest()];
  const created = new Map<number, CreatedEpic>();
  const createdBelow = new Map<number, number>();
  const epics = new Map<number, EpicFacts>();
  const hiddenParents = new Map<number, Parent['path']>();
  const isFormer = (known: ReadonlyMap<number, unknown>) => ([epic]: readonly [number, unknown]) =>
    !known.has(epic) && !created.has(epic);
  const addLinks = ({ parents, children, epics: facts, hidden = [] }: LinksEntry) => {
    for (const [epic, parent] of parents.filter(isFormer(former.parents))) former.parents.set(epic, parent);
    for (const [epic, list] of children.filter(isFormer(former.children))) former.children.set(epic, list);
    for (const forest of [least, most]) {
      for (const [epic, parent] of parents) forest.parents.set(epic, parent);
      for (const [epic, list] of children) forest.children.set(epic, list);
    }
    for (const epic of facts) epics.set(epic.id, epic);
    for (const [epic, path] of hidden) hiddenParents.set(epic, path);
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
    head, former, created, createdBelow, epics, hidden: hiddenParents,
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
    hidden: [...epics.values()].flatMap((epic) => {
      const path = moved.has(epic.id) && epic.parent_id !== null && !epics.has(epic.parent_id) && pathOfParent(epic);
      return path ? [[epic.parent_id!, path] as const] : [];
    }),
  };
};

const pathOfParent = ({ _links: links }: EpicFacts): Parent['path'] | null => {
  const [, id, iid] = /\/groups\/(\d+)\/epics\/(\d+)$/.exec(links?.parent ?? '') ?? [];
  return id === undefined ? null : { id, iid: Number(iid) };
};

export const factsOf = ({ id, iid, group_id, parent_id, title, web_url, created_at }: EpicFacts): EpicFacts => ({
  id, iid, group_id, parent_id, title,
  ...(web_url !== undefined && { web_url }), ...(created_at !== undefined && { created_at }),
});

/** A service that was set up again uses ids again. @throws Problem if an epic is another one or has another title */
export const checkSameEpics = (
  { epics: recorded }: Pick<RecordedRun, 'epics'>, present: Iterable<EpicFacts>, site: Pick<RunSite, 'journal'>,
): void => {
  const byNumber = new Map([...recorded.values()].map((epic) => [epicNumber(epic), epic]));
  for (const epic of present) {
    const former = recorded.get(epic.id) ?? byNumber.get(epicNumber(epic));
    if (former) checkSameEpic(former, epic, site);
  }
};

const epicNumber = ({ group_id: group, iid }: EpicFacts): string => `${group}&${iid}`;

/** Before anything else of the service is compared. */
export const checkSameTop = async ({ head: { top } }: RecordedRun, site: RunSite): Promise<void> => {
  const present = top && await site.parent.epic();
  if (present) checkSameEpic(top, present, site);
};

const checkSameEpic = (former: EpicFacts, epic: EpicFacts, { journal }: Pick<RunSite, 'journal'>): void => {
  if (isSame(former, epic)) return;
  throw new Problem('failure', `the recorded run changed ${described(former)}, but the service has ${described(epic)}`,
    'restore the title and run the command again if the epic was renamed; '
    + `remove ${journal.path} if the service was set up again`);
};

const described = ({ id, iid, title, created_at: at }: EpicFacts): string =>
  `&${iid} "${plainLine(title)}" (id ${id}${at === undefined ? '' : `, created ${plainLine(at)}`})`;

const isSame = (one: EpicFacts, other: EpicFacts): boolean =>
  one.id === other.id && one.iid === other.iid && one.group_id === other.group_id
  && isSameTitle(one.title, other.title)
  && (one.created_at === undefined || other.created_at === undefined
    || Date.parse(one.created_at) === Date.parse(other.created_at));

/** With the parents that the run changed. @returns errors of epics that are missing or that the token cannot read */
export const addRecorded = async (
  site: RunSite, reader: LiveReader, run: RecordedRun, ids: Iterable<number>,
): Promise<ReadonlyMap<number, ApiError>> => {
  const { forest, root } = reader.live;
  const unread = new Map<number, ApiError>();
  for (const id of new Set(ids)) {
    const recorded = run.epics.get(id);
    if (id === root || (forest.parents.has(id) && forest.children.has(id))) continue;
    const facts = recorded ? await lookUpRecorded(site, recorded) : await lookUpHidden(site, reader, run, id);
    if (!facts) continue;
    if (facts instanceof ApiError) unread.set(id, facts);
    else await (run.former.parents.has(id) || run.created.has(id) ? reader.add(facts) : reader.addChildren(facts));
  }
  return unread;
};

/** Some versions report a missing epic as forbidden (behavior: epics.unknown-parent). */
const lookUpRecorded = async (site: RunSite, recorded: EpicFacts): Promise<EpicFacts | ApiError> => {
  const epic = await lookUp(site, { id: String(recorded.group_id), iid: recorded.iid });
  if (epic instanceof ApiError) return epic;
  if (epic) checkSameEpic(recorded, epic, site);
  return epic ?? { ...recorded, parent_id: null };
};

const lookUpHidden = async (
  site: RunSite, { details }: LiveReader, { hidden }: RecordedRun, id: number,
): Promise<EpicFacts | ApiError | undefined> => {
  const path = hidden.get(id);
  if (!path) return details(id);
  const epic = await lookUp(site, path);
  return epic instanceof ApiError || epic?.id === id ? epic : undefined;
};

const lookUp = async ({ parent: { client } }: RunSite, path: Parent['path']): Promise<EpicFacts | ApiError | null> => {
  try {
    return await nullIfUnsupported(client.lookups.epic(path));
  } catch (error) {
    if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return error;
    throw error;
  }
};

/** Waits until the write of unknown outcome shows or the service can no longer make it, except in a dry run. */
export const settleOpenWrite = async (site: RunSite, run: RecordedRun): Promise<RecordedRun> => {
  const { app, flags, journal } = site;
  const { open } = run;
  if (!open) return run;
  const title = open.step.action === 'create' ? `"${plainLine(open.step.title)}"` : 'the last change';
  if (flags.dryRun) {
    await say(app, flags, `warning: ${title} may still appear: its request got no response`);
    return run;
  }
  const children = await waitForOutcome(site, run, open, title);
  if (open.step.action !== 'create') return run;
  const created = createdBy(open, children);
  await journal.add(created ? { type: 'done', created } : { type: 'absent' });
  return await journal.read() ?? run;
};

const waitForOutcome = (
  { app, flags, parent }: RunSite, { epics }: RecordedRun, open: OpenWrite, title: string,
): Promise<readonly Epic[]> => {
  const { step, until } = open;
  const facts = epics.get(parentIn(step));
  const path = facts ? { id: String(facts.group_id), iid: facts.iid } : parent.path;
  return waitForWrite(app, flags, { name: title, until }, () => parent.client.epics.list(path).complete(),
    (children) => step.action === 'create' ? createdBy(open, children) !== null
      : isMadeIn(step, children.map(({ id }) => id)));
};
