import { factWithId } from '../contract/behavior/behavior.js';
import { editionOf, holdsIn } from '../contract/behavior/fact.js';
import type { Dialect } from '../contract/endpoint.js';
import type { TSchema } from '../contract/schema.js';
import type { Severity, Values } from './check.js';
import { dependentKeys, factKeys, keyFacts } from './keys.js';

/** One way in which a response differs from its shape; the same one in several objects is one problem. */
export interface Problem {
  readonly severity: Severity;
  readonly expected: string;
  readonly actual: string;
  /** The keys that an object should have, and the missing ones; null for other problems. */
  readonly keys: readonly [all: readonly string[], missing: readonly string[]] | null;
}

/** What decides which keys an object has. Without a version, only keys that all versions have are required. */
export interface Format { readonly dialect: Dialect; readonly version: string | null }

export const problem = (
  severity: Severity, expected: string, actual: string, keys: Problem['keys'] = null,
): Problem => ({ severity, expected, actual: short(actual, 100), keys });

interface Node extends TSchema {
  readonly anyOf?: readonly Node[];
  readonly items?: Node;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
}

export const problemsOf = (shape: Node, value: unknown, format: Format, path = ''): readonly Problem[] => {
  const found = new Map<string, Problem>();
  const add = (problem: Problem): void => {
    const key = JSON.stringify(problem);
    if (found.size < mostProblems) found.set(key, found.get(key) ?? problem);
  };
  compare({ format, add }, shape, value, path);
  return [...found.values()];
};

export const mostProblems = 100;

interface Comparison { readonly format: Format; readonly add: (problem: Problem) => void }

const compare = (on: Comparison, shape: Node, value: unknown, path: string): void => {
  const [part, ...others] = partsWithType(shape, value);
  if (part === undefined) {
    on.add(problem('error', `${named(path)}: ${shapeText(shape)}`, shown(value)));
  } else if (others.length > 0) {
    nearest([part, ...others].map((one) => problemsOf(one, value, on.format, path))).forEach(on.add);
  } else if (part.items && Array.isArray(value)) {
    for (const item of value) compare(on, part.items, item, `${path}[]`);
  } else if (part.properties) compareKeys(on, part, value as Values, path);
};

/** The parts of a union that have the type of the value, or the shape itself. */
const partsWithType = (shape: Node, value: unknown): readonly Node[] => shape.anyOf
  ? shape.anyOf.flatMap((part) => partsWithType(part, value)) : hasType(shape, value) ? [shape] : [];

/** Of an object that several parts of a union describe, those of the part that fits best. */
const nearest = (found: readonly (readonly Problem[])[]): readonly Problem[] => {
  const weight = (problems: readonly Problem[]) =>
    problems.reduce((sum, { severity }) => sum + { info: 1, warning: 100, error: 10_000 }[severity], 0);
  return found.toSorted((a, b) => weight(a) - weight(b))[0]!;
};

const named = (path: string): string => path === '' ? 'the response' : `\`${path}\``;

const compareKeys = (on: Comparison, shape: Node, value: Values, path: string): void => {
  const { properties = {} } = shape;
  const all = requiredKeys(shape, value, on.format);
  const missing = all.filter((key) => !Object.hasOwn(value, key));
  if (missing.length > 0) {
    const keys = missing.map((key) => `\`${key}\``).join(', ');
    on.add(problem('warning', `${keys} in ${named(path)}`, 'nothing', [all, missing]));
  }
  const isOpen = shape['additionalProperties'] === true && on.format.dialect === 'live';
  for (const [key, item] of Object.entries(value)) {
    const inner = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const isKnown = inner !== undefined && (on.format.dialect === 'live' || inner['x-dialect'] !== 'live');
    if (isKnown) compare(on, inner, item, path === '' ? key : `${path}.${key}`);
    else if (!isOpen) on.add(problem('info', `no \`${short(key)}\` in ${named(path)}`, shown(item)));
  }
};

const requiredKeys = (shape: Node, value: Values, { dialect, version }: Format): readonly string[] => {
  const facts = (keyFacts[shape.$id ?? ''] ?? []).filter((id) => {
    const fact = factWithId(id);
    return version === null ? fact.from === null && fact.to === null && fact.dialects.includes(dialect)
      : holdsIn(fact, editionOf(dialect, version));
  });
  const { required = [] } = shape;
  return [...new Set([...required, ...facts.flatMap((id) => factKeys[id]), ...dependentKeys(shape.$id, value)])];
};

const hasType = (shape: Node, value: unknown): boolean => {
  if (shape['const'] !== undefined) return value === shape['const'];
  switch (shape['type']) {
    case 'object': return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'array': return Array.isArray(value);
    case 'integer': return Number.isInteger(value);
    case 'null': return value === null;
    case 'string': return typeof value === 'string' && (formats[String(shape['format'])]?.fits(value) ?? true);
    default: return shape['type'] === undefined || typeof value === shape['type'];
  }
};

const formats: Readonly<Record<string, { readonly text: string; readonly fits: (text: string) => boolean }>> = {
  'date-time': { text: 'a time with milliseconds', fits: (text) => time.test(text) && !Number.isNaN(Date.parse(text)) },
  'date': { text: 'a day', fits: (text) => /^\d{4}-\d\d-\d\d$/.test(text) },
  'uri': { text: 'an address', fits: URL.canParse },
};

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|[+-]\d\d:\d\d)$/;

const typeTexts: Readonly<Record<string, string>> = {
  object: 'an object', array: 'a list', integer: 'a whole number', number: 'a number', boolean: 'true or false',
  null: 'null', string: 'a text',
};

const shapeText = (shape: Node): string => {
  if (shape.anyOf) return [...new Set(shape.anyOf.map(shapeText))].join(', or ');
  if (shape['const'] !== undefined) return JSON.stringify(shape['const']);
  if (shape['type'] === 'object' && shape.$id !== undefined) return `an object \`${shape.$id}\``;
  return formats[String(shape['format'])]?.text ?? typeTexts[String(shape['type'])] ?? 'a value';
};

/** Lists and objects are not shown: they may be long, or nested deeply. */
const shown = (value: unknown): string => {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : short(JSON.stringify(value));
};

const short = (text: string, length = 60): string => text.length <= length ? text : `${text.slice(0, length)}…`;
