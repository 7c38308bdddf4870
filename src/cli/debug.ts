import type { ClientEvent, Observer } from '../client/events.js';
import type { App } from './app.js';
import { plainLine } from './plain.js';

/** Writes what the client tells to stderr. Its events carry no token, query or body. */
export const observerFor = ({ err }: App): Observer =>
  (event) => { void err.write(`* ${plainLine(sentenceOf(event))}\n`); };

const sentenceOf = (event: ClientEvent): string => {
  const { request } = event;
  switch (event.type) {
    case 'request': return request;
    case 'response': return `${request} answered ${event.status} in ${Math.round(event.ms)} ms ${event.id ?? ''}`;
    case 'retry': return `${request} again in ${event.wait} ms, attempt ${event.attempt}: ${event.reason}`;
    case 'page': return `${request} page ${event.page}: ${event.items} of ${event.total ?? 'an unknown number'}`;
  }
};
