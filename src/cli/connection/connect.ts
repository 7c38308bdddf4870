import type { BaseUrl } from '../../client/base-url.js';
import type { Client } from '../../client/client.js';
import type { TransportOptions } from '../../client/options.js';
import type { Transport } from '../../wire/http.js';
import type { App, Connection, RawConnection } from '../app.js';
import { sight } from '../cache/record.js';
import { withoutWrites } from './dry-run.js';
import { journalled } from './journal.js';

type Own = 'dryRun' | 'journal' | 'observe' | 'retries';

interface Calling extends Pick<Connection, Own | 'token' | 'routes' | 'seen'> {
  readonly url: Pick<BaseUrl, 'href'>;
}

interface RawCalling extends Pick<RawConnection, Own | 'token'> {
  readonly url: Pick<BaseUrl, 'href'>;
}

/** A client over a transport, whether that leads to a socket or to a service in this process. */
export const clientOver = async (transport: Transport, connection: Calling, signal: AbortSignal): Promise<Client> => {
  const { createClient } = await import('../../client/client.js');
  const { routes, seen, url } = connection;
  return createClient({
    ...await options(transport, connection), signal, routes, wholeAnswers: true,
    check: seen && ((_endpoint, answer, request) => sight(seen, url.href, request, answer)),
  });
};

/** The same layers without the contract on top: for requests that the user writes. */
export const transportOver = async (transport: Transport, connection: RawCalling): Promise<Transport> => {
  const { createTransport } = await import('../../client/create-transport.js');
  return createTransport(await options(transport, connection));
};

const options = async (transport: Transport, connection: RawCalling): Promise<TransportOptions> => {
  const { defaultRetry } = await import('../../client/middleware/retry.js');
  const { url, token, retries, observe, dryRun, journal } = connection;
  return {
    url: url.href, token: token ?? undefined, onEvent: observe,
    transport: dryRun ? withoutWrites(transport, url.href) : journalled(transport, journal),
    retry: retries === undefined ? defaultRetry : { ...defaultRetry, retries },
  };
};

/** Sockets to a service, through the proxy that the environment names. */
export const socketsTo = async (
  env: App['env'], connection: Pick<Connection, 'url' | 'tls' | 'timeout'>,
): Promise<Transport> => {
  const { socketTransport } = await import('../../client/transport/socket.js');
  const { url, tls, timeout } = connection;
  return socketTransport(url, { ...tls, ...proxySettings(env), timeout, http: 'node' });
};

/** The proxies that the environment names, in both spellings; HTTP_PROXY counts last, since a web server may set it. */
export const proxySettings = (env: App['env']) => ({
  proxy: { https: env['HTTPS_PROXY'] ?? env['https_proxy'], http: env['http_proxy'] ?? env['HTTP_PROXY'] },
  noProxy: env['NO_PROXY'] ?? env['no_proxy'],
});
