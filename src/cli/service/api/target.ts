import { apiUrl, type BaseUrl, partBelowApi } from '../../../client/base-url.js';
import { toPairsWithLists, type Params } from '../../../wire/forms.js';
import { usage } from '../../command-line/failure.js';

interface Containers {
  readonly project: string | null;
  readonly group: string | null;
}

export const hasPlaceholder = (path: string): boolean =>
  /(^|\/)(:(id|project|group)|\{(project|group)\})(?=[/?]|$)/.test(path);

/**
 * Accepts `projects/1`, `/projects/1`, `/api/v4/projects/1`, or a whole URL of the service. The settings fill in
 * `:project`, `:group`, and `:id` after `projects/` and `groups/`, as the API documentation writes it.
 * @throws Problem, and UnusablePathValue when it is outside the API
 */
export const targetFor = (path: string, base: BaseUrl, containers: Containers): string => {
  // Git Bash on Windows replaces one slash at the start, so that users write two.
  const [before, query] = splitQuery(partBelowApi(base, path.replace(/^\/+/, '/')));
  const filled = before.split('/').map((part, at, parts) => fillSegment(part, parts[at - 1], containers)).join('/');
  return apiUrl(base, `${filled}${query === undefined ? '' : `?${query}`}`).href.slice(base.href.length);
};

const splitQuery = (path: string): [string, string | undefined] => {
  const mark = path.indexOf('?');
  return mark < 0 ? [path, undefined] : [path.slice(0, mark), path.slice(mark + 1)];
};

const fillSegment = (part: string, before: string | undefined, containers: Containers): string => {
  const kind = placeholder(part) ?? (part === ':id' ? placeholder(`:${before?.slice(0, -1)}`) : undefined);
  if (kind === undefined) return checkedSegment(part);
  const value = containers[kind];
  if (value === null) {
    throw usage(`no ${kind} given for ${part}`,
      `pass --${kind} or set COLLOQUY_${kind.toUpperCase()}`);
  }
  return encodeURIComponent(value);
};

/** No path of the API has a segment that starts with a colon; the service would respond "project not found". */
const checkedSegment = (part: string): string => {
  if (!/^(:\w+|\{\w+\})$/.test(part)) return part;
  throw usage(`unknown placeholder ${part}`, 'use :project, :group, or :id after projects/ or groups/');
};

const placeholder = (part: string): keyof Containers | undefined => {
  const [, bare, braced] = /^(?::(project|group)|\{(project|group)\})$/.exec(part) ?? [];
  return (bare ?? braced) as keyof Containers | undefined;
};

/** `a[b]=1&c[]=2`; null becomes empty text. */
export const queryOf = (hash: Params): string =>
  toPairsWithLists(hash).map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');

export const withQuery = (target: string, query: string): string =>
  query === '' ? target : `${target}${target.includes('?') ? '&' : '?'}${query}`;
