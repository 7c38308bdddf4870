import type { BaseUrl } from '../../client/base-url.js';
import { withStatus } from '../../client/errors.js';
import { proxyFor } from '../../client/transport/connection.js';
import type { App } from '../app.js';
import { proxySettings } from '../connection/connect.js';
import { credentialAt, storageOf, type Credential } from '../settings/credential.js';
import type { Settings } from '../settings/settings.js';
import { fail, ok, skip, warn, type Finding } from './finding.js';
import { found, type Probe } from './service.js';

/** Where the settings come from. */
export const sourcesFound = (app: App, settings: Settings): Finding[] => {
  const { url, project, group, from } = settings;
  const credential = (url && credentialAt(app, settings, url)) ?? settings.credential;
  return [
    url ? ok('url', `${url.href} from ${from.url}`)
      : fail('url', 'no service is named', 'give --url, set COLLOQUY_URL, or log in with `colloquy auth login`'),
    credential ? ok('token', `from ${credential.from}${storage(app, credential)}`)
      : skip('token', 'none of the settings at hand names one'),
    project === null ? skip('project', 'none is named; --project or COLLOQUY_PROJECT does that')
      : ok('project', `${project} from ${from.project}`),
    group === null ? skip('group', 'none is named; --group or COLLOQUY_GROUP does that')
      : ok('group', `${group} from ${from.group}`),
  ];
};

const storage = (app: App, { profile: kept }: Credential): string => kept ? `, kept in ${storageOf(app, kept)}` : '';

/** How the way to the service is protected, and whom it goes through. */
export const wayFound = ({ env }: App, { origin }: BaseUrl, { tls }: Settings): Finding[] =>
  [proxyFound(env, origin), encryptionFound(env, origin, tls.ca)];

const proxyFound = (env: App['env'], origin: string): Finding => {
  try {
    const { proxy, noProxy } = proxySettings(env);
    const used = proxyFor(origin, { proxy, noProxy });
    if (used) return ok('proxy', `through ${used.origin}`);
    return ok('proxy', proxyFor(origin, { proxy }) ? `none, because of NO_PROXY` : 'none');
  } catch (error) {
    return fail('proxy', (error as Error).message, 'mend HTTPS_PROXY or HTTP_PROXY: http://host:port');
  }
};

const encryptionFound = (env: App['env'], origin: string, ca: string | null): Finding => {
  const { protocol, hostname } = new URL(origin);
  if (protocol === 'http:') {
    const isHere = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
    return isHere ? ok('encryption', 'none, and none is needed on this machine')
      : warn('encryption', 'the token travels readable for everybody on the way', 'use an address with https://');
  }
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    return warn('encryption', 'NODE_TLS_REJECT_UNAUTHORIZED=0 lets anybody stand in for the service',
      'unset it, and name the certificate authority with --ca-cert');
  }
  return ok('encryption', ca === null ? 'https' : `https, with the authorities in ${ca}`);
};

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
  return fail(check, `${name}: ${withStatus(status, words)}`, `check its name, and that the token's user is a member`);
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
