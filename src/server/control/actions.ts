import type { HttpRequest, HttpResponse } from '../../wire/http.js';

/**
 * Handles one route of the control plane. A route is a method and a path; `*` at its end stands for a name, which may
 * be any text.
 */
type ControlAction = (request: HttpRequest, name: string) => Promise<HttpResponse>;

/** Actions by their routes. */
export type ControlActions = Readonly<Record<string, ControlAction>>;

/** The action of a route with the name in it, or undefined. */
export const findAction = (
  actions: ControlActions, method: string, path: string,
): ((request: HttpRequest) => Promise<HttpResponse>) | undefined => {
  const verb = method === 'HEAD' ? 'GET' : method;
  const [, folder = '', name = ''] = /^(\/-\/[^/]+\/)(.+)$/.exec(path) ?? [];
  const action = actions[`${verb} ${path}`] ?? (name === '' ? undefined : actions[`${verb} ${folder}*`]);
  return action && ((request) => action(request, name));
};
