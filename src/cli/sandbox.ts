import type { Client } from '../client/client.js';
import type { App, Connection } from './app.js';
import { clientOver } from './connect.js';

/** A client of a service in this process, new and with the demo world each time, for its administrator. */
export const sandbox = async (
  app: App, calling: Pick<Connection, 'dryRun' | 'journal' | 'observe'>,
): Promise<Client> => {
  const { openService } = await import('../server/index.js');
  const href = 'http://sandbox.localhost';
  const service = await openService({ now: app.now, externalUrl: href });
  return clientOver(service.handle, { ...calling, url: { href }, token: service.tokens['root']! }, app.signal);
};
