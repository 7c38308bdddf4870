import { numbered } from '../../client/errors.js';
import type { Settings } from '../settings/settings.js';
import { fail, ok, skip, warn, type Finding } from './finding.js';
import { found, type Probe } from './probe.js';

/** Whether the project and the group that the settings name are there. */
export const placesFound = async (probe: Probe, { project, group }: Settings): Promise<Finding[]> => [
  await pathsFound(probe, project),
  ...project === null ? [] : [await placeFound(probe, 'project', project)],
  ...group === null ? [] : [await placeFound(probe, 'group', group)],
  await epicsFound(probe, group),
];

const isNumber = (name: string): boolean => /^\d+$/.test(name);

/** No service has it, and none that sees the whole of it takes it for a path that it does not know. */
const nowhere = 'colloquy/doctor';

/**
 * Whether a path with `%2F` arrives as it was sent (wire-facts 1.8.6c): what a number finds has to be found by its path
 * too; without one, the service has to say that it does not know the project, and not that it does not know the route.
 */
const pathsFound = async (probe: Probe, project: string | null): Promise<Finding> => {
  const byNumber = project !== null && isNumber(project) ? await found(probe, `/projects/${project}`) : null;
  const known = byNumber?.['path_with_namespace'];
  const path = typeof known === 'string' ? known : project !== null && !isNumber(project) ? project : nowhere;
  const outcome = await probe(`/projects/${encodeURIComponent(path)}`);
  if ('failure' in outcome) return fail('%2F in paths', outcome.failure.message, numbers);
  const { status, isOurs, isUnknown } = outcome.answer;
  const isLost = status !== 200 && (!isOurs || isUnknown || typeof known === 'string');
  return isLost ? fail('%2F in paths', 'something in front of the service changes or refuses them', numbers)
    : ok('%2F in paths', 'arrive');
};

const numbers = 'name projects and groups by their numbers, or let the proxy pass encoded slashes on';

const placeFound = async (probe: Probe, kind: 'project' | 'group', name: string): Promise<Finding> => {
  const check = `${kind} there`;
  const outcome = await probe(`/${kind}s/${encodeURIComponent(name)}`);
  if ('failure' in outcome) return fail(check, outcome.failure.message, outcome.failure.hint);
  const { status, isUnknown, words } = outcome.answer;
  if (status === 200) return ok(check, name);
  if (isUnknown) return skip(check, 'the service has no way to look');
  return fail(check, `${name}: ${numbered(status, words)}`, `check its name, and that the token's user is a member`);
};

/** Whether there are epics: the list of a group's tells, else the edition. */
const epicsFound = async (probe: Probe, group: string | null): Promise<Finding> => {
  const tier = 'epics need a higher tier; everything else works without';
  if (group !== null) {
    const outcome = await probe(`/groups/${encodeURIComponent(group)}/epics?per_page=1`);
    if ('answer' in outcome && outcome.answer.status === 200) return ok('epics', `${group} has them`);
    if ('answer' in outcome && outcome.answer.status === 403) {
      return warn('epics', `${group} has none: ${outcome.answer.words}`, tier);
    }
  }
  const metadata = await found(probe, '/metadata');
  if (metadata?.['enterprise'] === true) return ok('epics', 'the edition has them, where the tier is high enough');
  if (metadata?.['enterprise'] === false) return warn('epics', 'this edition of the service has none', tier);
  return skip('epics', 'the service does not tell');
};
