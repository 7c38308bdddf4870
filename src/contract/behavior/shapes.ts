import { everyEndpoint, type NamedEndpoint } from '../contract.js';
import { documentedVersion } from '../conventions.js';
import { pathNames } from '../endpoint.js';
import { hasSince } from '../versions.js';
import type { Fact } from './fact.js';

export type ShapeFactId = `shape.${string}`;

/** Operations that no check calls: their effect lasts, or they show where webhooks lead. */
const uncalled = /^(hooks\.|suggestions\.|mergeRequests\.(approve|unapprove)$)/;

/** Only the caller knows the other values, such as the path of a file. */
const isKnown = ({ endpoint: { method, params, paths } }: NamedEndpoint): boolean => {
  const names = pathNames(paths[0]);
  return method !== 'GET' || !names.includes('file_path')
    && Object.entries(params).every(([name, { required }]) => !required || names.includes(name));
};

/** The endpoints whose responses are compared with their shape. */
export const shapedEndpoints: readonly NamedEndpoint[] =
  everyEndpoint().filter((one) => !uncalled.test(one.name) && isKnown(one));

/** One fact for each operation: a successful response has the shape of the contract. */
export const shapeFacts: readonly Fact[] = shapedEndpoints.map(({ name, endpoint: { since, companion } }) => ({
  id: `shape.${name}`, area: 'shapes',
  text: `A response to \`${name}\` has the keys, types and headers of the contract.`,
  source: companion ? 'observed' : 'documented',
  dialects: since === undefined || hasSince(documentedVersion, since) ? ['document', 'live'] : ['live'],
  from: null, to: null, tier: null,
}));
