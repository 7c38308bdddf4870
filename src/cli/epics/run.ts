import { NoResultError } from '../../client/errors.js';
import type { Client } from '../../client/methods.js';
import { isOutcomeUnknown, isRejected } from '../../client/outcome.js';
import type { App } from '../app.js';
import { nullIfUnsupported } from '../service/connection/unsupported.js';
import { Problem } from '../command-line/errors/failure.js';
import { applyStep, copyOf, type Forest, type Step } from './forest.js';
import type { CreatedEpic, RunJournal } from './journal.js';
import { nameIn, type EpicFacts, type Live } from './live.js';
import { createdBy, isMadeIn, looks, openWrite, parentIn, unansweredBy, type OpenWrite } from './open-write.js';
import { reorderParams } from './order.js';
import type { Target } from './plan.js';

/** A step and what became of it. */
export interface StepResult {
  readonly step: Step;
  readonly status: 'planned' | 'done' | 'failed' | 'skipped';
  /** The new epic of a create. */
  readonly created?: CreatedEpic;
}

/** What came of a run, up to the first step that failed. */
export interface RunResult {
  readonly results: readonly StepResult[];
  /** The global ids of the new epics by their negative numbers. */
  readonly ids: ReadonlyMap<number, number>;
  readonly error: Error | null;
}

/** Everything that the writes of a run need. */
export interface RunContext {
  readonly app: Pick<App, 'now' | 'sleep'>;
  readonly client: Client;
  readonly live: Live;
  /** The path of the epic at the top, whose id may be unknown. */
  readonly top: { readonly id: string; readonly epic_iid: number };
  readonly journal: Pick<RunJournal, 'add'>;
  /** Called before each step with its number. */
  readonly report: (step: number) => Promise<void>;
}

interface Running extends RunContext {
  readonly epics: Map<number, EpicFacts>;
  readonly forest: Forest;
  readonly ids: Map<number, number>;
}

/**
 * Makes the writes of a plan one after the other and stops at the first failure. The journal has every write before it
 * is sent, and its outcome afterwards. A write of unknown outcome is looked for.
 */
export const runSteps = async (context: RunContext, steps: readonly Step[]): Promise<RunResult> => {
  const run: Running = {
    ...context, epics: new Map(context.live.epics), forest: copyOf(context.live.forest), ids: new Map(),
  };
  const results: StepResult[] = [];
  for (const [index, planned] of steps.entries()) {
    await context.report(index + 1);
    const step = withIds(planned, run.ids);
    try {
      const created = await runStep(run, step);
      results.push({ step, status: 'done', ...(created && { created }) });
    } catch (error) {
      const rest = steps.slice(index + 1)
        .map((later): StepResult => ({ step: withIds(later, run.ids), status: 'skipped' }));
      return { results: [...results, { step, status: 'failed' }, ...rest], ids: run.ids, error: error as Error };
    }
  }
  return { results, ids: run.ids, error: null };
};

/** A step with the global ids of new epics that exist by now. */
const withIds = (step: Step, ids: ReadonlyMap<number, number>): Step => {
  const idOf = (value: unknown) => typeof value === 'number' ? ids.get(value) ?? value : value;
  return Object.fromEntries(Object.entries(step).map(([key, value]) => [key, idOf(value)])) as Step;
};

/** A target with the global ids of the new epics. */
export const targetWithIds = ({ children, removed }: Target, ids: ReadonlyMap<number, number>): Target => {
  const idOf = (epic: number) => ids.get(epic) ?? epic;
  return {
    children: new Map([...children].map(([parent, list]) => [idOf(parent), list.map(idOf)])),
    removed, created: new Map(),
  };
};

const runStep = async (run: Running, step: Step): Promise<CreatedEpic | null> => {
  const { app, journal, ids, epics, forest } = run;
  await checkUnchanged(run, step);
  const at = app.now();
  await journal.add({ type: 'start', step, at: at.toISOString() });
  const created = await made(run, step, at);
  await journal.add({ type: 'done', ...(created && { created }) });
  if (created) {
    ids.set(step.epic, created.id);
    epics.set(created.id, { ...created, parent_id: null });
  }
  applyStep(forest, created ? { ...step, epic: created.id } : step);
  return created;
};

const pathOf = ({ epics, live, top }: Running, epic: number): RunContext['top'] => {
  if (epic === live.root) return top;
  const facts = epics.get(epic);
  if (!facts) throw new Problem('failure', `cannot find the group of id:${epic}, a parent outside the hierarchy`);
  return { id: String(facts.group_id), epic_iid: facts.iid };
};

/** Never moves an epic from a place that another user gave it after the plan. @throws Problem */
const checkUnchanged = async (run: Running, step: Step): Promise<void> => {
  if (step.action === 'create' || step.action === 'reorder') return;
  const [actual, expected] = [await parentOf(run, step.epic), run.forest.parents.get(step.epic)];
  if (actual === undefined || actual === (expected ?? null)) return;
  const shown = { root: run.live.root, epics: run.epics };
  const place = actual === null ? 'has no parent any more' : `is below ${nameIn(shown, actual)} now`;
  throw new Problem('failure', `${nameIn(shown, step.epic)} ${place}: another user changed it`,
    'check the change, then run again with --resume or --rollback');
};

/** The present parent of an epic; undefined if the service cannot look it up. */
const parentOf = async ({ client, epics }: Running, epic: number): Promise<number | null | undefined> => {
  const facts = epics.get(epic);
  if (!facts) return undefined;
  return (await nullIfUnsupported(client.lookups.epic({ id: String(facts.group_id), iid: facts.iid })))?.parent_id;
};

/** Makes one write; resolves to the new epic of a create. A create of unknown outcome is never repeated here. */
const made = async (run: Running, step: Step, at: Date): Promise<CreatedEpic | null> => {
  const { app, journal, forest } = run;
  try {
    return await send(run, step);
  } catch (error) {
    if (error instanceof NoResultError && step.action !== 'create') return null;
    if (isRejected(error)) await journal.add({ type: 'rejected' });
    if (!isOutcomeUnknown(error)) throw error;
    const unanswered = unansweredBy(error, app.now());
    await journal.add({ type: 'unknown', ...unanswered });
    const open = openWrite(step, at, forest.children.get(parentIn(step)) ?? [], unanswered);
    for (const wait of unanswered.isRunning ? looks : [0]) {
      if (wait > 0) await app.sleep(wait);
      const outcome = await outcomeOf(run, open);
      if (outcome) return outcome.created;
    }
    throw error;
  }
};

/** What an open write did, as far as the children of its parent show it; null if they do not. */
const outcomeOf = async (run: Running, open: OpenWrite): Promise<{ readonly created: CreatedEpic | null } | null> => {
  const { step } = open;
  const children = await run.client.epics.list(pathOf(run, parentIn(step))).all();
  const created = createdBy(open, children);
  if (created) return { created };
  return step.action !== 'create' && isMadeIn(step, children.map(({ id }) => id)) ? { created } : null;
};

const send = async (run: Running, step: Step): Promise<CreatedEpic | null> => {
  const { client: { epics } } = run;
  const path = pathOf(run, parentIn(step));
  if (step.action === 'create') {
    const { id, iid, group_id, title, url } = await epics.create({ ...path, title: step.title });
    return { id, iid, group_id, title, url };
  }
  if (step.action === 'unassign') await epics.unassign({ ...path, child_epic_id: step.epic });
  else if (step.action === 'reorder') {
    const place = 'after' in step ? { after: step.after } : { before: step.before };
    await epics.reorder({ ...path, ...reorderParams({ child: step.epic, ...place }) });
  } else await epics.assign({ ...path, child_epic_id: step.epic });
  return null;
};

/** How the links differ from a target whose epics all exist, in sentences; empty if they agree. */
export const differences = ({ forest, epics, root }: Live, { children, removed }: Target): string[] => {
  const name = (epic: number) => nameIn({ epics, root }, epic);
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
