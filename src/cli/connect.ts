import type { BaseUrl } from '../client/base-url.js';
import type { Client } from '../client/client.js';
import type { Transport } from '../wire/http.js';
import type { Connection } from './app.js';
import { withoutWrites } from './dry-run.js';
import { journalled } from './writing/journalled.js';

interface Calling extends Pick<Connection, 'dryRun' | 'journal' | 'observe' | 'retries' | 'token'> {
  readonly url: Pick<BaseUrl, 'href'>;
}

/** A client over a transport, whether that leads to a socket or to a service in this process. */
export const clientOver = async (transport: Transport, connection: Calling, signal: AbortSignal): Promise<Client> => {
  const { createClient } = await import('../client/client.js');
  const { defaultRetry } = await import('../client/retry-policy.js');
  const { url, token, retries, observe, dryRun, journal } = connection;
  return createClient({
    url: url.href, token, signal, onEvent: observe,
    transport: dryRun ? withoutWrites(transport, url.href) : journalled(transport, journal),
    retry: retries === undefined ? defaultRetry : { ...defaultRetry, retries },
  });
};
