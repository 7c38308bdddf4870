import { NoResultError } from '../../client/errors.js';
import type { Client } from '../../client/methods.js';
import { makeRecorded } from '../changes/recorded.js';
import type { Outcome } from '../changes/run.js';
import { nullIfUnsupported } from '../service/connection/unsupported.js';
import type { Parent } from '../service/targets/epic.js';
import { Problem } from '../command-line/failure.js';
import { applyStep, copyOf, type Forest, type LinkStep } from './forest.js';
import { nameIn, type CreatedEpic, type EpicFacts, type Live } from './live.js';
import { createdBy, isMadeIn, openWrite, parentIn, type OpenWrite } from './open-write.js';
import { reorderParams } from './order.js';
import type { LinkTarget } from './plan.js';
import type { RunSite } from './site.js';

export type StepResult = Outcome<LinkStep, CreatedEpic | null>;

interface EpicRun extends RunSite {
  readonly live: Live;
  readonly epics: Map<number, EpicFacts>;
  readonly forest: Forest;
  /** By their negative numbers. */
  readonly ids: Map<number, number>;
}

export const newRun = (site: RunSite, live: Live): EpicRun =>
  ({ ...site, live, epics: new Map(live.epics), forest: copyOf(live.forest), ids: new Map() });

export const withIds = (result: StepResult, ids: ReadonlyMap<number, number>): StepResult =>
  ({ ...result, step: stepWithIds(result.step, ids) });

const stepWithIds = (step: LinkStep, ids: ReadonlyMap<number, number>): LinkStep => {
  const idOf = (value: unknown) => typeof value === 'number' ? ids.get(value) ?? value : value;
  return Object.fromEntries(Object.entries(step).map(([key, value]) => [key, idOf(value)])) as LinkStep;
};

export const targetWithIds = ({ children, removed }: LinkTarget, ids: ReadonlyMap<number, number>): LinkTarget => {
  const idOf = (epic: number) => ids.get(epic) ?? epic;
  return {
    children: new Map([...children].map(([parent, list]) => [idOf(parent), list.map(idOf)])),
    removed, created: new Map(),
  };
};

/** Records the write in the journal. @returns the new epic of a create */
export const makeStep = async (run: EpicRun, planned: LinkStep): Promise<CreatedEpic | null> => {
  const { app, journal, ids, epics, forest } = run;
  const step = stepWithIds(planned, ids);
  await checkUnchanged(run, step);
  const before = forest.children.get(parentIn(step)) ?? [];
  const created = await makeRecorded(app, journal, step, {
    send: (one) => send(run, one), find: (started) => outcomeOf(run, openWrite(started, before)),
  });
  if (created) {
    ids.set(step.epic, created.id);
    epics.set(created.id, { ...created, parent_id: null });
  }
  applyStep(forest, created ? { ...step, epic: created.id } : step);
  return created;
};

const pathOf = ({ epics, live, parent }: EpicRun, epic: number): Parent['path'] => {
  if (epic === live.root) return parent.path;
  const facts = epics.get(epic);
  if (!facts) throw new Problem('failure', `cannot find the group of id:${epic}, a parent outside the hierarchy`);
  return { id: String(facts.group_id), epic_iid: facts.iid };
};

/** Never moves an epic from a place that another user gave it after the plan. @throws Problem */
const checkUnchanged = async (run: EpicRun, step: LinkStep): Promise<void> => {
  if (step.action === 'create' || step.action === 'reorder') return;
  const [actual, expected] = [await parentOf(run, step.epic), run.forest.parents.get(step.epic)];
  if (actual === undefined || actual === (expected ?? null)) return;
  const shown = { names: run.live.names, epics: run.epics };
  const place = actual === null ? 'has no parent any more' : `is below ${nameIn(shown, actual)} now`;
  throw new Problem('failure', `${nameIn(shown, step.epic)} ${place}: another user changed it`,
    'check the change, then run again with --resume or --rollback');
};

/** Undefined if the service cannot look it up. */
const parentOf = async ({ parent: { client }, epics }: EpicRun, epic: number): Promise<number | null | undefined> => {
  const facts = epics.get(epic);
  if (!facts) return undefined;
  return (await nullIfUnsupported(client.lookups.epic({ id: String(facts.group_id), iid: facts.iid })))?.parent_id;
};

/** Null if the children of the parent do not show it. */
const outcomeOf = async (run: EpicRun, open: OpenWrite): Promise<{ readonly created: CreatedEpic | null } | null> => {
  const { step } = open;
  const children = await run.parent.client.epics.list(pathOf(run, parentIn(step))).complete();
  const created = createdBy(open, children);
  if (created) return { created };
  return step.action !== 'create' && isMadeIn(step, children.map(({ id }) => id)) ? { created } : null;
};

/** A repeated request has no result if an earlier attempt succeeded. */
const send = async (run: EpicRun, step: LinkStep): Promise<CreatedEpic | null> => {
  const { epics } = run.parent.client;
  const path = pathOf(run, parentIn(step));
  if (step.action === 'create') {
    const { id, iid, group_id, title, url } = await epics.create({ ...path, title: step.title });
    return { id, iid, group_id, title, url };
  }
  await change(epics, path, step).catch((error: unknown) => {
    if (!(error instanceof NoResultError)) throw error;
  });
  return null;
};

const change = (
  epics: Client['epics'], path: Parent['path'], step: Exclude<LinkStep, { action: 'create' }>,
): Promise<unknown> => {
  if (step.action === 'unassign') return epics.unassign({ ...path, child_epic_id: step.epic });
  if (step.action !== 'reorder') return epics.assign({ ...path, child_epic_id: step.epic });
  const place = 'after' in step ? { after: step.after } : { before: step.before };
  return epics.reorder({ ...path, ...reorderParams({ child: step.epic, ...place }) });
};

/** In sentences; empty if the links agree. */
export const differences = ({ forest, epics, names }: Live, { children, removed }: LinkTarget): string[] => {
  const name = (epic: number) => nameIn({ epics, names }, epic);
  const lines: string[] = [];
  for (const [parent, wanted] of children) {
    const actual = forest.children.get(parent) ?? [];
    const missing = wanted.filter((epic) => !actual.includes(epic));
    const others = actual.filter((epic) => !wanted.includes(epic));
    lines.push(...missing.map((epic) => `${name(epic)} is not below ${name(parent)}`));
    lines.push(...others.map((epic) => `${name(epic)} is below ${name(parent)}`));
    const both = wanted.filter((epic) => actual.includes(epic));
    if (String(both) !== String(actual.filter((epic) => wanted.includes(epic)))) {
      lines.push(`the children of ${name(parent)} have another order`);
    }
  }
  for (const epic of removed) {
    const parent = forest.parents.get(epic);
    if (typeof parent === 'number') lines.push(`${name(epic)} is below ${name(parent)}`);
  }
  return lines;
};
