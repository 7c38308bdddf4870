import { ApiError } from '../../../client/errors.js';
import type { Dialect } from '../../../contract/endpoint.js';
import type { Tier } from '../../../contract/conventions.js';
import type { Effect, Got, Probe } from '../../../conformance/check.js';
import { imitationRecord, type ImitationRecord } from '../../../conformance/imitation.js';
import { withShapes, type CheckedArea, type Examination } from '../../../conformance/run.js';
import { isUnknownRoute } from '../../../wire/error-response.js';
import type { App } from '../../app.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { openRaw } from '../connection/session.js';
import { isOfService } from '../connection/unsupported.js';
import { instanceDialect, instanceTier, instanceVersion, type FoundTier } from './instance.js';
import { withoutSilent } from './lost-responses.js';
import { groupPath, namedObjects, projectPath, unreachableObjects, withFoundObjects } from './objects.js';
import { callOver } from './probe.js';
import { whyNoEpics, type NamedTarget } from './targets.js';

export interface ExaminationInput extends GlobalFlags {
  readonly area?: CheckedArea;
  readonly write?: boolean;
  readonly leaveEpics?: boolean;
  readonly serviceVersion?: string;
  readonly tier?: Tier;
  readonly dialect?: Dialect;
}

/** With what a test server needs to imitate the instance. */
export interface RecordedExamination extends Examination, Pick<ImitationRecord, 'imitation'> {
  readonly address: string;
}

/** Finds out what no option gives. @throws Problem, ApiError, ConnectionError and ResponseError */
export const examinationOf = async (
  app: App, input: ExaminationInput, targets: readonly NamedTarget[], isChosen: Examination['isChosen'],
): Promise<RecordedExamination> => {
  const base = targets[0]?.base;
  const { transport: own, anonymous, base: { href }, settings: { project, group } } =
    await openRaw(app, input, { needsContainer: true, limits, ...base !== undefined && base !== '' && { base } });
  const reported = await instanceVersion(own, href, app.signal);
  const record = imitationRecord();
  const call = record.recording(withoutSilent(callOver({ own, anonymous: await anonymous() }, app.signal)));
  const earlier: Got[] = [];
  const asking: Probe['call'] = async (method, path, sent) => {
    const got = await call(method, path, sent);
    earlier.push(got);
    return got;
  };
  const found = await Promise.all(targets.map(foundTarget));
  const named = namedObjects(found);
  const unreachable = unreachableObjects(found);
  const objects = await withFoundObjects(asking, {
    ...named, project: named.project ?? (project === null ? null : projectPath(project)),
    group: named.group ?? (group === null ? null : groupPath(group)),
  });
  const dialect = input.dialect ?? await instanceDialect(asking, objects);
  const tier: FoundTier = input.tier === undefined ? await instanceTier(asking, objects) : { tier: input.tier };
  const probe: Probe = { dialect, objects, unreachable, call };
  const version = input.serviceVersion ?? reported;
  const given = { probe, writable: named, effects: effectsOf(input), version, ...tier, isChosen };
  const examination = withShapes(given, earlier);
  return { ...examination, ...record, address: href };
};

/** Other failures are what the checks look for. @throws ApiError if the service does not have the object */
const foundTarget = async (target: NamedTarget): Promise<NamedTarget> => {
  const { client, kind, path, unreachable } = target;
  if (unreachable !== undefined) return target;
  try {
    await client.discussions[kind].list({ ...path, per_page: 1 }).pages(1)[Symbol.asyncIterator]().next();
  } catch (error) {
    if (!isOfService(error)) throw error;
    if (error instanceof ApiError && error.status === 404 && !isUnknownRoute(error.status, error.body)) {
      return { ...target, unreachable: await whyNoEpics(target, error) };
    }
  }
  return target;
};

/** In milliseconds. Questions are short, and there are hundreds: a service that is silent ends the run soon. */
const limits = { timeout: 10_000, responseTimeout: 30_000, retries: 1 };

const effectsOf = ({ write, area, leaveEpics }: ExaminationInput): ReadonlySet<Effect> => {
  if (!write) return new Set(['none']);
  return new Set(['none', area === 'appearance' ? 'appearance' : 'notes', ...leaveEpics ? ['epics' as const] : []]);
};
