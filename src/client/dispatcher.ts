import type { Dispatcher } from 'undici';
import type { BaseUrl } from './base-url.js';
import { connectTimeout, identified, trusted, type ConnectionSettings } from './connection.js';
import { mostBytes } from './unpacked.js';

/**
 * Opens the pool of connections to a service. undici is loaded here and not before: it costs more than the rest.
 * @param proxy to go through: by a tunnel to https, with whole addresses to http; the client's certificate is the
 *   service's to see, not the proxy's
 */
export const openDispatcher = async (
  base: BaseUrl, proxy: URL | null, settings: ConnectionSettings,
): Promise<Dispatcher> => {
  // Each of the two is loaded as its name is read.
  const undici = await import('undici');
  const timeout = connectTimeout(settings);
  const tls = { timeout, ...identified(settings) };
  if (proxy === null) return new undici.Agent({ connect: tls, maxResponseSize: mostBytes });
  const proxyTls = { timeout, ...trusted(settings) };
  const proxyTunnel = base.origin.startsWith('https:');
  return new undici.ProxyAgent({
    uri: proxy.href, requestTls: tls, proxyTls, proxyTunnel, maxResponseSize: mostBytes,
  });
};
