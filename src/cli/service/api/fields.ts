import type { Params } from '../../../wire/forms.js';
import { yamlLimits } from '../../../yaml/limits.js';
import { usage } from '../../command-line/failure.js';

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

/** Created if missing: a list if `[]` follows. */
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
