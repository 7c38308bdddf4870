import type { BaseUrl } from '../../../client/base-url.js';
import type { TokenType } from '../../../contract/conventions.js';
import type { App, Git, Profile, ProfileKey, Profiles } from '../../app.js';
import { Problem, usage } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { firstLogInHint, logInHint, newProfileHint, settingName, storeTokenHint } from '../../command-line/hints.js';
import { hasToken, warnOfUnknownKeys } from './profiles.js';
import {
  address, type Candidate, demo, firstFound, forAnotherService, type Found, isServiceAt, isServiceOfJob,
  jobProjectPlaces, profileAddress, tokenPlaces, tokenTypeFrom, unexpandedVariable, urlPlaces, withoutLineEnd,
} from './sources.js';

export interface Settings {
  readonly url: BaseUrl | null;
  /** Whether the url comes from a git remote, so that no token is known to be for it. */
  readonly isGuessed: boolean;
  readonly project: string | null;
  readonly group: string | null;
  readonly profile: string;
  readonly profiles: Profiles;
  readonly credential: Credential | null;
  readonly tokenType: TokenType | undefined;
  readonly from: { readonly [K in 'url' | 'project' | 'group']: string | null };
  /** Why the project and group of the CI job or the profile do not count; null if they do, or there is none. */
  readonly unused: { readonly [K in Container]: string | null };
  readonly reference?: Found;
}

type Container = 'project' | 'group';

/** Flag, environment, then job or profile of that service. @throws Problem for an unknown profile or an invalid URL */
export const settingsOf = async (app: App, flags: GlobalFlags): Promise<Settings> => {
  const { env } = app;
  const profiles = await app.profiles.read();
  if (profiles.unknown) await warnOfUnknownKeys(app, flags, profiles);
  const named = flags.profile ?? (env['COLLOQUY_PROFILE'] || undefined);
  const profile = profileNamed(profiles, named, flags.url !== undefined && flags.token !== undefined);
  const name = named ?? profiles.current;
  const kept = (key: ProfileKey): Candidate => [profile[key], `profile ${name}`];
  const foundUrl = firstFound([flags.url, '--url'], ...urlPlaces(env), kept('url'));
  const url = address(foundUrl);
  const isOfJob = isServiceOfJob(env, url);
  const isOfProfile = isServiceAt([profile.url], url);
  const usable = (key: Container): Candidate[] =>
    [...key === 'project' ? jobProjectPlaces(env, isOfJob) : [], ...isOfProfile ? [kept(key)] : []];
  const unusable = (key: Container): Candidate[] =>
    [...key === 'project' && !isOfJob ? jobProjectPlaces(env, true) : [], ...isOfProfile ? [] : [kept(key)]];
  const containerOf = (key: Container): Found | null => {
    const variable = `COLLOQUY_${key.toUpperCase()}`;
    return firstFound([flags[key], `--${key}`], [env[variable], variable],
      ...flags.sandbox ? [[demo[key], 'the demo world'] as const] : usable(key));
  };
  const unusedOf = (key: Container): string | null => {
    const unused = firstFound(...unusable(key));
    return unused && forAnotherService(settingName(key, unused.from), url);
  };
  const [project, group] = [containerOf('project'), containerOf('group')];
  return {
    url, profile: name, profiles, isGuessed: false, tokenType: flags.tokenType,
    credential: credentialOf(app, flags, profile, name, url),
    project: project && containerIn(project), group: group && containerIn(group),
    from: { url: settingSource(foundUrl), project: settingSource(project), group: settingSource(group) },
    unused: { project: unusedOf('project'), group: unusedOf('group') },
  };
};

const settingSource = (found: Found | null): string | null => found === null ? null : found.from;

export interface CallSettings {
  readonly timeout: Found | null;
  readonly retries: Found | null;
  readonly tls: { readonly ca: Found | null; readonly cert: Found | null; readonly key: Found | null };
}

export const callSettings = (app: App, flags: GlobalFlags, settings: Settings, url: BaseUrl): CallSettings => {
  const [name, profile] = profileFor(app, settings, url);
  const kept = (key: ProfileKey): Candidate => [profile[key], `${key} of profile ${name}`];
  const own = (key: ProfileKey): Candidate[] => isElsewhere(name, profile, url) ? [] : [kept(key)];
  return {
    timeout: firstFound([flags.timeout, '--timeout'], kept('timeout')),
    retries: firstFound([flags.retries, '--retries'], kept('retries')),
    tls: {
      ca: firstFound([flags.caCert, '--ca-cert'], caOfJob(app.env, url), kept('ca-cert')),
      cert: firstFound([flags.clientCert, '--client-cert'], ...own('client-cert')),
      key: firstFound([flags.clientKey, '--client-key'], ...own('client-key')),
    },
  };
};

const profileFor = (app: App, settings: Settings, url: BaseUrl): readonly [name: string, profile: Profile] => {
  const { profile: name, profiles: { profiles } } = settings;
  const selected = [name, profiles[name] ?? {}] as const;
  const owner = credentialAt(app, settings, url)?.profile;
  const isFor = ([name, profile]: readonly [string, Profile]): boolean =>
    owner ? profile === owner : isAt(name, profile, url);
  if (!owner && !isElsewhere(...selected, url)) return selected;
  return Object.entries(profiles).find(isFor) ?? selected;
};

/** The authority of the CI server says nothing about other services. */
const caOfJob = (env: App['env'], url: BaseUrl | null): Candidate => {
  const isOfJob = [env['CI_API_V4_URL'], env['CI_SERVER_URL']]
    .some((text) => text !== undefined && URL.canParse(text) && new URL(text).origin === url?.origin);
  return [isOfJob ? env['CI_SERVER_TLS_CA_FILE'] : undefined, 'CI_SERVER_TLS_CA_FILE'];
};

/** @param isUnneeded with a URL and a token given, the profile need not exist @throws Problem for an unknown profile */
export const profileNamed = (all: Profiles, name: string | undefined, isUnneeded = false): Profile => {
  const profile = all.profiles[name ?? all.current];
  if (profile || name === undefined || isUnneeded) return profile ?? {};
  const known = Object.keys(all.profiles).join(', ');
  throw usage(`no profile named ${name}`, known ? `use one of: ${known}` : newProfileHint);
};

/** Without outer slashes and with `%2F` decoded. @throws Problem for a URL */
const containerIn = ({ value, from }: Found): string => {
  const path = value.replace(/%2f/gi, '/').replace(/^\/+|(?<!\/)\/+$/g, '');
  if (!/^[a-z]+:\/\//i.test(path)) return path;
  const [, meant = 'acme/app'] = /^[a-z]+:\/\/[^/]+\/(?:groups\/)?(.+?)(?:\.git)?(?:\/-\/.*)?$/is.exec(path) ?? [];
  throw usage(`${from} takes an id or a path, not a URL`, `write it as ${meant}`);
};

export const isCi = (env: App['env']): boolean =>
  [env['CI'], env['GITLAB_CI']].some((value) => !['', 'false', '0'].includes(value ?? ''));

/**
 * Where the files of a merge request can be in a job. A container of its own may not have the folder of the variables.
 * @param folder where the command runs, which counts where nothing else does
 */
export const projectFolders = async (
  env: App['env'], workTree: Git['top'], folder: string, isThere: (path: string) => Promise<boolean>,
): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const path of [env['CI_PROJECT_DIR'], env['GITHUB_WORKSPACE'], await workTree()]) {
    if (path && await isThere(path)) found.push(path);
  }
  return found.length > 0 ? found : [folder];
};

/** `boundTo` is null if no service was given with the token. */
export interface Credential {
  readonly read: () => Promise<string>;
  readonly from: string;
  readonly type: TokenType;
  readonly profile: Profile | null;
  readonly boundTo: BaseUrl | null;
}

/** A token of the command line is for the service of --url; any other is for the service of the settings. */
const credentialOf = (
  app: App, flags: GlobalFlags, profile: Profile, name: string, url: BaseUrl | null,
): Credential | null => {
  const given = (token: string, from: string, boundTo: BaseUrl | null): Credential => ({
    read: async () => withoutLineEnd(token), from, boundTo, profile: null,
    type: tokenTypeFrom(flags.tokenType, app.env, profile, name) ?? 'private',
  });
  if (flags.token !== undefined) return given(flags.token, '--token', address(firstFound([flags.url, '--url'])));
  const found = firstFound(...tokenPlaces(app.env));
  if (found) return given(found.value, found.from, url);
  return hasToken(profile) ? ofProfile(app, flags.tokenType, name, profile) : null;
};

const ofProfile = (app: App, type: TokenType | undefined, name: string, profile: Profile): Credential => ({
  type: tokenTypeFrom(type, app.env, profile, name) ?? 'private',
  read: () => storedToken(app, name, profile), from: `profile ${name}`, boundTo: profileAddress(name, profile), profile,
});

export const withTokenFrom = (settings: Settings, from: string): Settings =>
  settings.credential === null ? settings : { ...settings, credential: { ...settings.credential, from } };

/** Of the settings if it may go there, else of a profile for the URL; else for the origin if the selected is not. */
export const credentialAt = (app: App, settings: Settings, url: BaseUrl): Credential | null => {
  const { credential } = settings;
  const isMeant = credential === null ? isOfSelected(settings, url) : isMeantFor(credential, settings, url);
  if (isMeant && (credential?.profile === null || settings.url?.href === url.href)) return credential;
  const others = Object.entries(settings.profiles.profiles)
    .filter(([name, profile]) => hasToken(profile) && isAt(name, profile, url));
  const exact = others.find(([name, profile]) => profileAddress(name, profile)?.href === url.href);
  if (isMeant && !exact) return credential;
  const other = exact ?? others[0];
  return other ? ofProfile(app, settings.tokenType, ...other) : null;
};

export interface SentToken { readonly token: string; readonly tokenType: TokenType }

/** @throws Problem when there is none, when it is meant for another origin, or when no header can carry it */
export const tokenFor = async (app: App, settings: Settings, url: BaseUrl): Promise<SentToken> => {
  const { token, from, tokenType } = await boundToken(app, settings, url);
  const variable = unexpandedVariable(token);
  if (variable !== null) {
    throw new Problem('unauthenticated', `the token from ${from} is ${token}, a variable that was not expanded`,
      `set ${variable} for this job or shell; GitLab keeps protected variables from jobs of unprotected branches`);
  }
  app.secrets.add(token);
  if (token === app.env['CI_JOB_TOKEN']) throw jobToken();
  if (token.startsWith('glcbt-')) throw jobToken('the token is a CI job token');
  if (/^[\x21-\x7e]+$/.test(token)) return { token, tokenType };
  if (token === '') throw new Problem('unauthenticated', 'the token is empty', 'set it, or omit --token');
  throw new Problem('unauthenticated',
    `the token from ${from} contains invalid characters, such as a space or a line break`,
    'check where it comes from; its value is not shown');
};

const boundToken = async (app: App, settings: Settings, url: BaseUrl) => {
  const used = credentialAt(app, settings, url);
  if (used) return { token: await used.read(), from: used.from, tokenType: used.type };
  const { credential } = settings;
  if (credential?.boundTo) {
    const { from, boundTo } = credential;
    throw new Problem('unauthenticated',
      `the token from ${from} is for ${boundTo.origin} and is not sent to ${url.origin}`,
      {
        hint: `log in there with \`colloquy auth login --url ${url.href} --profile NAME\``,
        jobHint: 'set COLLOQUY_URL and COLLOQUY_TOKEN for that service',
      });
  }
  if (credential) {
    const source = settings.from.url ?? 'the pasted URL';
    const jobHint = `confirm it with --url ${url.href} or COLLOQUY_URL`;
    throw new Problem('unauthenticated',
      `cannot tell whether ${credential.from} is for ${url.origin}, which ${source} names`,
      { hint: `${jobHint}, or log in with \`colloquy auth login --url ${url.href}\``, jobHint });
  }
  throw noToken(app, settings, url);
};

const noToken = ({ env }: App, settings: Settings, url: BaseUrl): Problem => {
  if (env['CI_JOB_TOKEN']) return jobToken();
  const place = isOfSelected(settings, url) ? ` in profile ${settings.profile}` : '';
  return new Problem('unauthenticated', `no token for ${url.origin}${place}`, logInHint);
};

/**
 * Before anything else that is missing is named. @param base of a pasted URL
 * @throws Problem if no token is set for the service, or neither is set
 */
export const checkLogin = (app: App, { sandbox }: GlobalFlags, settings: Settings, base?: string): void => {
  const { url, credential, profiles: { profiles } } = settings;
  if (sandbox || base !== undefined || credential) return;
  if (!url) {
    const names = Object.keys(profiles).filter((name) => hasToken(profiles[name]!));
    throw new Problem('unauthenticated', 'not logged in', firstLogInHint(names));
  }
  if (!credentialAt(app, settings, url)) throw noToken(app, settings, url);
};

/**
 * Git remotes and pasted URLs come from other people, so they alone never decide where a token is sent. A token of the
 * command line may go to a URL of the command line; any token may go to the service of a profile.
 */
const isMeantFor = (
  { boundTo, from }: Credential, { isGuessed, profiles }: Settings, url: BaseUrl,
): boolean => {
  if (boundTo !== null) return boundTo.origin === url.origin;
  return (from === '--token' && !isGuessed)
    || Object.entries(profiles.profiles).some(([name, profile]) => isAt(name, profile, url));
};

const jobToken = (finding = 'the only credential is CI_JOB_TOKEN'): Problem => new Problem('unauthenticated',
  `${finding}, which can only read notes of merge requests`,
  'create a project access token with scope api and pass it to the job in the masked variable COLLOQUY_TOKEN');

const isAt = (name: string, profile: Profile, { origin }: BaseUrl): boolean =>
  profileAddress(name, profile)?.origin === origin;

const isOfSelected = ({ profile: name, profiles: { profiles } }: Settings, url: BaseUrl): boolean =>
  isAt(name, profiles[name] ?? {}, url);

const isElsewhere = (name: string, profile: Profile, url: BaseUrl): boolean =>
  profileAddress(name, profile) !== null && !isAt(name, profile, url);

type TokenEntry = Pick<Profile, 'token' | 'keyring'>;

export const withoutToken = { token: undefined, keyring: undefined } as const;

/** A secret is for one profile of one file and one origin: a changed url finds none. */
const accountOf = ({ profiles }: App, name: string, url: string | undefined): string =>
  `${name} ${profileAddress(name, { ...(url !== undefined && { url }) })?.origin ?? ''} ${profiles.path}`;

/** @throws Problem when the keyring does not return it */
export const storedToken = async (app: App, name: string, { token, url }: Profile): Promise<string> => {
  if (token !== undefined) return token;
  const secret = await app.profiles.keyring.get(accountOf(app, name, url)).catch((error: Error) => {
    throw new Problem('unauthenticated',
      `cannot read the token of profile ${name} from the system keyring: ${error.message}`,
      storeTokenHint('unlock the keyring, or log in again with `colloquy auth login --insecure-storage`'),
      { cause: error });
  });
  if (secret !== null) return secret;
  throw new Problem('unauthenticated', `the token of profile ${name} is no longer in the system keyring`,
    storeTokenHint('log in again with `colloquy auth login`'));
};

export interface StoredToken {
  readonly entry: TokenEntry;
  /** Why it is not in the keyring; null if it is. */
  readonly reason: string | null;
}

/** Stores a token in the system keyring if that works, else returns it for the profile file. */
export const storeToken = async (app: App, name: string, url: string, token: string): Promise<StoredToken> => {
  try {
    await app.profiles.keyring.set(accountOf(app, name, url), token);
    return { entry: { keyring: true }, reason: null };
  } catch (error) {
    return { entry: { token }, reason: (error as Error).message };
  }
};

/** @returns the error message of the keyring; null if it succeeds */
export const removeToken = async (app: App, name: string, { keyring, url }: Profile): Promise<string | null> => {
  if (!keyring) return null;
  return app.profiles.keyring.remove(accountOf(app, name, url)).then(() => null, (error: Error) => error.message);
};

export const storageOf = ({ profiles }: App, { keyring }: TokenEntry): string =>
  keyring ? 'the system keyring' : `${profiles.path}, which ${profiles.isExposed() ? 'others' : 'only you'} can read`;
