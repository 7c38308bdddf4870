import { usage } from '../failures.js';
import type { Found } from './found.js';

/**
 * The id or path of a project or group, as it was found. A slash too many, as in `/acme/app/`, is none of it; one that
 * is encoded, as paths of requests have it, is one.
 * @throws Problem for a web address, whose path it may be
 */
export const containerIn = ({ value, from }: Found): string => {
  const path = value.replace(/%2f/gi, '/').replace(/^\/+|\/+$/g, '');
  if (!/^[a-z]+:\/\//i.test(path)) return path;
  throw usage(`${from} takes an id or a path, not an address`, hintFor(path));
};

const hintFor = (address: string): string => {
  const [, path] = /^[a-z]+:\/\/[^/]+\/(?:groups\/)?(.+?)(?:\.git)?(?:\/-\/.*)?$/i.exec(address) ?? [];
  return path === undefined ? 'write it as acme/app' : `write it as ${path}`;
};
