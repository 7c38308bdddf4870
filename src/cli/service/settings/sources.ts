import { type BaseUrl, readBaseUrl } from '../../../client/base-url.js';
import { type TokenType, tokenTypes } from '../../../contract/conventions.js';
import { nearestName } from '../../../text/messages.js';
import { plainLine } from '../../../text/plain.js';
import type { App, Profile, Profiles } from '../../app.js';
import { usage } from '../../command-line/failure.js';
import { settingName } from '../../command-line/hints.js';

/** `from` as messages show it: `--url`, `COLLOQUY_URL`, `profile work`. */
export interface Found {
  readonly value: string;
  readonly from: string;
}

export type Candidate = readonly [value: string | undefined, from: string];

/** An empty text is no value. */
export const firstFound = (...places: readonly Candidate[]): Found | null => {
  const found = places.find(([value]) => value !== undefined && value !== '');
  return found ? { value: found[0]!, from: found[1] } : null;
};

/** A host as people write it: `gitlab.example.com`, `localhost:3000/git`. */
const isHost = (text: string): boolean => /^(?:[\w-]+\.)*[\w-]+(?:\.[\w-]+|:\d{1,5})(?:\/|$)/.test(text);

const isPage = /^(?:https?:\/\/)?[^/@]+\/[^?#]+\/-\/./i;

/** A host alone means https. @throws Problem that names the source of the URL */
export const address = (found: Found | null): BaseUrl | null => {
  if (found === null) return null;
  const { value, from } = found;
  if (isPage.test(value)) throw pageProblem(settingName('url', from));
  try {
    return readBaseUrl(isHost(value) ? `https://${value}` : value);
  } catch (error) {
    const name = settingName('url', from);
    throw usage(`${name}: ${(error as Error).message}`, `check ${name}`);
  }
};

const pageProblem = (name: string) =>
  usage(`${name} is the address of a page`, `pass the page as the reference; ${name} is only the start of it`);

export const profileAddress = (name: string, { url }: Pick<Profile, 'url'>): BaseUrl | null =>
  address(firstFound([url, `profile ${name}`]));

type Env = App['env'];

const variables = (env: Env, names: readonly string[]): Candidate[] => names.map((name) => [env[name], name]);

/** In order. GITLAB_HOST may lack a scheme. */
export const urlPlaces = (env: Env): Candidate[] => [
  [env['COLLOQUY_URL'], 'COLLOQUY_URL'],
  [withScheme(env['GITLAB_HOST']), 'GITLAB_HOST'],
  [withScheme(env['GITLAB_URI']), 'GITLAB_URI'],
  ...variables(env, ['CI_API_V4_URL', 'CI_SERVER_URL']),
];

/**
 * A merge request pipeline may run in a fork: the target project wins. On another service, such as one with an internal
 * name, the id may be that of a stranger's project.
 */
export const jobProjectPlaces = (env: Env, isOfJob: boolean): Candidate[] => variables(env, isOfJob
  ? ['CI_MERGE_REQUEST_PROJECT_ID', 'CI_PROJECT_ID'] : ['CI_MERGE_REQUEST_PROJECT_PATH', 'CI_PROJECT_PATH']);

export const isServiceAt = (addresses: readonly (string | undefined)[], url: BaseUrl | null): boolean => {
  const known = addresses.filter((text): text is string => text !== undefined && text !== '');
  return known.length === 0 || known.some((text) => hrefOf(text) === url?.href);
};

const hrefOf = (text: string): string | null => {
  try {
    return address({ value: text, from: '' })!.href;
  } catch {
    return null;
  }
};

export const basesOf = (
  { url, profiles }: { readonly url: BaseUrl | null; readonly profiles: Profiles },
): readonly string[] => [
  ...url ? [url.href] : [],
  ...Object.values(profiles.profiles).flatMap((profile) => (profile.url && hrefOf(profile.url)) || []),
];

export const isServiceOfJob = (env: Env, url: BaseUrl | null): boolean =>
  isServiceAt([env['CI_API_V4_URL'], env['CI_SERVER_URL']], url);

/** Whether the number of the job's merge request can count in this project (`whyNotOfJob`). */
export const isJobIn = (env: Env, url: BaseUrl | null, project: string): boolean => isServiceOfJob(env, url)
  || (Boolean(env['CI_MERGE_REQUEST_ID'])
    && firstFound(...jobProjectPlaces(env, false))?.value.toLowerCase() === project.toLowerCase());

/** Null for the one of the job: at another address, its number and project can be those of a stranger's. */
export const whyNotOfJob = (env: Env, url: BaseUrl | null, name: string, id: unknown): string | null => {
  const ofJob = env['CI_MERGE_REQUEST_ID'];
  if (isServiceOfJob(env, url) || String(id) === ofJob) return null;
  return plainLine(`${name} at ${url?.href} is not the merge request of the job: `
    + `its id is ${String(id)}, CI_MERGE_REQUEST_ID is ${ofJob}`);
};

export const forAnotherService = (name: string, url: BaseUrl | null): string =>
  `${name} is for another service than ${url?.href}`;

export const tokenPlaces = (env: Env): Candidate[] => variables(env, ['COLLOQUY_TOKEN', 'GITLAB_TOKEN']);

export const overridingVariable = (env: Env, { url = '' }: Profile): string | null => {
  const token = firstFound(...tokenPlaces(env));
  if (token !== null) return token.from;
  const place = firstFound(...urlPlaces(env));
  return place !== null && hrefOf(place.value) !== hrefOf(url) ? place.from : null;
};

/** How the token of a profile is sent, where flags and environment do not say. @throws Problem */
export const tokenTypeFrom = (
  flag: TokenType | undefined, env: Env, { 'token-type': stored }: Profile, name: string,
): TokenType | null => {
  const found = firstFound([flag, '--token-type'], [env['COLLOQUY_TOKEN_TYPE'], 'COLLOQUY_TOKEN_TYPE'],
    [stored, `token-type of profile ${name}`]);
  return found === null ? null : readTokenType(found);
};

export const readTokenType = ({ value, from }: Found): TokenType => {
  const type = tokenTypes.find((each) => each === value);
  if (type !== undefined) return type;
  throw usage(`invalid value ${JSON.stringify(value)} for ${from}`, `use ${tokenTypes.join(' or ')}`);
};

/** A file or a variable of a CI service often ends in one. */
export const withoutLineEnd = (token: string): string => token.replace(/[\r\n]+$/, '');

/** The name of a variable that a shell or a CI service did not replace: `$NAME`, `${NAME}`, `$(NAME)`, `%NAME%`. */
export const unexpandedVariable = (token: string): string | null =>
  /^(?:\$(?:env:)?(\w+)|\$\{(\w+)\}|\$\((\w+)\)|%(\w+)%)$/.exec(token)?.slice(1).find(Boolean) ?? null;

/** The variables without which a command can fail. */
const settingVariables = ['COLLOQUY_URL', 'COLLOQUY_TOKEN', 'COLLOQUY_PROJECT', 'COLLOQUY_GROUP'];

/** Null unless a variable is set whose name is almost that of a setting that is not set. */
export const misspelledVariable = (env: Env): string | null => {
  const missing = settingVariables.filter((name) => !env[name]);
  for (const name of Object.keys(env)) {
    const meant = env[name] ? nearestName(name, missing, 0.2) : null;
    if (meant !== null) return `${name} is set: did you mean ${meant}?`;
  }
  return null;
};

const withScheme = (host: string | undefined): string | undefined =>
  host && !/^https?:\/\//i.test(host) ? `https://${host}` : host;

export const pastedUrl = 'the pasted URL';

export const pastedPlace = (url: string | undefined): Found | null => firstFound([url, pastedUrl]);

export const demo = { project: 'acme/app', group: 'acme' } as const;
