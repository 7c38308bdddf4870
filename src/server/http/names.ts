import { OperationError } from './errors.js';
import type { LoggedExchange } from './request-log.js';

/** One path segment that needs no escapes. */
const pattern = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,64}$/;

/** The message does not repeat an untrusted name. @throws OperationError 400 */
export const checkName = (kind: 'world' | 'snapshot', name: string): void => {
  if (typeof name === 'string' && pattern.test(name)) return;
  throw new OperationError(400,
    `invalid ${kind} name: use 1 to 64 letters, digits, ".", "_" or "-", but not "." or ".." alone`);
};

/** For copies of the start world. */
export const worldPrefix = '/w/';

/** The name, which may be invalid, and the target within the world. */
export const splitWorldTarget = (target: string): { readonly name: string; readonly target: string } => {
  const [, name = '', rest = ''] = /^\/w\/([^/?#]*)(.*)$/s.exec(target) ?? [];
  return { name, target: rest.startsWith('/') ? rest : `/${rest}` };
};

/** @throws OperationError 400 */
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
