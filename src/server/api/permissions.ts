import { authenticationFacts } from '../../contract/behavior/parameters.js';
import { holdsIn } from '../../contract/behavior/fact.js';
import type { Endpoint } from '../../contract/endpoint.js';
import { type Permission, permissionOf } from '../../contract/permissions.js';
import { httpError, insufficientPermission } from '../http/response.js';
import { noteableById } from '../repositories/noteables.js';
import { noteById } from '../repositories/notes.js';
import { groupBy, projectBy } from '../repositories/world.js';
import { parseSuggestionId } from '../serializers/suggestions.js';
import { accessTo, type ContainerAccess } from './access.js';
import type { Call } from './context.js';
import type { Authenticated } from './request.js';

interface PermissionContext extends Pick<Call, 'queries' | 'world' | 'edition' | 'caller'>,
  Pick<Authenticated, 'permissions'> {}

/** @param id of the project, group or suggestions @throws HttpError 403, 404 */
export const checkPermission = (context: PermissionContext, endpoint: Endpoint, id: unknown): Promise<void> =>
  context.permissions === null ? checkEnforcement(context, endpoint, id) : checkGranular(context, endpoint, id);

/**
 * behavior: tokens.granular, tokens.granular-since, tokens.granular-off, tokens.granular-none, tokens.granular-hidden
 */
const checkGranular = async (context: PermissionContext, endpoint: Endpoint, id: unknown): Promise<void> => {
  const { edition } = context;
  if (!holdsIn(authenticationFacts['tokens.granular'], edition)) {
    throw insufficientPermission('Fine-grained personal access tokens are not yet supported.');
  }
  const needed = permissionOf(endpoint);
  if (needed !== null && context.permissions?.includes(needed.name)) return;
  const hides = holdsIn(authenticationFacts['tokens.granular-hidden'], edition);
  if (hides && containerIn(endpoint) !== null && await accessIn(context, endpoint, id) === null) {
    throw httpError(404, '404 Not Found');
  }
  throw insufficientPermission(sentenceOf(needed));
};

/** A hidden group gets the usual 404 (behavior: tokens.granular-enforced, tokens.granular-path). */
const checkEnforcement = async (context: PermissionContext, endpoint: Endpoint, id: unknown): Promise<void> => {
  const { edition, world: { settings } } = context;
  if (!holdsIn(authenticationFacts['tokens.granular-enforced'], edition)) return;
  const access = endpoint.paths[0].startsWith('/suggestions/') ? await accessToSuggestion(context, id)
    : await accessIn(context, endpoint, id);
  const [root = ''] = access?.container.path.split('/', 1) ?? [];
  if (settings.granularGroups.has(root)) throw insufficientPermission(sentenceOf(permissionOf(endpoint)));
};

const containerIn = ({ paths: [path] }: Endpoint): 'projects' | 'groups' | null =>
  path.startsWith('/projects/:id') ? 'projects' : path.startsWith('/groups/:id') ? 'groups' : null;

/** Null if the project or group is missing or hidden, or the path has none. */
const accessIn = async (
  context: PermissionContext, endpoint: Endpoint, id: unknown,
): Promise<ContainerAccess | null> => {
  const container = containerIn(endpoint);
  if (container === null) return null;
  const name = /^-?\d+$/.test(String(id)) ? Number(id) : String(id);
  const { queries } = context;
  return accessTo(context, await (container === 'projects' ? projectBy(queries, name) : groupBy(queries, name)));
};

/** @param ids of suggestions, which are all on one branch (behavior: suggestions.together) */
const accessToSuggestion = async (context: PermissionContext, ids: unknown): Promise<ContainerAccess | null> => {
  const { queries } = context;
  const [first] = /\d{1,15}/.exec(String(ids)) ?? [];
  const note = first === undefined ? undefined : await noteById(queries, parseSuggestionId(Number(first)).note);
  const mergeRequest = note && await noteableById(queries, note.noteable);
  return accessTo(context, await projectBy(queries, mergeRequest?.project_id ?? 0));
};

/** Only operations of the service have permissions (behavior: tokens.granular-none). @throws HttpError 403 */
export const rejectGranular = ({ permissions }: Pick<PermissionContext, 'permissions'>): void => {
  if (permissions !== null) throw insufficientPermission(sentenceOf(null));
};

/** behavior: tokens.granular-texts, tokens.granular-none */
const sentenceOf = (needed: Permission | null): string => needed === null
  ? 'This operation doesn\'t support fine-grained personal access tokens.'
  : `This operation requires a fine-grained personal access token with the following ${needed.boundary} permissions: `
    + `[${needed.name}].`;
