import type { App } from '../app.js';
import type { Place } from './found.js';

type Env = App['env'];

const variables = (env: Env, names: readonly string[]): Place[] => names.map((name) => [env[name], name]);

/** Where the environment may name the service, the first first. GITLAB_HOST may come without a scheme. */
export const urlPlaces = (env: Env): Place[] => [
  [env['COLLOQUY_URL'], 'COLLOQUY_URL'],
  [withScheme(env['GITLAB_HOST']), 'GITLAB_HOST'],
  [withScheme(env['GITLAB_URI']), 'GITLAB_URI'],
  ...variables(env, ['CI_API_V4_URL', 'CI_SERVER_URL']),
];

/** Where the environment may name the project. A merge request's pipeline runs in a fork, and is about its target. */
export const projectPlaces = (env: Env): Place[] =>
  variables(env, ['COLLOQUY_PROJECT', 'CI_MERGE_REQUEST_PROJECT_ID', 'CI_PROJECT_ID']);

/** Where the environment may hold the token. */
export const tokenPlaces = (env: Env): Place[] => variables(env, ['COLLOQUY_TOKEN', 'GITLAB_TOKEN']);

const withScheme = (host: string | undefined): string | undefined =>
  host && !/^https?:\/\//i.test(host) ? `https://${host}` : host;
