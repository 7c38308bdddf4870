import { apiUrl, type BaseUrl, partBelowApi } from '../../../client/base-url.js';
import { type Params, toPairsWithLists } from '../../../wire/http.js';
import { type FormPart, multipartBody } from '../../../wire/multipart.js';
import { yamlLimits } from '../../../yaml/limits.js';
import type { App } from '../../app.js';
import { usage } from '../../command-line/failure.js';
import { noContainerHint } from '../../command-line/hints.js';
import { readBytes, readText } from '../../terminal/io/streams.js';
import type { Settings } from '../settings/settings.js';

export interface RequestField {
  readonly text: string;
  /** Whether `true`, `null`, integers and `@file` are converted. */
  readonly isTyped: boolean;
}

type ReadText = (path: string) => Promise<string>;

/**
 * `a[b][c]=1` nests, `a[]=1` appends to a list, `a[]` alone is an empty list. In a list of objects, a repeated key
 * starts the next object: `a[][x]=1 a[][y]=2 a[][x]=3`. @throws Problem
 */
export const valueOfFields = async (fields: readonly RequestField[], read: ReadText): Promise<Params> => {
  const root = emptyObject();
  for (const field of fields) {
    const { keys, text } = splitField(field);
    if (text === null) assignValue(root, keys.slice(0, -1), [], field.text);
    else assignValue(root, keys, field.isTyped ? await typedValue(text, read) : text, field.text);
  }
  return root;
};

const emptyObject = (): Params => Object.create(null) as Params;

/** An empty key stands for `[]`, a null text for an empty list. */
const splitField = ({ text }: RequestField): { keys: string[]; text: string | null } => {
  const [, name, rest] = /^([^=]*?)(?:=([\s\S]*))?$/.exec(text) ?? [];
  const [, first, brackets] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name ?? '') ?? [];
  if (first === undefined) {
    throw usage(`invalid field ${JSON.stringify(text)}`, 'write it as key=value, key[inner]=value or key[]=value');
  }
  const keys = [first, ...[...brackets!.matchAll(/\[([^[\]]*)\]/g)].map((match) => match[1]!)];
  if (keys.length > yamlLimits.depth) {
    throw usage(`field ${first} is nested too deeply`, `use at most ${yamlLimits.depth} levels`);
  }
  if (rest === undefined && keys.at(-1) !== '') throw usage(`field ${first} has no value`, `write it as ${name}=value`);
  return { keys, text: rest ?? null };
};

const typedValue = async (text: string, read: ReadText): Promise<unknown> => {
  if (text.startsWith('@')) return read(text.slice(1));
  if (/^(true|false|null|-?(0|[1-9]\d{0,14}))$/.test(text)) return JSON.parse(text) as unknown;
  return text;
};

type Container = Params | unknown[];

const assignValue = (root: Params, keys: readonly string[], value: unknown, text: string): void => {
  let at: Container = root;
  for (let i = 0; i < keys.length - 1; i++) at = containerAt(at, keys[i]!, keys.slice(i + 1), text);
  const last = keys.at(-1)!;
  if (Array.isArray(at)) at.push(value);
  else if (last === '') throw conflict(text);
  else if (isContainer(at[last]) && !isEmptyList(value)) throw conflict(text);
  else at[last] = isEmptyList(value) && Array.isArray(at[last]) ? at[last] : value;
};

const containerAt = (at: Container, key: string, [next, ...rest]: readonly string[], text: string): Container => {
  const made = () => next === '' ? [] : emptyObject();
  if (!Array.isArray(at)) {
    const found = (at[key] ??= made());
    if (!isContainer(found) || Array.isArray(found) !== (next === '')) throw conflict(text);
    return found;
  }
  const last = at.at(-1);
  const goesOn = isContainer(last) && !Array.isArray(last)
    && !(next! in last && (rest.length === 0 || !isContainer(last[next!])));
  if (!goesOn) at.push(made());
  return at.at(-1) as Container;
};

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

const conflict = (text: string) => usage(`field ${text.split('=', 1)[0]!} conflicts with an earlier field`,
  'use each key for one kind of value: text, a list or an object');

export const methods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

type Containers = Pick<Settings, 'project' | 'group' | 'unused'>;

export const hasPlaceholder = (path: string): boolean =>
  /(^|\/)(:(id|project|group)|\{(project|group)\})(?=[/?]|$)/.test(path);

/**
 * Accepts `projects/1`, `/projects/1`, `/api/v4/projects/1`, or a whole URL of the service. The settings fill in
 * `:project`, `:group`, and `:id` after `projects/` and `groups/`, as the API documentation writes it.
 * @throws Problem, and UnusablePathValue when it is outside the API
 */
export const targetFor = (path: string, base: BaseUrl, containers: Containers): string => {
  // Git Bash on Windows replaces one slash at the start, so that users write two.
  const [before = '', ...query] = partBelowApi(base, path.replace(/^\/+/, '/')).split('?');
  const filled = before.split('/').map((part, at, parts) => fillSegment(part, parts[at - 1], containers)).join('/');
  return apiUrl(base, [filled, ...query].join('?')).href.slice(base.href.length);
};

const fillSegment = (part: string, before: string | undefined, containers: Containers): string => {
  const kind = placeholder(part) ?? (part === ':id' ? placeholder(`:${before?.slice(0, -1)}`) : undefined);
  if (kind === undefined) return checkedSegment(part);
  const value = containers[kind];
  if (value === null) {
    throw usage(`no ${kind} given for ${part}`, noContainerHint(kind, containers.unused[kind]));
  }
  return encodeURIComponent(value);
};

/** No path of the API has a segment that starts with a colon; the service would respond "project not found". */
const checkedSegment = (part: string): string => {
  if (!/^(:\w+|\{\w+\})$/.test(part)) return part;
  throw usage(`unknown placeholder ${part}`, 'use :project, :group, or :id after projects/ or groups/');
};

const placeholder = (part: string): 'project' | 'group' | undefined => {
  const [, bare, braced] = /^(?::(project|group)|\{(project|group)\})$/.exec(part) ?? [];
  return (bare ?? braced) as 'project' | 'group' | undefined;
};

/** `a[b]=1&c[]=2`; null becomes empty text. */
export const queryOf = (hash: Params): string =>
  toPairsWithLists(hash).map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');

export const withQuery = (target: string, query: string): string =>
  query === '' ? target : `${target}${target.includes('?') ? '&' : '?'}${query}`;

export interface ContentFlags {
  readonly fields: readonly RequestField[];
  readonly form: readonly string[];
  readonly inputFile?: string;
  readonly contentType?: string;
}

interface Content {
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

const methodsWithoutBody = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS']);

export const requestContent = async (app: App, method: string, flags: ContentFlags): Promise<Content> => {
  const { fields, form, inputFile, contentType } = flags;
  if (form.length > 0 && (fields.length > 0 || inputFile !== undefined)) {
    throw usage('--form cannot be combined with other fields or --input', 'pass every part with --form');
  }
  if (form.length > 0 && methodsWithoutBody.has(method)) throw usage(`--form cannot be used with ${method}`);
  if (form.length > 0) return formContent(app, form);
  const values = await valueOfFields(fields, (path) => readText(app, path));
  const inQuery = inputFile !== undefined || methodsWithoutBody.has(method);
  const query = inQuery ? queryOf(values) : '';
  if (inputFile !== undefined) {
    const body = await readBytes(app, inputFile);
    return { query, headers: { 'content-type': contentType ?? detectedType(body) }, body };
  }
  if (inQuery || fields.length === 0) return { query, headers: {} };
  return { query, headers: { 'content-type': contentType ?? 'application/json' }, body: JSON.stringify(values) };
};

/** Only the first character decides on JSON: the service rejects invalid JSON itself. */
const detectedType = (bytes: Uint8Array): string => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).trimStart();
    return /^[[{"]|^(true|false|null|-?\d+(\.\d+)?)\s*$/.test(text) ? 'application/json' : 'text/plain';
  } catch {
    return 'application/octet-stream';
  }
};

const formContent = async (app: App, given: readonly string[]): Promise<Content> => {
  const parts: FormPart[] = [];
  for (const part of given) {
    const [, name, text = ''] = /^([^=]+)=([\s\S]*)$/.exec(part) ?? [];
    if (name === undefined) {
      throw usage(`invalid form part ${JSON.stringify(part)}`, 'write it as key=value or key=@file');
    }
    const filename = text === '@-' ? 'stdin' : text.slice(1).split(/[/\\]/).at(-1)!;
    parts.push([name, text.startsWith('@') ? { filename, bytes: await readBytes(app, text.slice(1)) } : text]);
  }
  return { query: '', ...await multipartBody(parts) };
};
