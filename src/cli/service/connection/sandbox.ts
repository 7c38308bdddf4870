import { readBaseUrl, type BaseUrl } from '../../../client/base-url.js';
import type { NoteClient } from '../../../client/note-client.js';
import type { Transport } from '../../../wire/http.js';
import type { App, Connection } from '../../app.js';
import { serverProblem } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { say } from '../../terminal/io/messages.js';
import { clientOver, transportOver } from './connect.js';

type Calling = Pick<Connection, 'dryRun' | 'activity' | 'observe' | 'trace' | 'once' | 'resend'>;

const href = 'http://sandbox.localhost';

/** An administrator's client of a new service with the demo world. */
export const sandbox = async (app: App, flags: GlobalFlags, calling: Calling): Promise<NoteClient> => {
  const { handle, token } = await opened(app, flags);
  return clientOver(handle, { ...calling, url: { href }, token }, app.signal);
};

/** @param given null for requests of nobody */
export const rawSandbox = async (
  app: App, flags: GlobalFlags, calling: Calling, given?: null,
): Promise<{ transport: Transport; base: BaseUrl }> => {
  const { handle, token } = await opened(app, flags);
  const base = readBaseUrl(href);
  const connection = { ...calling, url: base, token: given === null ? null : token };
  return { transport: await transportOver(handle, connection), base };
};

interface Demo { readonly handle: Transport; readonly token: string }

/** All connections of a process are to the same service; its commands share the set of secrets. */
const demos = new WeakMap<App['secrets'], Promise<Demo>>();

const opened = (app: App, flags: GlobalFlags): Promise<Demo> => {
  const demo = demos.get(app.secrets) ?? openDemo(app, flags);
  demos.set(app.secrets, demo);
  return demo;
};

const openDemo = async (app: App, flags: GlobalFlags): Promise<Demo> => {
  if (app.err.isTerminal) await say(app, flags, 'using a demo service in memory: nothing is kept after this command');
  const { openService } = await import('../../../server/index.js');
  // A tool stores reviews as drafts, which only this dialect has (behavior: drafts.write).
  const dialect = app.agent ? 'live' : 'document';
  const service = await openService({ now: app.now, externalUrl: href, dialect })
    .catch((error: unknown) => { throw serverProblem(error) ?? error; });
  return { handle: service.handle, token: service.tokens['root']! };
};
