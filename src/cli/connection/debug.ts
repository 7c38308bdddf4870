import type { ClientEvent, Observer } from '../../client/middleware/events.js';
import type { App } from '../app.js';
import { plainLine } from '../io/plain.js';
import { credentialAt } from '../settings/credential.js';
import { address, type Settings } from '../settings/settings.js';

/** Prints the client's events to stderr. They contain no token, query or body. */
export const observerFor = ({ err }: App): Observer =>
  (event) => { void err.write(`* ${plainLine(eventLine(event))}\n`); };

const eventLine = (event: ClientEvent): string => {
  const { request } = event;
  switch (event.type) {
    case 'request': return request;
    case 'response': return `${request} returned ${event.status} in ${Math.round(event.ms)} ms ${event.id ?? ''}`;
    case 'retry': return `retrying ${request} in ${event.wait} ms, attempt ${event.attempt}: ${event.reason}`;
    case 'page': return `${request} page ${event.page}: ${event.items} of ${event.total ?? 'an unknown number'}`;
  }
};

/** Prints the source of each setting. @param pasted the base URL of a pasted URL */
export const printSources = async (app: App, settings: Settings, pasted?: string): Promise<void> => {
  const { url, project, group, reference, from } = settings;
  const service = address(pasted) ?? url;
  const credential = (service && credentialAt(app, settings, service)) ?? settings.credential;
  const sources: readonly (readonly [string, string | null, string | null])[] = [
    pasted === undefined ? ['url', url?.href ?? null, from.url] : ['url', pasted, 'the pasted URL'],
    ['token', credential && '[redacted]', credential?.from ?? null],
    ['project', project, from.project], ['group', group, from.group],
    ...reference ? [['reference', reference.value, reference.from] as const] : [],
  ];
  for (const [name, value, source] of sources) {
    if (value !== null && source !== null) await app.err.write(`* ${plainLine(`${name} ${value} from ${source}`)}\n`);
  }
};
