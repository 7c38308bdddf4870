import type { LoggedExchange } from '../../http/request-log.js';
import { pathOfWorld } from '../../http/names.js';

/** The address that a request was sent to. */
export type UrlOf = (request: Pick<LoggedExchange, 'target' | 'world'>) => string;

export interface UrlContext {
  readonly address: () => string;
  readonly name?: string;
}

export const urlIn = ({ address, name }: UrlContext): UrlOf => ({ world, target }) =>
  address() + (world === null || world === name ? '' : pathOfWorld(world)) + target;
