import { NoResultError } from '../../client/errors.js';
import type { Client } from '../../client/methods.js';
import { recordStep, type StepEntry } from '../changes/journal.js';
import type { ChangeEvent, Outcome } from '../changes/run.js';
import { nullIfUnsupported } from '../service/connection/unsupported.js';
import type { Parent } from '../service/targets/epic.js';
import { Problem } from '../command-line/failure.js';
import { plainLine } from '../../text/plain.js';
import { applyStep, copyOf, type Forest, type LinkStep, type LinkTarget, reorderParams } from './plan.js';
import { nameIn, type CreatedEpic, type EpicFacts, type Live } from './live.js';
import { createdBy, createdFrom, isMadeIn, openWrite, type OpenWrite, parentIn, type RunSite } from './journal.js';
import { isSameTitle } from './document-nodes.js';

export type StepResult = Outcome<LinkStep, CreatedEpic | null>;

interface EpicRun extends RunSite {
  readonly live: Live;
  readonly epics: Map<number, EpicFacts>;
  readonly forest: Forest;
  readonly ids: Map<number, number>;
  /** Creates of the run that this one continues which made nothing that showed. */
  readonly unmade: readonly LinkStep[];
  /** Names an epic that another run created too; no further step is made. */
  doubled: Problem | null;
}

export const newRun = (site: RunSite, live: Live, unmade: readonly LinkStep[] = []): EpicRun =>
  ({ ...site, live, epics: new Map(live.epics), forest: copyOf(live.forest), ids: new Map(), unmade, doubled: null });

export const withIds = (result: StepResult, ids: ReadonlyMap<number, number>): StepResult =>
  ({ ...result, step: stepWithIds(result.step, ids) });

const stepWithIds = (step: LinkStep, ids: ReadonlyMap<number, number>): LinkStep => {
  const createdValue = (value: unknown) => typeof value === 'number' ? ids.get(value) ?? value : value;
  return Object.fromEntries(Object.entries(step).map(([key, value]) => [key, createdValue(value)])) as LinkStep;
};

export const targetWithIds = ({ children, removed }: LinkTarget, ids: ReadonlyMap<number, number>): LinkTarget => {
  const createdId = (epic: number) => ids.get(epic) ?? epic;
  return {
    children: new Map([...children].map(([parent, list]) => [createdId(parent), list.map(createdId)])),
    removed, created: new Map(),
  };
};

export type RunEvent = ChangeEvent<LinkStep, CreatedEpic | null, StepEntry<LinkStep, CreatedEpic>>;

type Making = AsyncGenerator<RunEvent, CreatedEpic | null, void>;

/** @throws Problem, or the error of the client, at the first step that fails */
export async function* makeSteps(run: EpicRun, steps: readonly LinkStep[]): AsyncGenerator<RunEvent, void, void> {
  for (const [at, step] of steps.entries()) {
    yield { type: 'next', number: at + 1 };
    yield { type: 'made', step, result: yield* makeStep(run, step) };
    if (run.doubled) throw run.doubled;
  }
}

async function* makeStep(run: EpicRun, planned: LinkStep): Making {
  const { app: { activity: { waits } }, ids, forest } = run;
  const step = stepWithIds(planned, ids);
  await checkUnchanged(run, step);
  const before = forest.children.get(parentIn(step)) ?? [];
  let isRepeated = false;
  const entries = recordStep<LinkStep, CreatedEpic>(run.app, step, {
    send: (one) => {
      const { repeats } = waits;
      return send(run, one).finally(() => { isRepeated = waits.repeats > repeats; });
    },
    find: (started) => outcomeOf(run, openWrite(started, before)),
  });
  const created = yield* asEvents(entries);
  if (!created || step.action !== 'create') {
    applyStep(forest, step);
    return created;
  }
  addCreated(run, step, created);
  return yield* keepOne(run, step, created, { before, isRepeated });
}

async function* asEvents<E, T>(entries: AsyncGenerator<E, T, void>) {
  for (;;) {
    const next = await entries.next();
    if (next.done) return next.value;
    yield { type: 'entry', entry: next.value } as const;
  }
}

type Create = Extract<LinkStep, { readonly action: 'create' }>;

const addCreated = ({ ids, epics, forest }: EpicRun, step: Create, created: CreatedEpic): void => {
  ids.set(step.epic, created.id);
  epics.set(created.id, { ...created, parent_id: null });
  applyStep(forest, { ...step, epic: created.id });
};

interface Creation {
  readonly before: readonly number[];
  /** Whether the request was sent again, after which the service may have stored both. */
  readonly isRepeated: boolean;
}

/**
 * Looks whether the parent has another new epic with this title: from an own request that was repeated or came late, or
 * from a run on another machine. The one with the lowest id stays, so that both runs decide alike. If the look fails,
 * the check of the whole hierarchy at the end shows the other epic.
 */
async function* keepOne(run: EpicRun, step: Create, created: CreatedEpic, creation: Creation): Making {
  const others = await othersLike(run, step, creation.before);
  if (others.length === 0) return created;
  const [kept, ...surplus] = [created, ...others].toSorted((a, b) => a.id - b.id) as [CreatedEpic, ...CreatedEpic[]];
  const isOwn = creation.isRepeated || run.unmade.some((one) => isSameCreate(one, step));
  if (isOwn) return yield* keepOwn(run, step, created, { kept, surplus });
  if (kept !== created) yield* makeStep(run, { action: 'unassign', epic: created.id, from: step.parent });
  const ids = surplus.map(({ id }) => `id:${id}`).join(' and ');
  run.doubled = new Problem('failure', `another run created "${plainLine(step.title)}" below `
    + `${nameIn({ ...run.live, epics: run.epics }, step.parent)} too: id:${kept.id} and ${ids}`,
  `delete ${ids} in the web interface, then run again with --resume; id:${kept.id} stays in the tree`);
  return created;
}

const othersLike = async (
  run: EpicRun, { parent, title }: Create, before: readonly number[],
): Promise<readonly CreatedEpic[]> => {
  const known = new Set([...before, ...run.ids.values()]);
  const children = await run.parent.client.epics.list(pathOf(run, parent)).all().catch(() => []);
  return children.filter((epic) => !known.has(epic.id) && isSameTitle(epic.title, title)).map(createdFrom);
};

const isSameCreate = (one: LinkStep, step: Create): boolean =>
  one.action === 'create' && one.parent === step.parent && isSameTitle(one.title, step.title);

interface Copies {
  readonly kept: CreatedEpic;
  readonly surplus: readonly CreatedEpic[];
}

/** The journal gets the kept epic too, so that a rollback knows it. */
async function* keepOwn(run: EpicRun, step: Create, created: CreatedEpic, { kept, surplus }: Copies): Making {
  if (kept !== created) {
    yield { type: 'entry', entry: { type: 'start', step, at: run.app.now().toISOString() } };
    yield { type: 'entry', entry: { type: 'done', created: kept } };
  }
  for (const copy of surplus) {
    addCreated(run, step, copy);
    yield* makeStep(run, { action: 'unassign', epic: copy.id, from: step.parent });
    yield { type: 'warning', text: `the service stored two requests for "${plainLine(copy.title)}"; `
      + `delete id:${copy.id}, which has no parent now, in the web interface` };
  }
  addCreated(run, step, kept);
  return kept;
}

const pathOf = ({ epics, live, parent }: EpicRun, epic: number): Parent['path'] => {
  if (epic === live.root) return parent.path;
  const facts = epics.get(epic);
  if (!facts) throw new Problem('failure', `cannot find the group of id:${epic}, a parent outside the hierarchy`);
  return { id: String(facts.group_id), iid: facts.iid };
};

/** Never moves an epic from a place that another user gave it after the plan. @throws Problem */
const checkUnchanged = async (run: EpicRun, step: LinkStep): Promise<void> => {
  if (step.action === 'create' || step.action === 'reorder') return;
  const [actual, expected] = [await readParent(run, step.epic), run.forest.parents.get(step.epic)];
  if (actual === undefined || actual === (expected ?? null)) return;
  const shown = { names: run.live.names, epics: run.epics };
  const place = actual === null ? 'has no parent any more' : `is below ${nameIn(shown, actual)} now`;
  throw new Problem('failure', `${nameIn(shown, step.epic)} ${place}: another user changed it`,
    'check the change, then run again with --resume or --rollback');
};

const readParent = async ({ parent: { client }, epics }: EpicRun, epic: number): Promise<number | null | undefined> => {
  const facts = epics.get(epic);
  if (!facts) return undefined;
  return (await nullIfUnsupported(client.lookups.epic({ id: String(facts.group_id), iid: facts.iid })))?.parent_id;
};

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
