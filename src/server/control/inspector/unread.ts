import type { Edition } from '../../../contract/behavior/fact.js';
import { apiPrefix } from '../../../contract/conventions.js';
import { collectParams } from '../../../wire/decode.js';
import type { Params } from '../../../wire/forms.js';
import { splitTarget } from '../../../wire/http.js';
import { isCredential } from '../../../wire/secrets/names.js';
import { candidatesIn, contractRouter, firstThatFits, inEdition } from '../../api/router.js';
import type { LoggedExchange } from '../../http/request-log.js';

/**
 * The parameters of a request that its operation does not have, and so ignores (behavior: requests.unknown-parameters).
 * Empty for a path that the contract does not have, and for a body that cannot be read.
 */
export const unreadParameters = async (
  { method, target, headers, body }: LoggedExchange, edition: Edition,
): Promise<string[]> => {
  const [path, query] = splitTarget(target);
  if (!path.startsWith(`${apiPrefix}/`)) return [];
  const match = contractRouter().match(method === 'HEAD' ? 'GET' : method, path.slice(apiPrefix.length));
  const candidates = candidatesIn(edition, match?.candidates ?? []);
  if (match === null || candidates.length === 0) return [];
  const given = await collectParams({ method, target, headers, body }, {}, query).catch((): Params => ({}));
  const { endpoint } = firstThatFits(candidates, { ...given, ...match.path });
  const { params } = inEdition(endpoint, edition);
  return Object.keys(given).filter((name) => !Object.hasOwn(params, name) && !isCredential(name) && name !== 'sudo');
};
