import type { BaseUrl } from '../../../client/base-url.js';
import type { App, Git, Profile, ProfileKey, Profiles } from '../../app.js';
import { usage } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { newProfileHint } from '../../command-line/hints.js';
import { credentialOf, type CredentialSettings } from './credential.js';
import { address, type Candidate, demo, firstFound, type Found, projectPlaces, urlPlaces } from './sources.js';

export interface Settings extends CredentialSettings {
  readonly url: BaseUrl | null;
  readonly project: string | null;
  readonly group: string | null;
  readonly timeout: Found | null;
  readonly retries: Found | null;
  readonly tls: { readonly ca: Found | null; readonly cert: Found | null; readonly key: Found | null };
  readonly profile: string;
  readonly from: { readonly [K in 'url' | 'project' | 'group']: string | null };
  readonly reference?: Found;
}

/** Flag over environment over profile. @throws Problem for an unknown profile or an invalid URL */
export const settingsOf = async (app: App, flags: GlobalFlags): Promise<Settings> => {
  const { env } = app;
  const profiles = await app.profiles.read();
  const named = flags.profile ?? (env['COLLOQUY_PROFILE'] || undefined);
  const profile = profileNamed(profiles, named, flags.url !== undefined && flags.token !== undefined);
  const name = named ?? profiles.current;
  const kept = (key: ProfileKey): Candidate => [profile[key], `profile ${name}`];
  const found = {
    url: firstFound([flags.url, '--url'], ...urlPlaces(env), kept('url')),
    project: flags.sandbox ? sandboxValue(flags, env, 'project')
      : firstFound([flags.project, '--project'], ...projectPlaces(env), kept('project')),
    group: flags.sandbox ? sandboxValue(flags, env, 'group')
      : firstFound([flags.group, '--group'], [env['COLLOQUY_GROUP'], 'COLLOQUY_GROUP'], kept('group')),
  };
  const url = address(found.url);
  return {
    url, profile: name, profiles, isGuessed: false, tokenType: flags.tokenType,
    credential: credentialOf(app, flags, { profile, name, url }),
    project: containerOf(found.project), group: containerOf(found.group),
    from: { url: sourceOf(found.url), project: sourceOf(found.project), group: sourceOf(found.group) },
    ...callSettings(flags, profile, name, caOfJob(app.env, url)),
  };
};

const containerOf = (found: Found | null): string | null => found === null ? null : containerIn(found);

const sourceOf = (found: Found | null): string | null => found === null ? null : found.from;

const callSettings = (
  flags: GlobalFlags, profile: Profile, name: string, job: Candidate,
): Pick<Settings, 'timeout' | 'retries' | 'tls'> => {
  const first = (flag: string | undefined, key: ProfileKey) =>
    firstFound([flag, `--${key}`], [profile[key], `${key} of profile ${name}`]);
  return {
    timeout: first(flags.timeout, 'timeout'), retries: first(flags.retries, 'retries'),
    tls: {
      ca: firstFound([flags.caCert, '--ca-cert'], job) ?? first(undefined, 'ca-cert'),
      cert: first(flags.clientCert, 'client-cert'),
      key: first(flags.clientKey, 'client-key'),
    },
  };
};

/** The authority of the CI server says nothing about other services. */
const caOfJob = (env: App['env'], url: BaseUrl | null): Candidate => {
  const isOfJob = [env['CI_API_V4_URL'], env['CI_SERVER_URL']]
    .some((text) => text !== undefined && URL.canParse(text) && new URL(text).origin === url?.origin);
  return [isOfJob ? env['CI_SERVER_TLS_CA_FILE'] : undefined, 'CI_SERVER_TLS_CA_FILE'];
};

/** The sandbox has none of the user's projects: those of a CI job and a profile are ignored. */
const sandboxValue = (flags: GlobalFlags, env: App['env'], key: 'project' | 'group'): Found | null => {
  const variable = `COLLOQUY_${key.toUpperCase()}`;
  return firstFound([flags[key], `--${key}`], [env[variable], variable], [demo[key], 'the demo world']);
};

/** With a URL and a token given, the profile need not exist. */
const profileNamed = (all: Profiles, name: string | undefined, isUnneeded: boolean): Profile => {
  const profile = all.profiles[name ?? all.current];
  if (profile || name === undefined || isUnneeded) return profile ?? {};
  const known = Object.keys(all.profiles).join(', ');
  throw usage(`no profile named ${name}`,
    known ? `use one of: ${known}` : newProfileHint);
};

/** Without outer slashes and with `%2F` decoded. @throws Problem for a URL */
const containerIn = ({ value, from }: Found): string => {
  const path = value.replace(/%2f/gi, '/').replace(/^\/+|(?<!\/)\/+$/g, '');
  if (!/^[a-z]+:\/\//i.test(path)) return path;
  throw usage(`${from} takes an id or a path, not a URL`, hintFor(path));
};

const hintFor = (address: string): string => {
  const [, path] = /^[a-z]+:\/\/[^/]+\/(?:groups\/)?(.+?)(?:\.git)?(?:\/-\/.*)?$/is.exec(address) ?? [];
  return path === undefined ? 'write it as acme/app' : `write it as ${path}`;
};

export const isCi = (env: App['env']): boolean =>
  [env['CI'], env['GITLAB_CI']].some((value) => !['', 'false', '0'].includes(value ?? ''));

export const projectFolder = async (env: App['env'], workTree: Git['top']): Promise<string | null> =>
  env['CI_PROJECT_DIR'] || env['GITHUB_WORKSPACE'] || workTree();
