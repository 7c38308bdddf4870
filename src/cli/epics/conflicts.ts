import type { Client } from '../../client/methods.js';
import { epicFacts } from '../../contract/behavior/epics.js';
import { hasSince } from '../../contract/conventions.js';
import type { App } from '../app.js';
import { type PlanProblem, reportProblems } from '../changes/report.js';
import type { GlobalFlags } from '../command-line/flags.js';
import { once, oncePer } from '../service/connection/batch.js';
import { nullIfFailed } from '../service/connection/unsupported.js';
import { ancestorsOf, type Child, type Parent } from '../service/targets/epic.js';
import { addTree, type EpicFacts, type Live, nameIn } from './live.js';
import { epicNames } from './names.js';
import { applyStep, copyOf, depthLimits, depthOf, type Forest, heightOf, lineToTop, type LinkStep } from './plan.js';
import { readEpicTree } from './tree.js';

export interface Conflict extends PlanProblem {
  readonly epic: number;
  readonly step: number;
}

type ServiceFacts = ReturnType<typeof serviceFacts>;

type AddedLink = Extract<LinkStep, { readonly action: 'create' | 'assign' | 'move' }>;

interface Checking {
  readonly live: Live;
  readonly service: ServiceFacts;
  readonly forest: Forest;
  readonly deepest: number;
  readonly titles: Map<number, string>;
  readonly confidential: Map<number, boolean | undefined>;
}

/**
 * All links of a plan that the service may reject, in the order of the steps: by confidentiality, depth and group
 * (behavior: epics.confidential-parent, epics.depth, epics.assign-groups). The version is asked only in doubt.
 * @param given the confidentiality of new epics that is not that of their parents
 */
export const conflictsOf = async (
  steps: readonly LinkStep[], live: Live, service: ServiceFacts, given: ReadonlyMap<number, boolean> = new Map(),
): Promise<readonly Conflict[]> => {
  const forest = copyOf(live.forest);
  const run: Checking = {
    live, service, forest, deepest: depthOf(forest), titles: new Map(), confidential: new Map(given),
  };
  const found: Conflict[] = [];
  for (const [at, step] of steps.entries()) {
    if (step.action === 'create') run.titles.set(step.epic, step.title);
    if (step.action !== 'unassign' && step.action !== 'reorder') {
      const problems = [await confidentialityOf(run, step), await depthIn(run, step), await groupProblem(run, step)];
      found.push(...problems.filter((one) => one !== null).map((one) => ({ ...one, epic: step.epic, step: at })));
    }
    applyStep(forest, step);
  }
  return found;
};

/** A warning, because services differ, and this one may be newer. */
const doubt = (message: string, hint: string): PlanProblem => ({ level: 'warning', message, hint });

const epicName = ({ live, titles }: Checking, epic: number): string => {
  const title = titles.get(epic);
  return title === undefined ? nameIn(live, epic) : JSON.stringify(title);
};

const isConfidential = async ({ confidential, service }: Checking, epic: number): Promise<boolean | undefined> => {
  if (!confidential.has(epic)) confidential.set(epic, await service.isConfidential(epic));
  return confidential.get(epic);
};

const confidentialityOf = async (run: Checking, step: AddedLink): Promise<PlanProblem | null> => {
  const isNew = step.action === 'create';
  const parent = await isConfidential(run, step.parent);
  if (isNew && !run.confidential.has(step.epic)) run.confidential.set(step.epic, parent);
  if (parent !== true || await isConfidential(run, step.epic) !== false) return null;
  return doubt(`${epicName(run, step.epic)} ${isNew ? 'would not be' : 'is not'} confidential, `
    + `and cannot be below the confidential epic ${epicName(run, step.parent)}`, 'make it confidential first');
};

/** The first version that certainly allows seven levels. */
const sevenLevels = '14.0';

const depthIn = async (run: Checking, step: AddedLink): Promise<PlanProblem | null> => {
  const { forest, deepest, service } = run;
  const height = step.action === 'create' ? 1 : heightOf(forest, step.epic);
  const level = lineToTop(forest, step.parent).length + height;
  if (level <= Math.max(depthLimits.older, deepest)) return null;
  const name = epicName(run, step.epic);
  const where = `${height === 1 ? name : `the epics below ${name}`} would be on level ${level}`;
  const found = (limit: string) => doubt(`${where}, and ${limit}`, 'place it higher');
  if (level > depthLimits.current) return found(`the service allows ${depthLimits.current} levels`);
  const version = await service.version();
  if (version !== null && hasSince(version, sevenLevels)) return null;
  return found(`${versionsBefore(version, sevenLevels)} may allow only ${depthLimits.older} levels`);
};

const versionsBefore = (version: string | null, first: string): string =>
  version === null ? `versions of the service before ${first}` : `version ${version} of the service`;

const anyGroup = epicFacts['epics.assign-any-group'].from!;

const groupProblem = async (run: Checking, step: AddedLink): Promise<PlanProblem | null> => {
  const { live: { epics }, service } = run;
  const [child, parent] = [epics.get(step.epic)?.group_id, epics.get(step.parent)?.group_id];
  if (child === undefined || parent === undefined || child === parent) return null;
  const [below, above] = [await service.groupPath(child), await service.groupPath(parent)];
  if (below !== null && above !== null && below.startsWith(`${above}/`)) return null;
  const version = await service.version();
  if (version !== null && hasSince(version, anyGroup)) return null;
  return doubt(`${epicName(run, step.epic)} is in ${below === null ? 'another group' : `the group ${below}`}, and `
    + `${versionsBefore(version, anyGroup)} ${version === null ? 'accept' : 'accepts'} below `
    + `${epicName(run, step.parent)} only epics of ${above ?? 'its group'} and its subgroups`,
  'use an epic of one of these groups');
};

/** @param details the facts of an epic, where those of the tree leave its confidentiality out */
export const serviceFacts = (
  { lookups }: Client, { epics }: Pick<Live, 'epics'>,
  details: (epic: number) => Promise<Pick<EpicFacts, 'confidential'> | null | undefined>,
) => {
  return {
    version: once(async () => (await nullIfFailed(lookups.version()))?.version ?? null),
    groupPath: oncePer(async (id: number) => (await nullIfFailed(lookups.group({ id })))?.full_path ?? null),
    isConfidential: async (epic: number) => epics.get(epic)?.confidential ?? (await details(epic))?.confidential,
  };
};

interface StrictFlags extends GlobalFlags { readonly strict?: boolean }

export const strictOption = [
  '--strict', 'fail before the first change if the service may reject the hierarchy',
] as const;

/**
 * Warns of children that the service may not accept below the parent. Nothing is said where it does not report the
 * epics. @throws Problem with `--strict`, for all of them
 */
export const checkNewLinks = async (
  app: App, flags: StrictFlags, parent: Parent, children: readonly Child[],
): Promise<void> => {
  const links = await linksAbove(parent);
  if (links === null) return;
  for (const child of children) await addBelow(parent, links, child);
  const steps = children.filter(({ isHere, epic }) => epic !== null && !isHere)
    .map(({ id, parent: from }): LinkStep => typeof from === 'number'
      ? { action: 'move', epic: id, parent: links.root, from } : { action: 'assign', epic: id, parent: links.root });
  await report(app, flags, parent, links, steps);
};

/** @param confidential undefined if the new epic is like its parent */
export const checkNewEpic = async (
  app: App, flags: StrictFlags, parent: Parent,
  { title, confidential }: { readonly title: string; readonly confidential?: boolean | undefined },
): Promise<void> => {
  const links = await linksAbove(parent);
  if (links === null) return;
  const step: LinkStep = { action: 'create', epic: -1, title, parent: links.root };
  await report(app, flags, parent, links, [step], new Map(confidential === undefined ? [] : [[-1, confidential]]));
};

type Links = NonNullable<Awaited<ReturnType<typeof linksAbove>>>;

const linksAbove = async (parent: Parent) => {
  const top = await parent.epic();
  if (top === null) return null;
  const parents = new Map<number, number | null>();
  let below = top.id;
  for (const above of await ancestorsOf(parent)) {
    parents.set(below, above);
    below = above;
  }
  parents.set(below, null);
  const names = epicNames();
  names.begin(parent.client, parent.path.id, top);
  return {
    names, root: top.id, forest: { parents, children: new Map<number, readonly number[]>() },
    epics: new Map<number, EpicFacts>([[top.id, top]]),
  };
};

/** One more level than the service can accept is enough. */
const addBelow = async ({ client }: Parent, links: Links, { epic, isHere }: Child): Promise<void> => {
  if (epic === null || isHere) return;
  const path = { id: String(epic.group_id), iid: epic.iid };
  const tree = await nullIfFailed(readEpicTree(client, path, { depth: depthLimits.current }));
  links.epics.set(epic.id, epic);
  await links.names.learn([epic]);
  if (tree) addTree(links, epic.id, tree);
  links.forest.parents.set(epic.id, epic.parent_id);
};

const report = async (
  app: App, flags: StrictFlags, parent: Parent, links: Links, steps: readonly LinkStep[],
  given?: ReadonlyMap<number, boolean>,
): Promise<void> => {
  const details = async (epic: number) => (await parent.groupEpics())?.find(({ id }) => id === epic);
  const service = serviceFacts(parent.client, links, details);
  const conflicts = await conflictsOf(steps, links, service, given);
  await reportProblems(app, flags, conflicts,
    { isStrict: flags.strict, code: 'rejected', what: `epics cannot be below ${await parent.titled()}` });
};
