import { behavior, type FactId, shapeFacts } from '../contract/behavior/behavior.js';
import type { Fact } from '../contract/behavior/fact.js';
import { hasSince, type Tier, tiers } from '../contract/conventions.js';
import {
  type Check, type Checks, Difference, type Effect, type Got, type Objects, type Probe, type Severity, Skipped,
} from './check.js';
import { accessChecks, sudoChecks } from './checks/access.js';
import { appearanceChecks } from './checks/appearance.js';
import { awardChecks } from './checks/awards.js';
import { epicLinkChecks } from './checks/epic-links.js';
import { epicChecks } from './checks/epics.js';
import { paginationChecks, parameterChecks } from './checks/lists.js';
import { lookupChecks } from './checks/lookups.js';
import { changeChecks, draftChecks } from './checks/merge-requests.js';
import { noteChecks } from './checks/notes.js';
import { positionChecks } from './checks/positions.js';
import { requestChecks } from './checks/requests.js';
import { resolvingChecks } from './checks/resolving.js';
import { replyChecks, threadChecks } from './checks/threads.js';
import { shapeRecord, type ShapeRecord } from './shape-record.js';

export const checks: Checks = {
  ...requestChecks, ...accessChecks, ...sudoChecks, ...paginationChecks, ...parameterChecks, ...threadChecks,
  ...noteChecks, ...awardChecks, ...replyChecks, ...resolvingChecks, ...positionChecks, ...draftChecks,
  ...appearanceChecks, ...epicChecks, ...epicLinkChecks, ...lookupChecks, ...changeChecks,
};

export interface FactResult {
  readonly id: string;
  readonly result: 'pass' | 'fail' | 'skip';
  readonly severity: Severity | null;
  readonly request: string | null;
  readonly expected: string | null;
  readonly actual: string | null;
  readonly source: Fact['source'];
  readonly reason: string | null;
}

export interface Examination {
  readonly probe: Probe;
  readonly shapes: ShapeRecord;
  readonly writable: Objects;
  readonly effects: ReadonlySet<Effect>;
  readonly version: string | null;
  readonly tier: Tier | null;
  /** The lowest that it can be where it is unknown. */
  readonly leastTier?: Tier;
  readonly isChosen: (fact: Fact) => boolean;
  /** False also checks facts of other versions and tiers. */
  readonly isScoped?: boolean;
  readonly onDifference?: (fact: Fact, difference: Difference) => void;
}

/** Compares the responses of all its checks with their shapes, and those that were read before. */
export const withShapes = (examination: Omit<Examination, 'shapes'>, earlier: readonly Got[] = []): Examination => {
  const { probe, version } = examination;
  const shapes = shapeRecord({ dialect: probe.dialect, version }, earlier);
  return { ...examination, shapes, probe: { ...probe, call: shapes.recording(probe.call) } };
};

/** The facts of a run: those about shapes come last, when all other checks have read what is compared. */
export const checkedFacts = ({ probe, isChosen }: Pick<Examination, 'probe' | 'isChosen'>): readonly Fact[] =>
  [...behavior.filter(({ id }) => id in checks), ...shapeFacts].filter((fact) =>
    fact.dialects.includes(probe.dialect) && isChosen(fact));

const checkOf = ({ id, area }: Fact, { shapes }: Examination): Check =>
  area === 'shapes' ? shapes.check(id.slice('shape.'.length)) : checks[id as FactId]!;

export type CheckedArea = 'discussions' | 'appearance' | 'epics';

/** Those of the objects that the check of a fact works on; what all have in common are discussions. */
export const areasChecked = ({ id, area }: Fact): readonly CheckedArea[] => {
  if (checks[id as FactId]?.effect === 'appearance' || /^(shape\.)?appearance\./.test(id)) return ['appearance'];
  if (area === 'epics' || /\bepics?\b|\.(children|feature)/.test(id)) return ['epics'];
  return aboutAllKinds.has(id) ? ['discussions', 'epics'] : ['discussions'];
};

/** Facts whose check looks at epics, among other kinds of objects. */
const aboutAllKinds: ReadonlySet<string> = new Set<FactId>([
  'errors.project', 'access.comment', 'threads.kinds', 'threads.alone', 'notes.alone', 'notes.noteable-type',
  'notes.noteable-type-one-word', 'notes.second-noteable-id', 'notes.resolvable', 'notes.single-comments',
  'notes.edit-all-kinds', 'notes.internal-create', 'notes.confidential-create', 'replies.to-comment',
  'resolving.time-if-resolvable', 'resolving.time-always', 'awards.create', 'awards.delete',
]);

/** Checks one fact. @throws every error that is not about the fact, such as a lost connection */
export const checkFact = async (
  fact: Fact, examination: Examination, check: Check = checkOf(fact, examination),
): Promise<FactResult> => {
  const { probe, writable } = examination;
  const result = { id: fact.id, severity: null, request: null, expected: null, actual: null, source: fact.source };
  const reason = reasonToSkip(fact, check, examination);
  if (reason !== null) return { ...result, result: 'skip', reason };
  let last: Got | null = null;
  const call: Probe['call'] = async (method, path, sent) => {
    if (check.effect === 'none' && !safeMethods.has(method)) throw new Error(`the check of ${fact.id} must only read`);
    last = null;
    return last = await probe.call(method, path, sent);
  };
  try {
    await check.run({ ...probe, call, ...check.effect !== 'none' && { objects: writable } });
    return { ...result, result: 'pass', reason: null };
  } catch (thrown) {
    const isOfForm = thrown instanceof TypeError || thrown instanceof RangeError;
    const error = isOfForm && last !== null ? otherForm(last) : thrown;
    if (error instanceof Skipped) return { ...result, result: 'skip', reason: error.message };
    if (!(error instanceof Difference)) throw error;
    examination.onDifference?.(fact, error);
    const { request, expected, actual } = error;
    const severity = fact.source === 'chosen' ? 'info' : error.severity;
    return { ...result, result: 'fail', severity, request, expected, actual, reason: null };
  }
};

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** A check takes apart what it expects; a response of another form, or nested deeply, makes that fail anywhere. */
const otherForm = ({ request, text }: Got): Difference =>
  new Difference(request, 'a response of the known form', text.length <= 200 ? text : `${text.slice(0, 200)}…`);

const reasonToSkip = (fact: Fact, { effect }: Check, examination: Examination): string | null => {
  const { effects, version, tier, leastTier = 'free' } = examination;
  if (!effects.has(effect)) return neededFor[effect];
  if (examination.isScoped === false) return null;
  if (fact.tier !== null && tiers.indexOf(tier ?? leastTier) < tiers.indexOf(fact.tier)) {
    return tier === null ? 'depends on the tier: pass --tier' : `requires the tier ${fact.tier}`;
  }
  const hasVersions = fact.from !== null || fact.to !== null;
  if (version === null) return hasVersions ? 'depends on the version: pass --service-version' : null;
  if (fact.from !== null && !hasSince(version, fact.from)) return `holds from version ${fact.from} on`;
  return fact.to !== null && hasSince(version, fact.to) ? `holds before version ${fact.to}` : null;
};

const neededFor: Readonly<Record<Effect, string>> = {
  none: '', notes: 'requires --write', appearance: 'requires --write --area appearance',
  epics: 'requires --write --leave-epics',
};
