import type { BaseUrl } from '../../../client/base-url.js';
import { withStatus } from '../../../client/errors.js';
import { proxyFor } from '../../../client/transport/connection.js';
import { counted } from '../../../text/messages.js';
import { isLoopback, isParams, type Transport } from '../../../wire/http.js';
import { redactKnown } from '../../../wire/secrets/known.js';
import type { App } from '../../app.js';
import { movedProject, Problem } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { noUrlHint, permissionHint } from '../../command-line/hints.js';
import { formatOf } from '../../terminal/output/format.js';
import { listPrinter, wholeList } from '../../terminal/output/list-printer.js';
import {
  connectionSettings, openTransport, openTransportTo, proxySettings, requestOptions,
} from '../connection/client.js';
import {
  callSettings, type Credential, credentialAt, isCi, type Settings, settingsOf, storageOf, tokenFor,
} from '../settings/settings.js';
import { notTheApi } from '../connection/unsupported.js';
import { withRemotes } from '../settings/remotes.js';
import { forAnotherService, isJobIn, whyNotOfJob } from '../settings/sources.js';
import {
  checkFacts, checkKind, checkOwner, type CheckResult, checkService, exposureHint, fail, lookUp, ok,
  type PrintedResult, type Probe, probeOver, resultsText, resultView, skip, tokenFacts, warn,
} from './checks.js';

export const runDoctor = async (app: App, flags: GlobalFlags): Promise<void> => {
  const print = listPrinter(app, flags, resultView);
  const settings = await withRemotes(app, await settingsOf(app, flags));
  const checked = await checkAll(app, flags, settings);
  const results = checked.map((check) => withoutSecrets(printedResult(check, isCi(app.env)), app.secrets));
  const isText = formatOf(flags, app.out) === 'table' && flags.json === undefined;
  if (isText) await app.out.write(await resultsText(app, results));
  else await print(wholeList(results));
  const failed = results.filter(({ state }) => state === 'fail').map(({ check }) => check);
  if (failed.length > 0) {
    throw new Problem('failure', `${counted(failed.length, 'check')} failed: ${failed.join(', ')}`,
      'apply the hints above');
  }
};

/** A service or a proxy can repeat the token in any text, also encoded. */
const withoutSecrets = (result: PrintedResult, secrets: ReadonlySet<string>): PrintedResult => {
  const { message, hint } = result;
  return { ...result, message: redactKnown(message, secrets), hint: hint && redactKnown(hint, secrets) };
};

const printedResult = ({ hint, ...result }: CheckResult, isJob: boolean): PrintedResult =>
  ({ ...result, hint: hint === null || typeof hint === 'string' ? hint : (isJob ? hint.jobHint : null) ?? hint.hint });

const checkAll = async (app: App, flags: GlobalFlags, settings: Settings): Promise<CheckResult[]> => {
  if (flags.sandbox) {
    const { transport, base } = await openTransport(app, flags, { needsContainer: false });
    return checkConnectedService(app, transport, base, settings);
  }
  const sources = checkSources(app, settings);
  const { url } = settings;
  if (!url) return sources;
  const token = await tokenFor(app, settings, url).catch(asProblem);
  const calls = callSettings(app, flags, settings, url);
  const found = [
    ...sources.map((one) => one.check === 'token' && token instanceof Problem
      ? fail('token', token.message, token) : one),
    ...token instanceof Problem ? [] : [checkKind(token.token, token.tokenType)],
    checkProxy(app.env, url.origin), checkEncryption(app.env, url.origin, calls.tls.ca?.value ?? null),
  ];
  const retries = { value: flags.retries ?? '0', from: '--retries' };
  const limited = await connectionSettings(app, { ...calls, retries }).catch(asProblem);
  if (limited instanceof Problem) return [...found, fail('certificates', limited.message, limited)];
  const transport = await openTransportTo(app, { ...await requestOptions(app, flags), url,
    ...token instanceof Problem ? { token: null } : token, ...limited });
  const results = await checkConnectedService(app, transport, url, settings, token instanceof Problem);
  const isProjectThere = results.some(({ check, state }) => check === 'project there' && state === 'ok');
  const { CI_MERGE_REQUEST_IID: iid } = app.env;
  if (!isProjectThere || !iid) return [...found, ...results];
  const ofJob = isJobIn(app.env, url, settings.project!)
    ? await checkMergeRequest(probeOver(transport, app), settings, iid, app.env)
    : skip('merge request', forAnotherService('CI_MERGE_REQUEST_IID', url));
  return [...found, ...results, ofJob];
};

const asProblem = (error: unknown): Problem => {
  if (error instanceof Problem) return error;
  throw error;
};

const checkConnectedService = async (
  app: App, transport: Transport, url: BaseUrl, settings: Settings, isAnonymous = false,
): Promise<CheckResult[]> => {
  const probe = probeOver(transport, app);
  const { results, isThere } = await checkService(app, probe, url.href);
  if (!isThere || isAnonymous) return results;
  const owner = await checkOwner(probe, (settings.url && credentialAt(app, settings, url)?.type) ?? 'private');
  if (owner.state === 'fail') return [...results, owner];
  const facts = checkFacts(await tokenFacts(probe), app.now());
  return [...results, owner, ...facts, ...await checkContainers(probe, settings)];
};

const checkSources = (app: App, settings: Settings): CheckResult[] => {
  const { url, project, group, from, unused, profiles: { unknown = [] } } = settings;
  const why = (reason: string | null): string => reason === null ? '' : `; ${reason}`;
  const credential = (url && credentialAt(app, settings, url)) ?? settings.credential;
  return [
    ...unknown.map(({ message, hint }) => fail('profile file', message, hint)),
    url ? ok('url', `${url.href} from ${from.url}`)
      : fail('url', 'no service URL given', noUrlHint('run `colloquy auth login`')),
    credential ? checkStorage(app, credential) : skip('token', 'not set'),
    project === null ? skip('project', `not set; use --project or COLLOQUY_PROJECT${why(unused.project)}`)
      : ok('project', `${project} from ${from.project}`),
    group === null ? skip('group', `not set; use --group or COLLOQUY_GROUP${why(unused.group)}`)
      : ok('group', `${group} from ${from.group}`),
  ];
};

const checkStorage = (app: App, credential: Credential): CheckResult => {
  const { from, profile, type } = credential;
  const storage = profile ? `, stored in ${storageOf(app, profile)}` : '';
  const message = `from ${from}${storage}${type === 'bearer' ? ', sent as a bearer token' : ''}`;
  const hint = exposureHint(app, credential);
  return hint === null ? ok('token', message) : fail('token', message, hint);
};

const checkProxy = (env: App['env'], origin: string): CheckResult => {
  try {
    const { proxy, noProxy } = proxySettings(env);
    const used = proxyFor(origin, { proxy, noProxy });
    if (used) return ok('proxy', `through ${used.origin}`);
    return ok('proxy', proxyFor(origin, { proxy }) ? `none, because of NO_PROXY` : 'none');
  } catch (error) {
    return fail('proxy', (error as Error).message, 'set HTTPS_PROXY or HTTP_PROXY to http://host:port');
  }
};

const checkEncryption = (env: App['env'], origin: string, ca: string | null): CheckResult => {
  const { protocol, hostname } = new URL(origin);
  if (protocol === 'http:') {
    return isLoopback(hostname) ? ok('encryption', 'none, and none required on this machine')
      : warn('encryption', 'the token is sent unencrypted', 'use an https:// URL');
  }
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    return warn('encryption', 'NODE_TLS_REJECT_UNAUTHORIZED=0 disables certificate checks',
      'unset it, and pass the CA certificate with --ca-cert');
  }
  return ok('encryption', ca === null ? 'https' : `https, trusting the CA certificates in ${ca}`);
};

const checkContainers = async (probe: Probe, { project, group, from }: Settings): Promise<CheckResult[]> => [
  await checkEncodedSlashes(probe, project),
  ...project === null ? [] : [await checkContainer(probe, 'project', project, from.project)],
  ...group === null ? [] : [await checkContainer(probe, 'group', group, from.group)],
  await checkEpics(probe, group),
];

const isNumber = (name: string): boolean => /^\d+$/.test(name);

const missingProject = 'colloquy/doctor';

/**
 * Whether `%2F` arrives unchanged (behavior: requests.decoded-slash): a project found by its id must also be found by
 * its path; without one, the service must respond that the project is unknown, and not the route.
 */
const checkEncodedSlashes = async (probe: Probe, project: string | null): Promise<CheckResult> => {
  const byNumber = project !== null && isNumber(project) ? await lookUp(probe, `/projects/${project}`) : null;
  const known = byNumber?.['path_with_namespace'];
  const path = typeof known === 'string' ? known : project !== null && !isNumber(project) ? project : missingProject;
  const outcome = await probe(`/projects/${encodeURIComponent(path)}`);
  if ('failure' in outcome) return fail('%2F in paths', outcome.failure.message, useNumericIds);
  const { status, isOurs, isUnknown } = outcome.answer;
  const isLost = status !== 200 && (!isOurs || isUnknown || typeof known === 'string');
  return isLost ? fail('%2F in paths', 'a proxy in front of the service changes or rejects them', useNumericIds)
    : ok('%2F in paths', 'supported');
};

const useNumericIds = 'use numeric ids for projects and groups, or let the proxy pass encoded slashes';

const checkContainer = async (
  probe: Probe, kind: 'project' | 'group', name: string, from: string | null,
): Promise<CheckResult> => {
  const check = `${kind} there`;
  const outcome = await probe(`/${kind}s/${encodeURIComponent(name)}`);
  if ('failure' in outcome) return fail(check, outcome.failure.message, outcome.failure);
  const { status, isUnknown, serverMessage, body } = outcome.answer;
  if (status === 200) return foundContainer(kind, name, from, body);
  if (isUnknown) return skip(check, 'lookup not supported by the service');
  if (outcome.answer.lacksPermission) return warn(check, `${name}: ${serverMessage}`, permissionHint(serverMessage));
  if (kind === 'group' && status === 404 && from?.startsWith('git remote ')) {
    return skip(check, `no group ${name}, which ${from} suggests; only epics need a group`);
  }
  return fail(check, `${name}: ${withStatus(status, serverMessage)}`,
    'check the name and the membership of the token\'s user');
};

const foundContainer = (
  kind: 'project' | 'group', name: string, from: string | null, body: unknown,
): CheckResult => {
  const check = `${kind} there`;
  const { id, path_with_namespace: to } = isParams(body) ? body : {};
  if (typeof to === 'string' && !isNumber(name) && to.toLowerCase() !== name.toLowerCase()) {
    return warn(check, ...movedProject({ from: name, to }, from ?? undefined));
  }
  return Number.isInteger(id) ? ok(check, name)
    : fail(check, ...notTheApi(`GET /api/v4/${kind}s/${encodeURIComponent(name)}: the response is not a ${kind}`));
};

/** Checks for epics, by the list of the group or else by the edition. */
const checkEpics = async (probe: Probe, group: string | null): Promise<CheckResult> => {
  const tier = 'upgrade the tier to use epics; everything else works without';
  if (group !== null) {
    const outcome = await probe(`/groups/${encodeURIComponent(group)}/epics?per_page=1`);
    if ('answer' in outcome && outcome.answer.status === 200 && Array.isArray(outcome.answer.body)) {
      return ok('epics', `available in ${group}`);
    }
    if ('answer' in outcome && outcome.answer.status === 403 && !outcome.answer.lacksPermission) {
      return warn('epics', `not available in ${group}: ${outcome.answer.serverMessage}`, tier);
    }
  }
  const metadata = await lookUp(probe, '/metadata');
  if (metadata?.['enterprise'] === true) return ok('epics', 'available if the tier includes them');
  if (metadata?.['enterprise'] === false) return warn('epics', 'not available in this edition of the service', tier);
  return skip('epics', 'not reported by the service');
};

/** The merge request of a CI job, and whether the job has its newest commit. */
const checkMergeRequest = async (
  probe: Probe, { project, url }: Settings, iid: string, env: App['env'],
): Promise<CheckResult> => {
  const check = 'merge request';
  const job = env['CI_MERGE_REQUEST_SOURCE_BRANCH_SHA'] || env['CI_COMMIT_SHA'];
  if (!isNumber(iid)) {
    return fail(check, `CI_MERGE_REQUEST_IID is ${JSON.stringify(iid)}, not a number`, 'set it to its number');
  }
  const outcome = await probe(`/projects/${encodeURIComponent(project!)}/merge_requests/${iid}`);
  if ('failure' in outcome) return fail(check, outcome.failure.message, outcome.failure);
  const { status, serverMessage, body, lacksPermission } = outcome.answer;
  const name = `mr/${iid} from CI_MERGE_REQUEST_IID`;
  if (lacksPermission) return warn(check, `${name}: ${serverMessage}`, permissionHint(serverMessage));
  if (status !== 200) {
    return fail(check, `${name}: ${withStatus(status, serverMessage)}`,
      `check CI_MERGE_REQUEST_IID and that ${project} is its project`);
  }
  const found = isParams(body) ? body : {};
  const reason = whyNotOfJob(env, url, `mr/${iid} of ${project}`, found['id']);
  if (reason !== null) return fail(check, reason, 'name the merge request and its project in each command');
  const head = found['sha'];
  if (!job || typeof head !== 'string' || head === job) return ok(check, name);
  return warn(check, `the head of mr/${iid} is now ${head.slice(0, 8)}, and this job is for ${job.slice(0, 8)}`,
    'run a new pipeline: the results of this job are out of date');
};
