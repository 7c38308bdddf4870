import type { Params } from '../../wire/forms.js';
import { usage } from '../errors/failure.js';

/** A field as it was given: `a[b][]=text`. */
export interface Field {
  readonly text: string;
  /** Whether `true`, `null`, whole numbers and `@file` mean what they say. */
  readonly isTyped: boolean;
}

/** Reads the value of a typed field that names a file. */
export type ReadText = (path: string) => Promise<string>;

/**
 * Fields as one value: `a[b][c]=1` nests, `a[]=1` adds to a list, `a[]` alone is an empty list, and in a list of hashes
 * a key that the last hash has already begins the next: `a[][x]=1 a[][y]=2 a[][x]=3`.
 * @throws Problem
 */
export const valueOfFields = async (fields: readonly Field[], read: ReadText): Promise<Params> => {
  const root = empty();
  for (const field of fields) {
    const { keys, text } = parted(field);
    if (text === null) place(root, keys.slice(0, -1), [], field.text);
    else place(root, keys, field.isTyped ? await typed(text, read) : text, field.text);
  }
  return root;
};

const empty = (): Params => Object.create(null) as Params;

/** The keys before the `=`, an empty one for `[]`, and the text behind it; null for an empty list. */
const parted = ({ text }: Field): { keys: string[]; text: string | null } => {
  const [, name, rest] = /^([^=]*?)(?:=([\s\S]*))?$/.exec(text) ?? [];
  const [, first, brackets] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name ?? '') ?? [];
  if (first === undefined) {
    throw usage(`invalid field ${JSON.stringify(text)}`, 'write it as key=value, key[inner]=value or key[]=value');
  }
  const keys = [first, ...[...brackets!.matchAll(/\[([^[\]]*)\]/g)].map((match) => match[1]!)];
  if (rest === undefined && keys.at(-1) !== '') throw usage(`field ${first} has no value`, `write it as ${name}=value`);
  return { keys, text: rest ?? null };
};

const typed = async (text: string, read: ReadText): Promise<unknown> => {
  if (text.startsWith('@')) return read(text.slice(1));
  if (/^(true|false|null|-?(0|[1-9]\d{0,14}))$/.test(text)) return JSON.parse(text) as unknown;
  return text;
};

type Holder = Params | unknown[];

const place = (root: Params, keys: readonly string[], value: unknown, text: string): void => {
  let at: Holder = root;
  for (let i = 0; i < keys.length - 1; i++) at = inside(at, keys[i]!, keys.slice(i + 1), text);
  const last = keys.at(-1)!;
  if (Array.isArray(at)) at.push(value);
  else if (last === '') throw clash(text);
  else if (isHolder(at[last]) && !isEmptyList(value)) throw clash(text);
  else at[last] = isEmptyList(value) && Array.isArray(at[last]) ? at[last] : value;
};

/** What a key leads to: made where it is missing, a list where `[]` follows. */
const inside = (at: Holder, key: string, [next, ...rest]: readonly string[], text: string): Holder => {
  const made = () => next === '' ? [] : empty();
  if (!Array.isArray(at)) {
    const found = (at[key] ??= made());
    if (!isHolder(found) || Array.isArray(found) !== (next === '')) throw clash(text);
    return found;
  }
  const last = at.at(-1);
  const goesOn = isHolder(last) && !Array.isArray(last)
    && !(next! in last && (rest.length === 0 || !isHolder(last[next!])));
  if (!goesOn) at.push(made());
  return at.at(-1) as Holder;
};

const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null;

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

const clash = (text: string) => usage(`field ${text.split('=', 1)[0]!} conflicts with an earlier field`,
  'use each key for one kind of value: text, a list or an object');

/** The methods of HTTP that a raw call can have. */
export const methods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
