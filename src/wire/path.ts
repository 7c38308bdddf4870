import type { Params } from './forms.js';

/**
 * A path parameter that would lead to another path: missing, empty, `.`, `..` or percent-encoded already. The message
 * names the parameter.
 * @example
 * ```ts
 * import { createClient, UnusablePathValue } from 'colloquy';
 *
 * const client = createClient({ url: process.env['COLLOQUY_URL']!, token: process.env['COLLOQUY_TOKEN']! });
 * try {
 *   await client.lookups.project({ id: 'acme%2Fapp' });
 * } catch (error) {
 *   if (!(error instanceof UnusablePathValue)) throw error;
 *   console.log(error.message); // prints id "acme%2Fapp" is percent-encoded already; pass "acme/app"
 * }
 * ```
 */
export class UnusablePathValue extends Error { override readonly name = 'UnusablePathValue'; }

/** `group/project` becomes `group%2Fproject`. @throws UnusablePathValue */
export const fillPath = (path: string, params: Params): string =>
  path.replace(/:(\w+)/g, (_, name: string) => segment(name, params[name]));

const segment = (name: string, value: unknown): string => {
  if (value === undefined || value === null || value === '') {
    throw new UnusablePathValue(`${name} is missing; pass a value`);
  }
  if (value === '.' || value === '..') {
    throw new UnusablePathValue(`${name} cannot be "${value}"; pass an id or a path`);
  }
  const encoded = typeof value === 'string' && /%2f/i.test(value);
  if (encoded) {
    const plain = value.replace(/%2f/gi, '/');
    const problem = `${name} ${JSON.stringify(value)} is percent-encoded already`;
    throw new UnusablePathValue(`${problem}; pass ${JSON.stringify(plain)}`);
  }
  return encodeURIComponent(String(value));
};
