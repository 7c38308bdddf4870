import { oneTimeCode, pagePolicy, securityHeaders } from '../../../page/security.js';
import { type HttpRequest, type HttpResponse, splitTarget } from '../../../wire/http.js';
import { json, jsonResponse, routeNotFound } from '../../http/response.js';
import { type UrlContext, urlIn, type UrlOf } from '../../http/addresses.js';
import { randomHex } from '../../random.js';
import type { Operations } from '../operations.js';
import type { View, ViewName } from './page.js';

interface InspectorContext extends UrlContext { readonly inspector?: InspectorKey }

/** The page of a server. Its files are the same for everybody; what it shows needs the token. */
export const inspectorActions = (operations: Operations, context: InspectorContext) => ({
  'GET /-/': async () => file('text/html', (await import('./page.js')).inspectorPage()),
  'GET /-/inspector/page.css': async () => file('text/css', (await import('./styles.js')).inspectorStyles),
  'GET /-/inspector/page.js': async () => file('text/javascript', (await import('./script.js')).inspectorScript),
  'GET /-/inspector/icon.svg': async () => file('image/svg+xml', (await import('./styles.js')).inspectorIcon),
  'GET /-/inspector/live': async () => {
    const { liveEvents } = await import('./traffic.js');
    return {
      status: 200, headers: { ...securityHeaders, 'content-type': 'text/event-stream; charset=utf-8' }, body: '',
      stream: (signal: AbortSignal) => liveEvents(operations, signal),
    };
  },
  'GET /-/inspector/*': async (request: HttpRequest, name: string) => name.startsWith('open/')
    ? redeemCode(name.slice('open/'.length), context) : fragment(request, name, operations, urlIn(context)),
});

const openPath = '/-/inspector/open/';

export const pathForOnce = ({ issue }: InspectorKey): string => openPath + issue();

/** The page needs these files before it knows the token. */
export const isInspectorFile = (path: string): boolean =>
  /^\/-\/(inspector\/(page\.css|page\.js|icon\.svg))?$/.test(path) || path.startsWith(openPath);

/** The page has no data of its own, so these paths need the token. */
export const isInspectorData = (path: string): boolean =>
  path.startsWith('/-/inspector/') && !isInspectorFile(path);

/** Exchanges the code for the token. The fragment of an address is not sent to servers, and the page removes it. */
const redeemCode = (code: string, { inspector }: InspectorContext): HttpResponse => {
  if (inspector?.redeem(code)) {
    return { status: 303, headers: { ...securityHeaders, location: `../../#${inspector.token}` }, body: '' };
  }
  return {
    status: 410, headers: { ...securityHeaders, 'content-type': 'text/plain; charset=utf-8' },
    body: 'This address worked once, for a minute. Open the one that the server printed on stderr.\n',
  };
};

/** Images of the appearance are part of a fragment, as data. */
const policy = pagePolicy.replace("img-src 'self'", "img-src 'self' data:");

const file = (type: string, body: string): HttpResponse => ({
  status: 200, body,
  headers: { ...securityHeaders, 'content-security-policy': policy, 'content-type': `${type}; charset=utf-8` },
});

const views: Readonly<Record<ViewName, () => Promise<View>>> = {
  requests: async () => (await import('./traffic.js')).requestsView,
  threads: async () => (await import('./views.js')).threadsView,
  epics: async () => (await import('./views.js')).epicsView,
  appearance: async () => (await import('./views.js')).appearanceView,
  faults: async () => (await import('./traffic.js')).faultsView,
  hooks: async () => (await import('./traffic.js')).hooksView,
};

const fragment = async (
  { target }: HttpRequest, name: string, operations: Operations, urlOf: UrlOf,
): Promise<HttpResponse> => {
  if (!Object.hasOwn(views, name)) throw routeNotFound();
  const at = new URLSearchParams(splitTarget(target)[1]).get('at') ?? '';
  const view = await views[name as ViewName]();
  const { html: { markup }, styles = '' } = await view(operations, at, urlOf);
  return jsonResponse(200, json({ html: markup, styles }), securityHeaders);
};

export type InspectorKey = ReturnType<typeof createInspectorKey>;

/**
 * What opens the control plane for the page of a server. Every start has another one. A code opens the page once,
 * within a minute: other users see what a browser was started with.
 */
export const createInspectorKey = (now: () => Date) =>
  ({ token: randomHex(32), ...oneTimeCode(now, () => randomHex(32)) });
