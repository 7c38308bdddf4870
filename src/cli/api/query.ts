import { isHash, type Hash } from '../../wire/brackets.js';

/** A value as a query: hashes and lists with brackets, `a[b]=1&c[]=2`; null travels as empty text. */
export const queryOf = (hash: Hash): string =>
  pairs(hash, '').map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');

const pairs = (value: unknown, name: string): [string, string][] => {
  if (Array.isArray(value)) return value.flatMap((item) => pairs(item, `${name}[]`));
  if (!isHash(value)) return [[name, String(value ?? '')]];
  return Object.entries(value).flatMap(([key, inner]) => pairs(inner, name === '' ? key : `${name}[${key}]`));
};

/** A target with a query added to its own. */
export const withQuery = (target: string, query: string): string =>
  query === '' ? target : `${target}${target.includes('?') ? '&' : '?'}${query}`;
