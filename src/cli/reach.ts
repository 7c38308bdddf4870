import type { Transport } from '../wire/http.js';
import type { App, Connection } from './app.js';

/** Sockets to a service, through the proxy that the environment names. */
export const socketsTo = async (
  env: App['env'], connection: Pick<Connection, 'url' | 'tls' | 'timeout'>,
): Promise<Transport> => {
  const { socketTransport } = await import('../client/socket.js');
  const { url, tls, timeout } = connection;
  return socketTransport(url, { ...tls, ...proxySettings(env), timeout, http: 'node' });
};

/** The proxies that the environment names, in both spellings; HTTP_PROXY counts last, since a web server may set it. */
export const proxySettings = (env: App['env']) => ({
  proxy: { https: env['HTTPS_PROXY'] ?? env['https_proxy'], http: env['http_proxy'] ?? env['HTTP_PROXY'] },
  noProxy: env['NO_PROXY'] ?? env['no_proxy'],
});
