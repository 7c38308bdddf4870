import type { Observer } from '../../client/events.js';
import type { App } from '../app.js';
import type { GlobalFlags } from '../flags/global.js';
import { progressOn } from './progress.js';

/** Shows on a terminal that a call waits before it is sent again, and for how long, until it goes out. */
export const waitingOn = (app: App, flags: GlobalFlags): Observer => {
  const progress = progressOn(app, flags);
  const waiting = new Set<string>();
  return (event) => {
    if (event.type === 'retry') {
      waiting.add(event.request);
      void progress.tell(`${causeOf(event.reason)}; trying again in ${secondsOf(event.wait)} s …`);
    }
    if (event.type === 'request' && waiting.delete(event.request)) void progress.done();
  };
};

const causeOf = (reason: string): string => /^status /.test(reason)
  ? `the service is busy (${reason.slice('status '.length)})` : `the service can't be reached (${reason})`;

const secondsOf = (wait: number): string => wait < 1000 ? (wait / 1000).toFixed(1) : String(Math.ceil(wait / 1000));
