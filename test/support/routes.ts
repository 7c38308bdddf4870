import { everyEndpoint } from '../../src/contract/contract.js';
import { documentedVersion, hasSince } from '../../src/contract/conventions.js';
import type { Dialect, Endpoint, Parameter } from '../../src/contract/endpoint.js';
import { fillPath } from '../../src/wire/encode.js';
import { refs, threads } from './worlds.js';

/** The dialect of the documentation where it has the endpoint and the parameter. */
export const dialectOf = ({ since }: Endpoint, parameter?: Parameter): Dialect =>
  parameter?.dialect ?? (hasSince(documentedVersion, since) ? 'document' : 'live');

/** Every path of every endpoint in a project or group. */
export const placedRoutes = everyEndpoint().flatMap(({ name, endpoint }) =>
  endpoint.paths.filter((path) => /^\/(projects|groups)\/:id/.test(path)).map((path) => ({ name, endpoint, path })));

/** A path that exists in the world `acme`, once its project or group is `id`. */
export const placed = (path: string, id: string, others: Record<string, unknown> = {}): string => {
  const onMergeRequest = path.includes('/merge_requests/');
  const query = path.endsWith('/compare') ? `?from=${refs.base}&to=${refs.head}`
    : path.includes('/repository/files/') ? '?ref=main' : '';
  return fillPath(path, {
    id,
    noteable_id: path.includes('/commits/') ? refs.commit : path.includes('/epics/') ? 500 : path.includes('/snippets/') ? 40 : 1,
    discussion_id: onMergeRequest ? threads.thread : threads.issue,
    note_id: onMergeRequest ? 121 : 103,
    epic_iid: 1, child_epic_id: 501, iid: 1, snippet_id: 40, version_id: 50, sha: refs.commit,
    merge_request_iid: 1, draft_note_id: 1, hook_id: 1, award_id: 1, trigger: 'note_events', user_id: 4, file_path: 'x.ts',
    ...others,
  }) + query;
};

/** Request parameters that an endpoint accepts: the required ones only. */
export const demanded = ({ params }: Endpoint): Record<string, unknown> => {
  const wants = (name: string) => name in params;
  return {
    ...(wants('body') && { body: 'x' }), ...(wants('note') && { note: 'x' }), ...(wants('title') && { title: 'x' }),
    ...(params['name']?.required && { name: 'rocket' }),
    ...(wants('ids') && { ids: [121_000] }),
    ...(params['url']?.required && { url: 'http://127.0.0.1:9/' }),
    ...(wants('resolved') && !wants('body') && { resolved: true }), ...(wants('child_epic_id') && { child_epic_id: 501 }),
  };
};
