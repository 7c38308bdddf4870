import { readBaseUrl, type BaseUrl } from '../../client/base-url.js';
import type { App } from '../app.js';
import { Problem, usage } from '../failures.js';
import type { GlobalFlags } from '../flags/global.js';
import type { Profile, Profiles } from './profiles.js';

/** A token with where it was found and the base URL it was meant for; null binds it to no particular service. */
export interface Credential {
  readonly token: string;
  readonly from: string;
  readonly boundTo: BaseUrl | null;
}

/** Settings after flag, environment and profile have been laid over each other. */
export interface Settings {
  readonly url: BaseUrl | null;
  readonly credential: Credential | null;
  readonly project: string | null;
  readonly group: string | null;
  readonly timeout: string | null;
  readonly retries: string | null;
  readonly tls: { readonly ca: string | null; readonly cert: string | null; readonly key: string | null };
  readonly profile: string;
  readonly profiles: Profiles;
}

/** Flag over environment over profile. @throws Problem when a named profile or a URL is not usable */
export const settingsOf = async (app: App, flags: GlobalFlags): Promise<Settings> => {
  const { env } = app;
  const job = env['CI_MERGE_REQUEST_PROJECT_ID'] || env['CI_PROJECT_ID'];
  const profiles = await app.profiles.read();
  const name = flags.profile ?? filled(env['COLLOQUY_PROFILE']);
  const profile = profileNamed(profiles, name, flags.url !== undefined && flags.token !== undefined);
  const url = address(flags.url ?? environmentUrl(env) ?? profile.url);
  return {
    url,
    credential: credentialOf(flags, env, profile, name ?? profiles.current, url),
    project: first(flags.project, env['COLLOQUY_PROJECT'], job, profile.project),
    group: first(flags.group, env['COLLOQUY_GROUP'], profile.group),
    timeout: first(flags.timeout, profile.timeout),
    retries: first(flags.retries, profile.retries),
    tls: {
      ca: first(flags.caCert, profile['ca-cert']),
      cert: first(flags.clientCert, profile['client-cert']),
      key: first(flags.clientKey, profile['client-key']),
    },
    profile: name ?? profiles.current,
    profiles,
  };
};

/** A base URL as the user gave it. @throws Problem */
export const address = (text: string | undefined): BaseUrl | null => {
  if (text === undefined) return null;
  try {
    return readBaseUrl(text);
  } catch (error) {
    throw usage((error as Error).message);
  }
};

/** Who gives address and token needs no profile to be there. */
const profileNamed = (all: Profiles, name: string | undefined, isUnneeded: boolean): Profile => {
  const profile = all.profiles[name ?? all.current];
  if (profile || name === undefined || isUnneeded) return profile ?? {};
  const known = Object.keys(all.profiles).join(', ');
  throw usage(`there is no profile ${name}`,
    known ? `profiles: ${known}` : 'make one with `colloquy auth login --profile NAME`');
};

/** GITLAB_HOST may come without a scheme; CI_API_V4_URL with `/api/v4`, which the reader of base URLs takes off. */
const environmentUrl = (env: App['env']): string | undefined => {
  const host = filled(env['GITLAB_HOST']) ?? filled(env['GITLAB_URI']);
  const withScheme = host && (/^https?:\/\//i.test(host) ? host : `https://${host}`);
  return filled(env['COLLOQUY_URL']) ?? withScheme ?? filled(env['CI_API_V4_URL']) ?? filled(env['CI_SERVER_URL']);
};

const tokenVariables = ['COLLOQUY_TOKEN', 'GITLAB_TOKEN'];

/** A token of the command goes where the command goes; one from the environment or a profile belongs to a service. */
const credentialOf = (
  flags: GlobalFlags, env: App['env'], profile: Profile, name: string, url: BaseUrl | null,
): Credential | null => {
  if (flags.token !== undefined) return { token: flags.token, from: '--token', boundTo: address(flags.url) };
  const variable = tokenVariables.find((key) => filled(env[key]));
  if (variable) return { token: env[variable]!, from: variable, boundTo: url };
  if (profile.token === undefined) return null;
  return { token: profile.token, from: `profile ${name}`, boundTo: address(profile.url) };
};

/**
 * The token for a service.
 * @throws Problem when there is none, when it is meant for another origin, or when no header can carry it
 */
export const tokenFor = (app: App, settings: Settings, url: BaseUrl): string => {
  const token = boundToken(app, settings, url);
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new Problem('unauthenticated', 'the token has characters that no token has, such as a space or a line break',
    'check where it comes from; what it is stays untold');
};

const boundToken = (app: App, settings: Settings, url: BaseUrl): string => {
  const { credential } = settings;
  if (credential && (credential.boundTo === null || credential.boundTo.origin === url.origin)) return credential.token;
  const other = Object.values(settings.profiles.profiles).find((profile) => isFor(profile, url));
  if (other?.token !== undefined) return other.token;
  if (credential?.boundTo) {
    const { from, boundTo } = credential;
    throw new Problem('unauthenticated',
      `the token of ${from} is for ${boundTo.origin} and is not sent to ${url.origin}`,
      `log in there with \`colloquy auth login --url ${url.href} --profile NAME\``);
  }
  if (filled(app.env['CI_JOB_TOKEN'])) {
    throw new Problem('unauthenticated', 'the only credential is CI_JOB_TOKEN, which the service does not accept here',
      'make a project access token with scope api and hand it to the job as the masked variable COLLOQUY_TOKEN');
  }
  throw new Problem('unauthenticated', `there is no token for ${url.origin}`,
    'log in with `colloquy auth login`, or set COLLOQUY_TOKEN');
};

const isFor = ({ token, url }: Profile, { origin }: BaseUrl): boolean =>
  token !== undefined && address(url)?.origin === origin;

const filled = (value: string | undefined): string | undefined => value === '' ? undefined : value;

const first = (...values: (string | undefined)[]): string | null =>
  values.find((value) => filled(value) !== undefined) ?? null;
