import { ReportError } from '../finding.js';

export interface Json { readonly value: unknown; readonly path: string }

/** @throws ReportError with the line of the mistake */
export const parseJson = (text: string, firstLine = 1): Json => {
  try {
    return { value: JSON.parse(text.replace(/^\uFEFF/, '')) as unknown, path: '' };
  } catch (error) {
    const { message } = error as Error;
    const at = /position (\d+)/.exec(message)?.[1];
    const line = at === undefined ? text.split('\n').length : text.slice(0, Number(at)).split('\n').length;
    const reason = message.replace(/ in JSON at .*| at position.*/s, '');
    throw new ReportError(`line ${firstLine - 1 + line}`, `invalid JSON: ${reason}`);
  }
};

export const member = ({ value, path }: Json, name: string): Json => {
  const inside = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  return {
    value: inside ? (value as Readonly<Record<string, unknown>>)[name] : undefined,
    path: path === '' ? name : `${path}.${name}`,
  };
};

export const at = (json: Json, ...names: readonly string[]): Json => names.reduce(member, json);

export const items = (json: Json): Json[] => {
  if (!Array.isArray(json.value)) throw wrongType(json, 'a list');
  return json.value.map((value: unknown, i) => ({ value, path: `${json.path}[${i}]` }));
};

export const itemAt = (json: Json, index: number): Json | undefined => {
  if (isAbsent(json)) return undefined;
  if (!Array.isArray(json.value)) throw wrongType(json, 'a list');
  return index in json.value ? { value: json.value[index] as unknown, path: `${json.path}[${index}]` } : undefined;
};

export const optionalItems = (json: Json): Json[] => isAbsent(json) ? [] : items(json);

export const object = (json: Json): Json => {
  if (typeof json.value === 'object' && json.value !== null && !Array.isArray(json.value)) return json;
  throw wrongType(json, 'an object');
};

export const text = (json: Json): string => {
  if (typeof json.value !== 'string') throw wrongType(json, 'a text');
  return json.value;
};

export const optionalText = (json: Json): string | null => isAbsent(json) ? null : text(json);

/** A finding without a message is named after its rule. */
export const messageIn = (json: Json, rule: string | null): string =>
  json.value === null || (json.value === undefined && rule !== null) ? rule ?? 'no message' : text(json);

/** Null if it is missing or not positive. */
export const position = (json: Json): number | null => {
  if (isAbsent(json)) return null;
  if (typeof json.value !== 'number') throw wrongType(json, 'a number');
  return json.value >= 1 ? Math.floor(json.value) : null;
};

export const isAbsent = ({ value }: Json): boolean => value === undefined || value === null;

const wrongType = ({ value, path }: Json, expected: string): ReportError =>
  new ReportError(path === '' ? null : path, `expected ${expected}, got ${described(value)}`);

const described = (value: unknown): string => {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return `the ${typeof value === 'string' ? 'text' : typeof value} ${short(value)}`;
};

const short = (value: unknown): string => {
  const json = JSON.stringify(value);
  return json.length > 40 ? `${json.slice(0, 39)}…` : json;
};
