import type { HttpRequest, HttpResponse } from '../../wire/http.js';

/** `*` at the end of a route stands for the name, which may be any text. */
type ControlAction = (request: HttpRequest, name: string) => Promise<HttpResponse>;

export type ControlActions = Readonly<Record<string, ControlAction>>;

export const findAction = (
  actions: ControlActions, method: string, path: string,
): ((request: HttpRequest) => Promise<HttpResponse>) | undefined => {
  const verb = method === 'HEAD' ? 'GET' : method;
  const [, folder = '', name = ''] = /^(\/-\/[^/]+\/)(.+)$/.exec(path) ?? [];
  const action = actions[`${verb} ${path}`] ?? (name === '' ? undefined : actions[`${verb} ${folder}*`]);
  return action && ((request) => action(request, name));
};
