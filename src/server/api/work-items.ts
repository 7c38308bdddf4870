import { type Edition, holdsIn } from '../../contract/behavior/fact.js';
import { requestFacts } from '../../contract/behavior/requests.js';
import { hasSince, versions } from '../../contract/conventions.js';
import { badParameters, forbidden, httpError, notFound } from '../http/response.js';
import { epicByIid } from '../repositories/epics.js';
import { noteableIn } from '../repositories/noteables.js';
import { type ContainerRow, groupBy, projectBy } from '../repositories/world.js';
import { accessTo, canReadEpic, unlessHidden } from './access.js';
import type { Call } from './context.js';
import { decodePercent } from '../../wire/http.js';

const place = /^\/(projects|groups|namespaces)\/(.+?)\/-\/work_items(?:\/(.+?))?\/?$/;

export const isWorkItemPath = (path: string): boolean => place.test(path);

interface Route {
  readonly methods: readonly string[];
  /** Below the path of the list; the first part is the number of the item. */
  readonly rest: RegExp;
  readonly since: string;
  /** The item is looked for before anybody asks whether the routes are on (behavior: requests.work-items-notes). */
  readonly isNote?: true;
}

const { workItemRoutes, workItemList, workItemChildren, workItemThreads, workItemReplies } = versions;

/** behavior: requests.work-items */
const routes: readonly Route[] = [
  { methods: ['GET', 'POST'], rest: /^$/, since: workItemRoutes },
  { methods: ['GET', 'PATCH', 'DELETE'], rest: /^[^/]+$/, since: workItemRoutes },
  { methods: ['GET'], rest: /^[^/]+\/notes$/, since: workItemList, isNote: true },
  { methods: ['GET'], rest: /^[^/]+\/(discussions|children)$/, since: workItemList },
  { methods: ['POST', 'PUT', 'DELETE'], rest: /^[^/]+\/children\/[^/]+$/, since: workItemChildren },
  { methods: ['GET'], rest: /^[^/]+\/discussions\/[^/]+$/, since: workItemThreads },
  { methods: ['GET'], rest: /^[^/]+\/notes\/[^/]+$/, since: workItemThreads, isNote: true },
  { methods: ['POST'], rest: /^[^/]+\/notes$/, since: workItemThreads, isNote: true },
  { methods: ['POST'], rest: /^[^/]+\/discussions$/, since: workItemReplies },
  { methods: ['PUT'], rest: /^[^/]+\/discussions\/[^/]+$/, since: workItemReplies },
  { methods: ['GET', 'POST'], rest: /^[^/]+\/discussions\/[^/]+\/notes$/, since: workItemReplies },
  { methods: ['GET', 'PUT', 'DELETE'], rest: /^[^/]+\/discussions\/[^/]+\/notes\/[^/]+$/, since: workItemReplies },
];

interface WorkItemRequest extends Pick<Call, 'queries'> {
  readonly method: string;
  readonly path: string;
  readonly edition: Edition;
  /** @throws HttpError 401, 403 */
  readonly authenticated: () => Promise<Pick<Call, 'caller'>>;
}

/**
 * Responds as the service does where the routes are off, and not at all if the service of this version has no such
 * route.
 * @throws HttpError (behavior: requests.work-items-off, requests.work-items-hidden, requests.work-items-list)
 */
export const rejectWorkItems = async (request: WorkItemRequest): Promise<void> => {
  const { method, path, edition } = request;
  const [, container = '', id = '', rest = ''] = place.exec(path) ?? [];
  const route = routes.find((one) => one.methods.includes(method) && one.rest.test(rest));
  if (!route || !hasSince(edition.version, route.since)) return;
  if (method === 'GET' && rest === '' && holdsIn(requestFacts['requests.work-items-list'], edition)) {
    throw httpError(501, '501 Not Implemented - this test server does not list work items; the service does');
  }
  const { caller } = await request.authenticated();
  const name = /^\d{1,15}$/.test(id) ? Number(id) : decodePercent(id);
  if (route.isNote) await requireItem({ ...request, caller }, container, name, rest.split('/', 1)[0]!);
  throw holdsIn(requestFacts['requests.work-items-hidden'], edition) ? httpError(404, '404 Not Found')
    : forbidden('work_item_rest_api feature flag is disabled for this user');
};

type ItemContext = Pick<Call, 'queries' | 'caller'>;

/** @throws HttpError 400, 404 */
const requireItem = async (context: ItemContext, container: string, id: string | number, iid: string) => {
  if (!/^\d{1,15}$/.test(iid)) throw badParameters(['work_item_iid is invalid']);
  const { row, isGroup } = await containerOf(context, container, id);
  const access = await accessTo(context, row);
  const isHidden = container === 'namespaces' && access?.member === false;
  if (!access || isHidden) throw notFound(names[container]!);
  const { queries } = context;
  const { id: holder } = access.container;
  const epic = isGroup ? await epicByIid(queries, holder, Number(iid)) : undefined;
  const isShown = isGroup ? epic && canReadEpic(access, epic)
    : await unlessHidden(context, access, await noteableIn(queries, 'issue', holder, Number(iid)));
  if (!isShown) throw notFound('Work Item');
};

const names: Readonly<Record<string, string>> = { projects: 'Project', groups: 'Group', namespaces: 'Namespace' };

/** A namespace is a project or a group, by its path alone. */
const containerOf = async (
  { queries }: ItemContext, container: string, id: string | number,
): Promise<{ readonly row: ContainerRow | undefined; readonly isGroup: boolean }> => {
  const given = container === 'namespaces' ? String(id) : id;
  const project = container === 'groups' ? undefined : await projectBy(queries, given);
  if (project || container === 'projects') return { row: project, isGroup: false };
  return { row: await groupBy(queries, given), isGroup: true };
};
