import type { BaseUrl } from '../../client/base-url.js';
import type { App } from '../app.js';
import { demo } from '../demo.js';
import { usage } from '../failures.js';
import type { GlobalFlags } from '../flags/global.js';
import { address } from './address.js';
import { containerIn } from './container.js';
import { credentialOf, type Credential } from './credential.js';
import { projectPlaces, urlPlaces } from './environment.js';
import { firstFound, type Found, type Place } from './found.js';
import type { Profile, ProfileKey, Profiles } from './profiles.js';

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
  /** Where each was found, in the words of messages. */
  readonly from: { readonly [K in 'url' | 'project' | 'group']: string | null };
  /** What the command is about, once that is known. */
  readonly reference?: Found;
  /** Whether a git remote named the url: then nobody has said that a token is for it. */
  readonly isGuessed: boolean;
}

/** Flag over environment over profile. @throws Problem when a named profile or a URL is not usable */
export const settingsOf = async (app: App, flags: GlobalFlags): Promise<Settings> => {
  const { env } = app;
  const profiles = await app.profiles.read();
  const named = flags.profile ?? (env['COLLOQUY_PROFILE'] || undefined);
  const profile = profileNamed(profiles, named, flags.url !== undefined && flags.token !== undefined);
  const name = named ?? profiles.current;
  const kept = (key: ProfileKey): Place => [profile[key], `profile ${name}`];
  const found = {
    url: firstFound([flags.url, '--url'], ...urlPlaces(env), kept('url')),
    project: flags.sandbox ? inDemo(flags, env, 'project')
      : firstFound([flags.project, '--project'], ...projectPlaces(env), kept('project')),
    group: flags.sandbox ? inDemo(flags, env, 'group')
      : firstFound([flags.group, '--group'], [env['COLLOQUY_GROUP'], 'COLLOQUY_GROUP'], kept('group')),
  };
  const url = address(found.url?.value);
  return {
    url, profile: name, profiles, isGuessed: false,
    credential: credentialOf(app, flags, { profile, name, url }),
    project: containerOf(found.project), group: containerOf(found.group),
    from: { url: sourceOf(found.url), project: sourceOf(found.project), group: sourceOf(found.group) },
    ...callSettings(flags, profile),
  };
};

const valueOf = (found: Found | null): string | null => found === null ? null : found.value;

const containerOf = (found: Found | null): string | null => found === null ? null : containerIn(found);

const sourceOf = (found: Found | null): string | null => found === null ? null : found.from;

/** What flag and profile say of single calls. */
const callSettings = (flags: GlobalFlags, profile: Profile): Pick<Settings, 'timeout' | 'retries' | 'tls'> => {
  const first = (flag: string | undefined, key: ProfileKey) =>
    valueOf(firstFound([flag, ''], [profile[key], '']));
  return {
    timeout: first(flags.timeout, 'timeout'), retries: first(flags.retries, 'retries'),
    tls: {
      ca: first(flags.caCert, 'ca-cert'), cert: first(flags.clientCert, 'client-cert'),
      key: first(flags.clientKey, 'client-key'),
    },
  };
};

/** The sandbox knows nothing of the user's projects: a job's and a profile's are passed over. */
const inDemo = (flags: GlobalFlags, env: App['env'], key: 'project' | 'group'): Found | null => {
  const variable = `COLLOQUY_${key.toUpperCase()}`;
  return firstFound([flags[key], `--${key}`], [env[variable], variable], [demo[key], 'the demo world']);
};

/** Who gives address and token needs no profile to be there. */
const profileNamed = (all: Profiles, name: string | undefined, isUnneeded: boolean): Profile => {
  const profile = all.profiles[name ?? all.current];
  if (profile || name === undefined || isUnneeded) return profile ?? {};
  const known = Object.keys(all.profiles).join(', ');
  throw usage(`there is no profile ${name}`,
    known ? `profiles: ${known}` : 'make one with `colloquy auth login --profile NAME`');
};
