import { OperationError } from './errors.js';
import type { LoggedExchange } from './request-log.js';

/** A name is one path segment that needs no escapes. */
const pattern = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,64}$/;

/** The message does not repeat the name, which is untrusted. @throws OperationError 400 */
export const checkName = (kind: 'world' | 'snapshot', name: string): void => {
  if (typeof name === 'string' && pattern.test(name)) return;
  throw new OperationError(400,
    `invalid ${kind} name: use 1 to 64 letters, digits, ".", "_" or "-", but not "." or ".." alone`);
};

export const worldPrefix = '/w/';

/** The name may be invalid; the target is that within the world. */
export const splitWorldTarget = (target: string): { readonly name: string; readonly target: string } => {
  const [, name = '', rest = ''] = /^\/w\/([^/?#]*)(.*)$/s.exec(target) ?? [];
  return { name, target: rest.startsWith('/') ? rest : `/${rest}` };
};

export const worldPath = (name: string): string => {
  checkName('world', name);
  return worldPrefix + name;
};

/** The address that a request was sent to. */
export type UrlOf = (request: Pick<LoggedExchange, 'target' | 'world'>) => string;

export interface UrlContext {
  readonly address: () => string;
  readonly name?: string;
}

export const urlIn = ({ address, name }: UrlContext): UrlOf => ({ world, target }) =>
  address() + (world === null || world === name ? '' : worldPath(world)) + target;
